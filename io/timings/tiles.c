#include "tiles.h"

#include "base/parallel/parallel.h"
#include "gather.h"

#include <math.h>
#include <stdlib.h>

/*
 * The numbers that a rank sends, in nanoseconds:
 *
 *     x0 y0 x1 y1 shared beside | costs of the tiles [x0, x1) x [y0, y1), row after row
 *
 * The rectangle is the smallest that contains all tiles with costs.
 */
enum { HEAD = 6 };

static int64_t to_nanoseconds(double seconds)
{
    return isfinite(seconds) ? llround(1e9 * seconds) : 0;
}

static void grow(int64_t rect[4], int column, int row)
{
    const int64_t at[2] = {column, row};
    const bool is_empty = rect[2] == 0;
    for (int axis = 0; axis < 2; axis++) {
        rect[axis] = is_empty || at[axis] < rect[axis] ? at[axis] : rect[axis];
        rect[2 + axis] = at[axis] + 1 > rect[2 + axis] ? at[axis] + 1 : rect[2 + axis];
    }
}

static double cost_at(const io_tile_costs *mine, int64_t column, int64_t row)
{
    return mine->seconds[row * mine->columns + column];
}

/* Fills in `packed`, which is large enough for all tiles; returns the count of
 * numbers. */
static int64_t pack(const io_tile_costs *mine, int64_t *packed)
{
    int64_t rect[4] = {0, 0, 0, 0}, count = HEAD;
    for (int row = 0; row < mine->rows; row++) {
        for (int column = 0; column < mine->columns; column++) {
            if (to_nanoseconds(cost_at(mine, column, row)) > 0) {
                grow(rect, column, row);
            }
        }
    }
    for (int n = 0; n < 4; n++) {
        packed[n] = rect[n];
    }
    packed[4] = to_nanoseconds(mine->shared);
    packed[5] = to_nanoseconds(mine->beside);
    for (int64_t row = rect[1]; row < rect[3]; row++) {
        for (int64_t column = rect[0]; column < rect[2]; column++) {
            packed[count++] = to_nanoseconds(cost_at(mine, column, row));
        }
    }
    return count;
}

/* ---- JSON -------------------------------------------------------------------------- */

/* Number `place` of the head of every rank. */
static json_t *describe_head(const io_gathered *from, int place)
{
    json_t *values = json_array();
    int failed = 0;
    for (int r = 0; r < from->ranks; r++) {
        failed |= json_array_append_new(values,
                                        json_integer(from->all[from->begin[r] + place]));
    }
    if (failed) {
        json_decref(values);
        return NULL;
    }
    return values;
}

static json_t *describe_rank(const io_gathered *from, int rank)
{
    const int64_t *packed = &from->all[from->begin[rank]];
    json_t *values = json_array();
    int failed = 0;
    for (int n = HEAD; n < from->counts[rank]; n++) {
        failed |= json_array_append_new(values, json_integer(packed[n]));
    }
    if (failed) {
        json_decref(values);
        return NULL;
    }
    return values;
}

static json_t *describe_costs(const io_gathered *from)
{
    json_t *all = json_array();
    int failed = 0;
    for (int r = 0; r < from->ranks; r++) {
        failed |= json_array_append_new(all, describe_rank(from, r));
    }
    if (failed) {
        json_decref(all);
        return NULL;
    }
    return all;
}

static status describe(const io_tile_costs *mine, const io_gathered *from, json_t **out)
{
    static const char *const head[HEAD] = {"x0", "y0", "x1", "y1", "shared", "beside"};
    json_t *all = json_pack("{s:i, s:i, s:i}", "size", mine->size, "columns",
                            mine->columns, "rows", mine->rows);
    int failed = 0;
    for (int n = 0; n < HEAD; n++) {
        failed |= json_object_set_new(all, head[n], describe_head(from, n));
    }
    failed |= json_object_set_new(all, "cost", describe_costs(from));
    if (failed) {
        json_decref(all);
        return base_fail_memory(4096, "costs of tiles");
    }
    *out = all;
    return STATUS_OK;
}

status io_timings_describe_tiles(MPI_Comm comm, const io_tile_costs *mine, json_t **out)
{
    const size_t most = HEAD + (size_t)mine->columns * (size_t)mine->rows;
    int64_t *packed = malloc(most * sizeof *packed);
    status s =
        packed ? STATUS_OK : base_fail_memory(most * sizeof *packed, "costs of tiles");
    s = parallel_agree(comm, s);
    io_gathered all = {0};
    if (s == STATUS_OK) {
        s = io_gather(comm, pack(mine, packed), packed, "costs of tiles", &all);
    }
    *out = NULL;
    if (s == STATUS_OK) {
        s = parallel_agree(comm, all.all ? describe(mine, &all, out) : STATUS_OK);
    }
    io_gathered_clear(&all);
    free(packed);
    return s;
}

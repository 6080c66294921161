/* The states of particles that make short steps: making them, and moving them about. */
#include "lanes.h"

#include "trace/cells.h"

#include <stdlib.h>
#include <string.h>

void trace_lanes_clear(trace_lanes_all *all)
{
    free(all->of);
    *all = (trace_lanes_all){0};
}

status trace_lanes_reserve(trace_lanes_all *all, int64_t count)
{
    enum { LINE = 64 };
    const size_t size = (size_t)count * sizeof *all->of;
    if (count <= all->count) {
        return STATUS_OK;
    }
    trace_lanes *more = aligned_alloc(LINE, size);
    if (!more) {
        return base_fail_memory(size, "particles");
    }
    memset(more, 0, size);
    if (all->count > 0) {
        memcpy(more, all->of, (size_t)all->count * sizeof *more);
    }
    for (int64_t n = all->count; n < count; n++) {
        for (int lane = 0; lane < TRACE_LANES; lane++) {
            trace_lanes_empty(&more[n], lane);
        }
    }
    free(all->of);
    *all = (trace_lanes_all){count, more};
    return STATUS_OK;
}

/* ---- One lane ---------------------------------------------------------------------- */

void trace_lanes_empty(trace_lanes *lanes, int lane)
{
    lanes->has &= ~(1U << lane);
    lanes->guess.cell[lane] = -1;
}

void trace_guess_copy_cell(const trace_guess *from, int lane, trace_guess *to,
                           int to_lane)
{
    to->cell[to_lane] = from->cell[lane];
    to->row[to_lane] = from->row[lane];
    to->plane[to_lane] = from->plane[lane];
    for (int c = 0; c < 3; c++) {
        to->in[to_lane].corner[c] = from->in[lane].corner[c];
        for (int n = 0; n < TRACE_MAP_FACTORS; n++) {
            to->map[n][c][to_lane] = from->map[n][c][lane];
        }
    }
}

void trace_lanes_move(trace_lanes *from, int lane, trace_lanes *to, int to_lane)
{
    for (int c = 0; c < 3; c++) {
        to->velocity[c][to_lane] = from->velocity[c][lane];
        to->bend[c][to_lane] = from->bend[c][lane];
        to->guess.local[c][to_lane] = from->guess.local[c][lane];
        to->guess.x[c][to_lane] = from->guess.x[c][lane];
    }
    to->past[to_lane] = from->past[lane];
    to->value[to_lane] = from->value[lane];
    to->guess.in[to_lane] = from->guess.in[lane];
    trace_guess_copy_cell(&from->guess, lane, &to->guess, to_lane);
    to->has |= 1U << to_lane;
    trace_lanes_empty(from, lane);
}

/* ---- Cells ------------------------------------------------------------------------- */

/* Sets the map of the cell with these vertices along an axis. */
static void set_map(const float v[8], int axis, int lane, trace_guess *guess)
{
    const float r = v[1] - v[0], s = v[2] - v[0], rs = (v[3] - v[2]) - r;
    const float r_above = v[5] - v[4], rs_above = (v[7] - v[6]) - r_above;
    guess->map[TRACE_MAP_R][axis][lane] = r;
    guess->map[TRACE_MAP_S][axis][lane] = s;
    guess->map[TRACE_MAP_RS][axis][lane] = rs;
    guess->map[TRACE_MAP_T][axis][lane] = v[4] - v[0];
    guess->map[TRACE_MAP_RT][axis][lane] = r_above - r;
    guess->map[TRACE_MAP_ST][axis][lane] = (v[6] - v[4]) - s;
    guess->map[TRACE_MAP_RST][axis][lane] = rs_above - rs;
}

/* Moves the origin of a guess along an axis to the lowest vertex of a cell. */
static void set_corner(float corner, int axis, int lane, trace_guess *guess)
{
    float *own = &guess->in[lane].corner[axis];
    guess->x[axis][lane] += (double)*own - (double)corner;
    *own = corner;
}

void trace_guess_set_origin(int lane, trace_guess *guess)
{
    for (int c = 0; c < 3; c++) {
        set_corner(0.0F, c, lane, guess);
    }
}

void trace_guess_set_cell(const grid_store *store, const trace_corners *corners, int lane,
                          trace_guess *guess)
{
    const int64_t *vertex = corners->vertex;
    guess->cell[lane] = (int32_t)vertex[0]; /* below GRID_STORE_MOST_VERTICES */
    guess->row[lane] = (int32_t)(vertex[2] - vertex[0]);
    guess->plane[lane] = (int32_t)(vertex[4] - vertex[0]);
    for (int c = 0; c < 3; c++) {
        float v[8];
        for (int n = 0; n < 8; n++) {
            v[n] = store->vertex[vertex[n]][c];
        }
        set_corner(v[0], c, lane, guess);
        set_map(v, c, lane, guess);
    }
}

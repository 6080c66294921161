#include "extreme.h"

#include "base/parallel/parallel.h"
#include "grid/brick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_BRICKS = 1024 }; /* in memory at once, as io_load_scan has them */

/* A value and its place, in float32 as the grid has them. */
typedef struct candidate {
    bool is_there;
    float value; /* negated, if the greatest is sought: the least one counts */
    float at[3];
} candidate;

/* Takes a value if it is less, or at a place that comes before. */
static void offer(candidate *best, float value, const float at[3])
{
    if (!isfinite(value) || (best->is_there && value > best->value)) {
        return;
    }
    bool is_before = !best->is_there || value < best->value;
    for (int axis = 0, same = 1; axis < 3 && same && !is_before; axis++) {
        is_before = at[axis] < best->at[axis];
        same = !(at[axis] > best->at[axis]);
    }
    if (is_before) {
        *best = (candidate){true, value, {at[0], at[1], at[2]}};
    }
}

/* The vertices of a cell by the lowest one. */
static void corners_of(const grid_brick *brick, size_t vertex, const float *out[8])
{
    const size_t row = (size_t)brick->place.n[0] + 1;
    const size_t plane = row * ((size_t)brick->place.n[1] + 1);
    for (size_t corner = 0; corner < 8; corner++) {
        out[corner] = brick->vertex[vertex + (corner & 1) + (corner >> 1 & 1) * row +
                                    (corner >> 2) * plane];
    }
}

static void offer_cell(const grid_brick *brick, size_t vertex, size_t cell, float sign,
                       candidate *best)
{
    const float *corner[8];
    float middle[3];
    corners_of(brick, vertex, corner);
    for (int c = 0; c < 8 && !brick->cell; c++) {
        offer(best, sign * corner[c][3], corner[c]);
    }
    for (int axis = 0; axis < 3 && brick->cell; axis++) {
        double sum = 0.0;
        for (int c = 0; c < 8; c++) {
            sum += 0.125 * (double)corner[c][axis];
        }
        middle[axis] = (float)sum;
    }
    if (brick->cell) {
        offer(best, sign * brick->cell[cell], middle);
    }
}

static void offer_brick(const grid_brick *brick, float sign, candidate *best)
{
    const int *n = brick->place.n;
    size_t cell = 0;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            size_t vertex =
                ((size_t)k * ((size_t)n[1] + 1) + (size_t)j) * ((size_t)n[0] + 1);
            for (int i = 0; i < n[0]; i++, cell++, vertex++) {
                if (brick->flags[vertex] & GRID_PRESENT) {
                    offer_cell(brick, vertex, cell, sign, best);
                }
            }
        }
    }
}

/* Looks at the bricks [first, end). Collective. */
static status look(MPI_Comm comm, io_source *source, const io_load_series *series,
                   const int64_t part[2], float sign, candidate *best)
{
    const int64_t count = part[1] - part[0];
    int64_t *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    grid_store *store = NULL;
    status s = numbers ? STATUS_OK : base_fail_memory((size_t)count * 8, "an extreme");
    s = parallel_agree(comm, s);
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        numbers[n] = part[0] + n;
    }
    if (s == STATUS_OK) {
        const io_load_list list = {series->layout, count, numbers,
                                   grid_recipe_location(series->recipe)};
        s = io_load_bricks(comm, source, &list, &store);
    }
    if (s == STATUS_OK) {
        s = io_load_field(comm, source, series->recipe, series->steps[0], store);
    }
    for (int64_t slot = 0; s == STATUS_OK && slot < store->nbricks; slot++) {
        offer_brick(&store->bricks[slot], sign, best);
    }
    grid_store_destroy(&store);
    free(numbers);
    return s;
}

/* The best of all ranks: the least value, then the least x, y and z in this order. */
static void choose(MPI_Comm comm, candidate *best)
{
    double mine[4] = {best->is_there ? (double)best->value : INFINITY,
                      (double)best->at[0], (double)best->at[1], (double)best->at[2]};
    bool counts = true;
    for (int n = 0; n < 4; n++) {
        const double own = counts ? mine[n] : INFINITY;
        double least;
        parallel_allreduce(&own, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
        counts = counts && !(own > least);
        mine[n] = least;
    }
    best->is_there = isfinite(mine[0]);
    best->value = (float)mine[0];
    for (int axis = 0; axis < 3; axis++) {
        best->at[axis] = (float)mine[axis + 1];
    }
}

status frame_extreme_find(MPI_Comm comm, io_source *source, const io_load_series *series,
                          bool is_greatest, frame_extreme *out)
{
    const int64_t bricks = series->layout->nbricks, ranks = parallel_size(comm),
                  rank = parallel_rank(comm);
    const int64_t first = bricks * rank / ranks, end = bricks * (rank + 1) / ranks;
    const float sign = is_greatest ? -1.0f : 1.0f;
    candidate best = {.is_there = false};
    status s = STATUS_OK;
    for (int64_t done = 0; done <= bricks / ranks && s == STATUS_OK;
         done += BATCH_BRICKS) {
        const int64_t from = first + done < end ? first + done : end;
        const int64_t part[2] = {from,
                                 from + BATCH_BRICKS < end ? from + BATCH_BRICKS : end};
        s = look(comm, source, series, part, sign, &best);
    }
    if (s == STATUS_OK) {
        choose(comm, &best);
        out->value = best.is_there ? (double)(sign * best.value) : (double)NAN;
        for (int axis = 0; axis < 3; axis++) {
            out->at.v[axis] = best.is_there
                                  ? (double)best.at[axis] + series->layout->origin.v[axis]
                                  : (double)NAN;
        }
    }
    return s;
}

/* The vertices nearest to points that lie in no cell. */
#include "nearest.h"

#include "base/parallel/parallel.h"
#include "bricks.h"

#include <math.h>
#include <stdlib.h>

/* Squares of the distances from a point to the nearest and the farthest place of a
 * brick's bounds. */
static void find_distances(const grid_brick_info *brick, const double x[3],
                           double *nearest, double *farthest)
{
    *nearest = *farthest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = (double)brick->lo[axis] - x[axis];
        const double above = x[axis] - (double)brick->hi[axis];
        const double beside = fmax(fmax(below, above), 0.0);
        const double most = fmax(fabs(below), fabs(above));
        *nearest += beside * beside;
        *farthest += most * most;
    }
}

/* Marks the bricks that may have the vertex nearest to a point. */
static void mark_near(const grid_layout *layout, const double x[3], uint8_t *wanted)
{
    double least = INFINITY, nearest, farthest;
    for (int64_t n = 0; n < layout->nbricks; n++) {
        if (layout->bricks[n].cells > 0) {
            find_distances(&layout->bricks[n], x, &nearest, &farthest);
            least = fmin(least, farthest);
        }
    }
    for (int64_t n = 0; n < layout->nbricks; n++) {
        if (layout->bricks[n].cells > 0) {
            find_distances(&layout->bricks[n], x, &nearest, &farthest);
            wanted[n] |= nearest <= least;
        }
    }
}

/* Takes a vertex if it is nearer than what is known. */
static void take_vertex(const grid_brick *brick, const int at[3], const double x[3],
                        frame_probe_point *point)
{
    const int *n = brick->place.n;
    const int index = at[0] + (n[0] + 1) * (at[1] + (n[1] + 1) * at[2]);
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double way = (double)brick->vertex[index][axis] - x[axis];
        square += way * way;
    }
    if (sqrt(square) < point->distance) {
        point->distance = sqrt(square);
        point->block = brick->place.block;
        for (int axis = 0; axis < 3; axis++) {
            point->at[axis] = brick->place.lo[axis] + at[axis];
        }
    }
}

/* Looks at the corners of a brick's present cells. */
static void search_brick(const grid_brick *brick, const double x[3],
                         frame_probe_point *point)
{
    const int *n = brick->place.n;
    for (int c = 0; c < n[0] * n[1] * n[2]; c++) {
        const int cell[3] = {c % n[0], c / n[0] % n[1], c / (n[0] * n[1])};
        const int index = cell[0] + (n[0] + 1) * (cell[1] + (n[1] + 1) * cell[2]);
        for (int corner = 0; corner < 8 && (brick->flags[index] & GRID_PRESENT);
             corner++) {
            const int at[3] = {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1),
                               cell[2] + (corner >> 2)};
            take_vertex(brick, at, x, point);
        }
    }
}

status probe_find_nearest(MPI_Comm comm, io_source *source, const grid_layout *layout,
                          int64_t count, double (*x)[3], frame_probe_point *points)
{
    probe_bricks bricks = {layout, calloc((size_t)layout->nbricks + 1, 1)};
    grid_store *store = NULL;
    int outside = 0, any = 0;
    status s =
        bricks.wanted ? STATUS_OK : base_fail_memory((size_t)layout->nbricks, "points");
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        if (!points[n].is_inside) {
            points[n].distance = INFINITY;
            mark_near(layout, x[n], bricks.wanted);
            outside = 1;
        }
    }
    s = parallel_agree(comm, s);
    parallel_allreduce(&outside, &any, 1, MPI_INT, MPI_MAX, comm);
    if (s == STATUS_OK && any) {
        s = probe_load(comm, source, &bricks, GRID_VERTEX, &store);
    }
    for (int64_t b = 0; s == STATUS_OK && any && b < store->nbricks; b++) {
        for (int64_t n = 0; n < count; n++) {
            if (!points[n].is_inside) {
                search_brick(&store->bricks[b], x[n], &points[n]);
            }
        }
    }
    grid_store_destroy(&store);
    free(bricks.wanted);
    return s;
}

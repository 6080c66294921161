/* The first pass over a grid: the extents of its blocks, and the origin. */
#include "origin.h"

#include "base/parallel/parallel.h"
#include "io/view.h"

#include <math.h>
#include <stdlib.h>

static size_t patch_count(const grid_patch *patch)
{
    return (size_t)patch->n[0] * (size_t)patch->n[1] * (size_t)patch->n[2];
}

/* Smallest and largest of the values at vertices that exist. */
static void find_extent(const grid_patch *patch, const float *values, double *lo,
                        double *hi)
{
    float least = INFINITY, most = -INFINITY;
#pragma omp parallel for simd reduction(min : least) reduction(max : most)
    for (size_t n = 0; n < patch_count(patch); n++) {
        const bool exists = io_load_is_somewhere(patch, n) &
                            !(patch->blanked && patch->blanked[n] == GRID_POINT_BLANKED);
        least = exists && values[n] < least ? values[n] : least;
        most = exists && values[n] > most ? values[n] : most;
    }
    *lo = fmin(*lo, (double)least);
    *hi = fmax(*hi, (double)most);
}

/* The bounds of this rank's vertices, in the coordinates of the grid and of the data. */
typedef struct extents {
    const io_source *source;
    io_load_measure *blocks; /* [nblocks]: `extent` */
    box3 data;
} extents;

/* Whether a view maps boxes along the axes to such boxes, without turning them. */
static bool keeps_boxes(const grid_view *view)
{
    bool keeps = true;
    for (int n = 0; n < 9; n++) {
        keeps = keeps && (n / 3 == n % 3 || view->inverse[n / 3][n % 3] == 0.0);
    }
    return keeps;
}

/* Grows bounds around the vertices that exist, in the coordinates of the data. extent:
 * theirs, and of more vertices of the block, in those of the grid. */
static void find_data_extent(const grid_patch *patch, const grid_view *view,
                             const box3 *extent, box3 *bounds)
{
    if (keeps_boxes(view)) {
        if (extent->lo.v[0] <= extent->hi.v[0]) {
            const vec3 one = grid_view_point_back(view, extent->lo);
            const vec3 other = grid_view_point_back(view, extent->hi);
            *bounds =
                box3_union(*bounds, box3_union((box3){one, one}, (box3){other, other}));
        }
        return;
    }
    for (size_t n = 0; n < patch_count(patch); n++) {
        if (!io_load_is_somewhere(patch, n) ||
            (patch->blanked && patch->blanked[n] == GRID_POINT_BLANKED)) {
            continue;
        }
        const vec3 point =
            grid_view_point_back(view, vec3_make((double)patch->x[n], (double)patch->y[n],
                                                 (double)patch->z[n]));
        *bounds = box3_union(*bounds, (box3){point, point});
    }
}

static status visit_bounds(void *context, const io_window *window,
                           const grid_patch *patch)
{
    extents *mine = context;
    box3 *bounds = &mine->blocks[window->block].extent;
    find_extent(patch, patch->x, &bounds->lo.v[0], &bounds->hi.v[0]);
    find_extent(patch, patch->y, &bounds->lo.v[1], &bounds->hi.v[1]);
    find_extent(patch, patch->z, &bounds->lo.v[2], &bounds->hi.v[2]);
    const grid_view *view = &io_source_views(mine->source)[window->block];
    if (view->on) {
        find_data_extent(patch, view, bounds, &mine->data);
    }
    return STATUS_OK;
}

/* Bounds over all ranks. Collective. */
static box3 join_bounds(MPI_Comm comm, const box3 *mine)
{
    box3 all;
    parallel_allreduce(mine->lo.v, all.lo.v, 3, MPI_DOUBLE, MPI_MIN, comm);
    parallel_allreduce(mine->hi.v, all.hi.v, 3, MPI_DOUBLE, MPI_MAX, comm);
    return all;
}

/* Joins the extents of blocks over all ranks. bounds: [nblocks] for the work; their union
 * is returned. Collective. */
static box3 join_extents(MPI_Comm comm, int nblocks, io_load_measure *measures,
                         box3 *bounds)
{
    box3 all = box3_empty();
    for (int b = 0; b < nblocks; b++) {
        bounds[b] =
            (box3){vec3_scale(measures[b].extent.lo, -1.0), measures[b].extent.hi};
    }
    parallel_allreduce(MPI_IN_PLACE, bounds, nblocks * 6, MPI_DOUBLE, MPI_MAX, comm);
    for (int b = 0; b < nblocks; b++) {
        measures[b].extent = (box3){vec3_scale(bounds[b].lo, -1.0), bounds[b].hi};
        all = box3_union(all, measures[b].extent);
    }
    return all;
}

status io_load_origin(const io_sweep *geometry, const io_load_bricks_read *bricks,
                      io_load_measure *measures, grid_layout *layout)
{
    if (!io_source_double_coordinates(geometry->source)) {
        return STATUS_OK;
    }
    extents mine = {geometry->source, measures, box3_empty()};
    io_sweep sweep = *geometry;
    sweep.visit = visit_bounds;
    sweep.context = &mine;
    status s = io_sweep_run(&sweep, bricks->count, bricks->numbers);
    if (s != STATUS_OK) {
        return s;
    }
    box3 *work = malloc(((size_t)layout->nblocks + 1) * sizeof *work);
    s = parallel_agree(sweep.comm,
                       work ? STATUS_OK : base_fail_memory(sizeof *work, "the bounds"));
    if (s != STATUS_OK) {
        free(work);
        return s;
    }
    const box3 bounds = join_extents(sweep.comm, layout->nblocks, measures, work);
    free(work);
    *io_source_data_bounds(sweep.source) = join_bounds(sweep.comm, &mine.data);
    if (bounds.lo.v[0] <= bounds.hi.v[0]) {
        layout->origin = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    }
    return STATUS_OK;
}

#include "base/log.h"
#include "base/parallel.h"
#include "io/load_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- first look: where the grid is ------------------------------------------------ */

static size_t patch_count(const grid_patch *patch)
{
    return (size_t)patch->n[0] * (size_t)patch->n[1] * (size_t)patch->n[2];
}

static bool is_finite_at(const grid_patch *patch, size_t vertex)
{
    return isfinite(patch->x[vertex]) && isfinite(patch->y[vertex]) &&
           isfinite(patch->z[vertex]);
}

static status visit_bounds(void *context, const io_window *window,
                           const grid_patch *patch)
{
    (void)window;
    box3 *bounds = context;
    for (size_t n = 0; n < patch_count(patch); n++) {
        if (is_finite_at(patch, n) && !(patch->blanked && patch->blanked[n])) {
            vec3 point =
                vec3_make((double)patch->x[n], (double)patch->y[n], (double)patch->z[n]);
            *bounds = box3_union(*bounds, (box3){point, point});
        }
    }
    return STATUS_OK;
}

/*
 * The middle of what is not blanked becomes the origin of float64 grids, so that thin
 * cells far from (0, 0, 0) survive in float32. Float32 grids keep theirs: their values
 * stay what they are.
 */
static status find_origin(const io_sweep *geometry, int64_t count, const int64_t *numbers,
                          grid_layout *layout)
{
    if (!io_source_double_coordinates(geometry->source)) {
        return STATUS_OK;
    }
    box3 mine = box3_empty(), bounds;
    io_sweep sweep = *geometry;
    sweep.visit = visit_bounds;
    sweep.context = &mine;
    status s = io_sweep_run(&sweep, count, numbers);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_allreduce(mine.lo.v, bounds.lo.v, 3, MPI_DOUBLE, MPI_MIN, sweep.comm);
    parallel_allreduce(mine.hi.v, bounds.hi.v, 3, MPI_DOUBLE, MPI_MAX, sweep.comm);
    if (bounds.lo.v[0] <= bounds.hi.v[0]) {
        layout->origin = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    }
    return STATUS_OK;
}

/* ---- second look: cells ----------------------------------------------------------- */

/* What one rank counts in its share; summed over ranks. */
enum {
    VOLUMES = 3, /* of a block: present cells with positive, negative and no volume */
    TOTALS = 2   /* after the blocks: blanked cells, vertices that are not finite */
};

typedef struct measure {
    grid_layout *layout;
    int64_t *counts;  /* [nblocks][VOLUMES], then [TOTALS] */
    grid_brick brick; /* working space for one brick */
    uint8_t *blanked; /* the same for its vertices */
} measure;

static int64_t *total_counts(const measure *m)
{
    return m->counts + (size_t)m->layout->nblocks * VOLUMES;
}

/* Whether one of the corners of the cell that starts at `vertex` is blanked. */
static bool cell_is_blanked(const grid_patch *patch, size_t vertex)
{
    size_t row = (size_t)patch->n[0], plane = row * (size_t)patch->n[1];
    for (size_t corner = 0; corner < 8; corner++) {
        if (patch->blanked[vertex + (corner & 1) + (corner >> 1 & 1) * row +
                           (corner >> 2) * plane]) {
            return true;
        }
    }
    return false;
}

/*
 * Counts the blanked cells of a window, and its vertices that are not finite without
 * being blanked. Windows share the vertices between them: each counts those at the lower
 * ends of its cells, and beyond them only where the block ends.
 */
static void count_window(const measure *m, const io_window *window,
                         const grid_patch *patch)
{
    const grid_block *block = &m->layout->blocks[window->block];
    int64_t *totals = total_counts(m);
    bool ends[3];
    for (int axis = 0; axis < 3; axis++) {
        ends[axis] = window->lo[axis] + window->bricks[axis] == block->bricks[axis];
    }
    size_t vertex = 0;
    for (int k = 0; k < patch->n[2]; k++) {
        for (int j = 0; j < patch->n[1]; j++) {
            for (int i = 0; i < patch->n[0]; i++, vertex++) {
                bool last[3] = {i + 1 == patch->n[0], j + 1 == patch->n[1],
                                k + 1 == patch->n[2]};
                bool has_cell = !last[0] && !last[1] && !last[2];
                bool counts = (!last[0] || ends[0]) && (!last[1] || ends[1]) &&
                              (!last[2] || ends[2]);
                bool blanked = patch->blanked && patch->blanked[vertex];
                totals[0] += has_cell && patch->blanked && cell_is_blanked(patch, vertex);
                totals[1] += counts && !blanked && !is_finite_at(patch, vertex);
            }
        }
    }
}

static status visit_cells(void *context, const io_window *window, const grid_patch *patch)
{
    measure *m = context;
    int64_t *block_volumes = m->counts + (size_t)window->block * VOLUMES;
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        int64_t volumes[VOLUMES];
        m->brick.number = io_window_brick(m->layout, window, n);
        m->brick.place = grid_layout_place(m->layout, m->brick.number);
        io_load_brick(window, patch, &m->brick, m->blanked);
        grid_brick_measure(&m->brick, &m->layout->bricks[m->brick.number], volumes);
        for (int kind = 0; kind < VOLUMES; kind++) {
            block_volumes[kind] += volumes[kind];
        }
    }
    count_window(m, window, patch);
    return STATUS_OK;
}

static status measure_create(grid_layout *layout, measure *out)
{
    measure m = {.layout = layout};
    size_t counts = (size_t)layout->nblocks * VOLUMES + TOTALS;
    m.counts = calloc(counts, sizeof *m.counts);
    m.brick.vertex = calloc(IO_BRICK_VERTICES, sizeof *m.brick.vertex);
    m.brick.flags = calloc(IO_BRICK_VERTICES, sizeof *m.brick.flags);
    m.blanked = malloc(IO_BRICK_VERTICES);
    *out = m;
    if (!m.counts || !m.brick.vertex || !m.brick.flags || !m.blanked) {
        return base_fail_memory(counts * sizeof *m.counts, "the census of the grid");
    }
    return STATUS_OK;
}

static void measure_release(measure *m)
{
    free(m->counts);
    free(m->brick.vertex);
    free(m->brick.flags);
    free(m->blanked);
}

/* ---- what the ranks found, together ----------------------------------------------- */

static void apply_counts(const measure *m)
{
    grid_layout *layout = m->layout;
    grid_census *census = &layout->census;
    for (int b = 0; b < layout->nblocks; b++) {
        grid_block *block = &layout->blocks[b];
        const int64_t *volumes = m->counts + (size_t)b * VOLUMES;
        block->left_handed = volumes[1] > volumes[0];
        census->cells += (block->n[0] - 1) * (block->n[1] - 1) * (block->n[2] - 1);
        census->inverted += block->left_handed ? volumes[0] : volumes[1];
        census->zero_volume += volumes[2];
    }
    census->blanked = total_counts(m)[0];
}

static void apply_bounds(grid_layout *layout)
{
    for (int64_t number = 0; number < layout->nbricks; number++) {
        const grid_brick_info *info = &layout->bricks[number];
        if (info->cells > 0) {
            box3 box = {
                vec3_make((double)info->lo[0], (double)info->lo[1], (double)info->lo[2]),
                vec3_make((double)info->hi[0], (double)info->hi[1], (double)info->hi[2])};
            layout->bounds = box3_union(layout->bounds, box);
        }
    }
}

/* Gives every rank the infos of all bricks, whose shares follow each other. Collective.
 */
static status share_infos(MPI_Comm comm, grid_layout *layout)
{
    int size = parallel_size(comm);
    size_t bytes = (size_t)size * 2 * sizeof(int);
    int *counts = malloc(bytes);
    status s = counts ? STATUS_OK : base_fail_memory(bytes, "the list of ranks");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        for (int rank = 0; rank < size; rank++) {
            int64_t first, end;
            io_load_share(comm, rank, layout, &first, &end);
            counts[rank] = parallel_count(end - first);
            counts[size + rank] = parallel_count(first);
        }
        MPI_Datatype info;
        MPI_Request request;
        MPI_Type_contiguous((int)sizeof *layout->bricks, MPI_BYTE, &info);
        MPI_Type_commit(&info);
        MPI_Iallgatherv(MPI_IN_PLACE, 0, info, layout->bricks, counts, counts + size,
                        info, comm, &request);
        parallel_wait(&request);
        MPI_Type_free(&info);
    }
    free(counts);
    return s;
}

/* Fails where nothing is left to draw; warns of coordinates that are not finite. The
 * counts are the same on every rank. */
static status judge(const measure *m, const io_source *source)
{
    const grid_layout *layout = m->layout;
    int64_t not_finite = total_counts(m)[1];
    if (layout->bounds.lo.v[0] > layout->bounds.hi.v[0]) {
        return base_fail(STATUS_INPUT,
                         "the grid of '%s' has nothing to draw: of %" PRId64
                         " cells %" PRId64 " are blanked, and the coordinates of %" PRId64
                         " vertices are not finite numbers",
                         io_source_path(source), layout->census.cells,
                         layout->census.blanked, not_finite);
    }
    if (not_finite > 0) {
        base_log_warning("the coordinates of %" PRId64 " vertices of '%s' are not finite "
                         "numbers: their cells are left out",
                         not_finite, io_source_path(source));
    }
    return STATUS_OK;
}

static status count_cells(const io_sweep *geometry, int64_t count, const int64_t *numbers,
                          grid_layout *layout)
{
    measure m;
    io_sweep sweep = *geometry;
    sweep.visit = visit_cells;
    sweep.context = &m;
    status s = parallel_agree(sweep.comm, measure_create(layout, &m));
    if (s == STATUS_OK) {
        s = io_sweep_run(&sweep, count, numbers);
    }
    if (s == STATUS_OK) {
        int n = parallel_count((int64_t)layout->nblocks * VOLUMES + TOTALS);
        parallel_allreduce(MPI_IN_PLACE, m.counts, n, MPI_INT64_T, MPI_SUM, sweep.comm);
        s = share_infos(sweep.comm, layout);
    }
    if (s == STATUS_OK) {
        apply_counts(&m);
        apply_bounds(layout);
        s = judge(&m, sweep.source);
    }
    measure_release(&m);
    return s;
}

static status fill_layout(MPI_Comm comm, io_source *source, grid_layout *layout)
{
    int64_t first, end, *numbers = NULL;
    io_load_share(comm, parallel_rank(comm), layout, &first, &end);
    const io_sweep geometry = {.comm = comm,
                               .source = source,
                               .layout = layout,
                               .coordinates = true,
                               .blanked = true};
    status s = parallel_agree(comm, io_load_numbers(first, end, &numbers));
    if (s == STATUS_OK) {
        s = find_origin(&geometry, end - first, numbers, layout);
    }
    if (s == STATUS_OK) {
        s = count_cells(&geometry, end - first, numbers, layout);
    }
    if (s == STATUS_OK) {
        s = io_load_closed(comm, source, layout);
    }
    free(numbers);
    return s;
}

status io_load_layout(MPI_Comm comm, io_source *source, grid_layout **out)
{
    grid_layout *layout = NULL;
    status s = grid_layout_create(io_source_block_count(source), io_source_blocks(source),
                                  &layout);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = fill_layout(comm, source, layout);
    }
    if (s != STATUS_OK) {
        grid_layout_destroy(&layout);
        return s;
    }
    *out = layout;
    return STATUS_OK;
}

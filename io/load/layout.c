#include "base/log.h"
#include "base/parallel/parallel.h"
#include "closed.h"
#include "geometry.h"
#include "io/view.h"
#include "load.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- first pass: the bounds of the grid ------------------------------------------- */

static size_t patch_count(const grid_patch *patch)
{
    return (size_t)patch->n[0] * (size_t)patch->n[1] * (size_t)patch->n[2];
}

static bool is_somewhere(const grid_patch *patch, size_t vertex)
{
    return (fabsf(patch->x[vertex]) <= GRID_FARTHEST) &
           (fabsf(patch->y[vertex]) <= GRID_FARTHEST) &
           (fabsf(patch->z[vertex]) <= GRID_FARTHEST);
}

/* Smallest and largest of the values at vertices that exist. */
static void find_extent(const grid_patch *patch, const float *values, double *lo,
                        double *hi)
{
    float least = INFINITY, most = -INFINITY;
#pragma omp parallel for simd reduction(min : least) reduction(max : most)
    for (size_t n = 0; n < patch_count(patch); n++) {
        const bool exists = is_somewhere(patch, n) &
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
    box3 grid, data;
} extents;

/* Grows bounds around the vertices that exist, in the coordinates of the data. */
static void find_data_extent(const grid_patch *patch, const grid_view *view, box3 *bounds)
{
    for (size_t n = 0; n < patch_count(patch); n++) {
        if (!is_somewhere(patch, n) ||
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
    box3 *bounds = &mine->grid;
    find_extent(patch, patch->x, &bounds->lo.v[0], &bounds->hi.v[0]);
    find_extent(patch, patch->y, &bounds->lo.v[1], &bounds->hi.v[1]);
    find_extent(patch, patch->z, &bounds->lo.v[2], &bounds->hi.v[2]);
    const grid_view *view = &io_source_views(mine->source)[window->block];
    if (view->on) {
        find_data_extent(patch, view, &mine->data);
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

/*
 * Finds the origin. In float64 grids it is the middle of the vertices that are not
 * blanked, so that thin cells far from (0, 0, 0) survive the conversion to float32.
 * Float32 grids keep (0, 0, 0), so that their values stay unchanged.
 */
static status find_origin(const io_sweep *geometry, int64_t count, const int64_t *numbers,
                          grid_layout *layout)
{
    if (!io_source_double_coordinates(geometry->source)) {
        return STATUS_OK;
    }
    extents mine = {geometry->source, box3_empty(), box3_empty()};
    io_sweep sweep = *geometry;
    sweep.visit = visit_bounds;
    sweep.context = &mine;
    status s = io_sweep_run(&sweep, count, numbers);
    if (s != STATUS_OK) {
        return s;
    }
    const box3 bounds = join_bounds(sweep.comm, &mine.grid);
    *io_source_data_bounds(sweep.source) = join_bounds(sweep.comm, &mine.data);
    if (bounds.lo.v[0] <= bounds.hi.v[0]) {
        layout->origin = vec3_scale(vec3_add(bounds.lo, bounds.hi), 0.5);
    }
    return STATUS_OK;
}

/* ---- second pass: cells ----------------------------------------------------------- */

/* The counts of one rank in its share; they are summed over the ranks. */
enum {
    VOLUMES = 3, /* of a block: present cells with positive, negative and no volume */
    SIGNS = 2,   /* those that may be inverted */
    TOTALS = 2   /* after the blocks: blanked cells, vertices without valid coordinates */
};

typedef struct measure {
    grid_layout *layout;
    int64_t *counts;  /* [nblocks][VOLUMES], then [TOTALS] */
    int64_t *firsts;  /* [nblocks][SIGNS]: index of the first cell of a positive and of a
                         negative volume; INT64_MAX: none */
    grid_store *kept; /* all bricks, to be filled in; or NULL */
} measure;

static int64_t *total_counts(const measure *m)
{
    return m->counts + (size_t)m->layout->nblocks * VOLUMES;
}

/* Number of blanked cells of a row: `corners` starts at its first vertex. */
static int64_t count_blanked(const grid_patch *patch, const uint8_t *corners)
{
    const size_t row = (size_t)patch->n[0], plane = row * (size_t)patch->n[1];
    const uint8_t *a = corners, *b = a + row, *c = a + plane, *d = c + row;
    int64_t blanked = 0;
    for (int i = 0; i + 1 < patch->n[0]; i++) {
        blanked +=
            (a[i] | a[i + 1] | b[i] | b[i + 1] | c[i] | c[i + 1] | d[i] | d[i + 1]) &
            GRID_POINT_BLANKED;
    }
    return blanked;
}

/* Number of vertices, of `count` from `first` on, that have no valid coordinates although
 * they are not blanked. */
static int64_t count_nowhere(const grid_patch *patch, size_t first, int count)
{
    int nowhere = 0;
    for (size_t n = first; n < first + (size_t)count; n++) {
        nowhere += !is_somewhere(patch, n) &
                   !(patch->blanked && patch->blanked[n] == GRID_POINT_BLANKED);
    }
    return nowhere;
}

/*
 * Counts the blanked cells of a window, and its unblanked vertices without valid
 * coordinates. Windows share vertices. So each window counts the vertices at the lower
 * ends of its cells, and at the upper ends only at the end of the block.
 */
static void count_window(const measure *m, const io_window *window,
                         const grid_patch *patch)
{
    const grid_block *block = &m->layout->blocks[window->block];
    int64_t blanked = 0, nowhere = 0;
    const bool has_several = io_window_brick_count(window) > 1;
    int own[3]; /* vertices that the window counts */
    for (int axis = 0; axis < 3; axis++) {
        bool ends = window->lo[axis] + window->bricks[axis] == block->bricks[axis];
        own[axis] = ends ? patch->n[axis] : patch->n[axis] - 1;
    }
#pragma omp parallel for reduction(+ : blanked, nowhere) if (has_several)
    for (int k = 0; k < own[2]; k++) {
        for (int j = 0; j < own[1]; j++) {
            size_t first =
                ((size_t)k * (size_t)patch->n[1] + (size_t)j) * (size_t)patch->n[0];
            nowhere += count_nowhere(patch, first, own[0]);
            if (patch->blanked && j + 1 < patch->n[1] && k + 1 < patch->n[2]) {
                blanked += count_blanked(patch, patch->blanked + first);
            }
        }
    }
    total_counts(m)[0] += blanked;
    total_counts(m)[1] += nowhere;
}

/* Notes the first cells of a brick with a positive and with a negative volume. */
static void note_firsts(const measure *m, const grid_brick *brick,
                        const int64_t volumes[VOLUMES])
{
    const grid_brick_place *place = &brick->place;
    const int64_t *n = m->layout->blocks[place->block].n;
    const int64_t all = (int64_t)place->n[0] * place->n[1] * place->n[2];
    for (int sign = 0; sign < SIGNS; sign++) {
        int at[3] = {0, 0, 0};
        if (volumes[sign] == 0 ||
            (volumes[sign] < all && !grid_brick_find_volume(brick, sign, at))) {
            continue;
        }
        const int64_t index =
            place->lo[0] + at[0] +
            n[0] * (place->lo[1] + at[1] + n[1] * (place->lo[2] + at[2]));
        int64_t *first = &m->firsts[(size_t)place->block * SIGNS + (size_t)sign];
#pragma omp critical(io_load_firsts)
        *first = index < *first ? index : *first;
    }
}

/* Measures a brick of a window, and keeps it if requested. */
static void measure_brick(const measure *m, const io_window *window,
                          const grid_patch *patch, int64_t number)
{
    float vertex[IO_BRICK_VERTICES][4];
    uint8_t flags[IO_BRICK_VERTICES];
    grid_brick passing = {.number = number,
                          .place = grid_layout_place(m->layout, number),
                          .vertex = vertex,
                          .flags = flags};
    grid_brick *brick = m->kept ? &m->kept->bricks[m->kept->slot[number]] : &passing;
    int64_t volumes[VOLUMES];
    io_load_brick(window, patch, m->kept != NULL, brick);
    grid_brick_measure(brick, &m->layout->bricks[number], volumes);
    for (int kind = 0; kind < VOLUMES; kind++) {
        int64_t *sum = &m->counts[(size_t)window->block * VOLUMES + (size_t)kind];
#pragma omp atomic
        *sum += volumes[kind];
    }
    note_firsts(m, brick, volumes);
}

static status visit_cells(void *context, const io_window *window, const grid_patch *patch)
{
    const measure *m = context;
    const int64_t count = io_window_brick_count(window);
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (int64_t n = 0; n < count; n++) {
        measure_brick(m, window, patch, io_window_brick(m->layout, window, n));
    }
    count_window(m, window, patch);
    return STATUS_OK;
}

static status measure_create(grid_layout *layout, grid_store *kept, measure *out)
{
    const size_t counts = (size_t)layout->nblocks * VOLUMES + TOTALS;
    const size_t firsts = (size_t)layout->nblocks * SIGNS;
    *out = (measure){layout, calloc(counts, sizeof *out->counts),
                     malloc((firsts + 1) * sizeof *out->firsts), kept};
    for (size_t n = 0; out->firsts && n < firsts; n++) {
        out->firsts[n] = INT64_MAX;
    }
    return out->counts && out->firsts
               ? STATUS_OK
               : base_fail_memory((counts + firsts) * sizeof *out->counts,
                                  "the census of the grid");
}

static void measure_release(measure *m)
{
    free(m->counts);
    free(m->firsts);
}

/* ---- combining the ranks' results ------------------------------------------------- */

/* Notes where the first inverted cell of a block is, unless an earlier block has one. */
static void apply_first(const measure *m, int b)
{
    const grid_block *block = &m->layout->blocks[b];
    grid_census *census = &m->layout->census;
    const int64_t first = m->firsts[(size_t)b * SIGNS + (block->left_handed ? 0 : 1)];
    if (census->inverted == 0 && first < INT64_MAX) {
        census->inverted_block = b;
        census->inverted_at[0] = first % block->n[0];
        census->inverted_at[1] = first / block->n[0] % block->n[1];
        census->inverted_at[2] = first / block->n[0] / block->n[1];
    }
}

static void apply_counts(const measure *m)
{
    grid_layout *layout = m->layout;
    grid_census *census = &layout->census;
    for (int b = 0; b < layout->nblocks; b++) {
        grid_block *block = &layout->blocks[b];
        const int64_t *volumes = m->counts + (size_t)b * VOLUMES;
        block->left_handed = volumes[1] > volumes[0];
        census->cells += (block->n[0] - 1) * (block->n[1] - 1) * (block->n[2] - 1);
        apply_first(m, b);
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

/* Gives every rank the brick infos of all ranks, whose shares are consecutive.
 * Collective. */
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

/* Fails if no cell is left to draw; warns of vertices without valid coordinates. The
 * counts are the same on every rank. */
static status judge(const measure *m, const io_source *source)
{
    const grid_layout *layout = m->layout;
    int64_t nowhere = total_counts(m)[1];
    if (layout->bounds.lo.v[0] > layout->bounds.hi.v[0]) {
        return base_fail(STATUS_INPUT,
                         "the grid of '%s' has nothing to draw: of %" PRId64
                         " cells %" PRId64 " are blanked, and the coordinates of %" PRId64
                         " vertices are not finite, or beyond 1e18",
                         io_source_path(source), layout->census.cells,
                         layout->census.blanked, nowhere);
    }
    if (nowhere > 0) {
        base_log_warning("the coordinates of %" PRId64 " vertices of '%s' are not "
                         "finite, or beyond 1e18: their cells are left out",
                         nowhere, io_source_path(source));
    }
    return STATUS_OK;
}

static status count_cells(const io_sweep *geometry, int64_t count, const int64_t *numbers,
                          grid_layout *layout, grid_store *kept)
{
    measure m;
    io_sweep sweep = *geometry;
    sweep.visit = visit_cells;
    sweep.context = &m;
    status s = parallel_agree(sweep.comm, measure_create(layout, kept, &m));
    if (s == STATUS_OK) {
        s = io_sweep_run(&sweep, count, numbers);
    }
    if (s == STATUS_OK) {
        int n = parallel_count((int64_t)layout->nblocks * VOLUMES + TOTALS);
        parallel_allreduce(MPI_IN_PLACE, m.counts, n, MPI_INT64_T, MPI_SUM, sweep.comm);
        parallel_allreduce(MPI_IN_PLACE, m.firsts, layout->nblocks * SIGNS, MPI_INT64_T,
                           MPI_MIN, sweep.comm);
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

static status fill_layout(MPI_Comm comm, io_source *source, grid_layout *layout,
                          grid_store *kept)
{
    int64_t first, end, *numbers = NULL;
    io_load_share(comm, parallel_rank(comm), layout, &first, &end);
    const io_sweep geometry = {.comm = comm,
                               .source = source,
                               .layout = layout,
                               .step = IO_GRID_STEP,
                               .coordinates = true,
                               .blanked = true};
    status s = parallel_agree(comm, io_load_numbers(first, end, &numbers));
    if (s == STATUS_OK) {
        s = find_origin(&geometry, end - first, numbers, layout);
    }
    if (s == STATUS_OK) {
        s = count_cells(&geometry, end - first, numbers, layout, kept);
    }
    if (s == STATUS_OK) {
        io_implied_take_hands(source, layout->blocks);
        s = io_load_closed(comm, source, kept, layout);
    }
    free(numbers);
    return s;
}

status io_load_check_size(MPI_Comm comm, const io_source *source)
{
    const double most = 5e10; /* of a rank: 600 GB of coordinates, an hour of work */
    const grid_block *blocks = io_source_blocks(source);
    double vertices = 0.0;
    for (int b = 0; b < io_source_block_count(source); b++) {
        vertices +=
            (double)blocks[b].n[0] * (double)blocks[b].n[1] * (double)blocks[b].n[2];
    }
    return vertices <= most * parallel_size(comm)
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "the grid of '%s' has %.4g vertices, too many for %d rank%s: "
                           "a rank reads at most %.4g, so start at least %.0f",
                           io_source_path(source), vertices, parallel_size(comm),
                           parallel_size(comm) == 1 ? "" : "s", most,
                           ceil(vertices / most));
}

static status create_layout(MPI_Comm comm, io_source *source, grid_layout **layout)
{
    status s = io_load_check_size(comm, source);
    s = s == STATUS_OK ? io_load_rings(comm, source) : s;
    return s != STATUS_OK
               ? s
               : parallel_agree(comm,
                                grid_layout_create(io_source_block_count(source),
                                                   io_source_blocks(source), layout));
}

status io_load_layout(MPI_Comm comm, io_source *source, grid_layout **out)
{
    grid_layout *layout = NULL;
    status s = create_layout(comm, source, &layout);
    if (s == STATUS_OK) {
        s = fill_layout(comm, source, layout, NULL);
    }
    if (s != STATUS_OK) {
        grid_layout_destroy(&layout);
        return s;
    }
    *out = layout;
    return STATUS_OK;
}

/* A store of all bricks, or NULL if it cannot be made. A rank with too little memory for
 * it may have enough for the bricks that are not wholly blanked. */
static grid_store *store_of_all(const grid_layout *layout, grid_location location)
{
    int64_t *numbers = NULL;
    grid_store *store = NULL;
    if (io_load_numbers(0, layout->nbricks, &numbers) == STATUS_OK &&
        grid_store_create(layout, layout->nbricks, numbers, location == GRID_CELL,
                          &store) != STATUS_OK) {
        store = NULL;
    }
    free(numbers);
    return store;
}

status io_load_grid(MPI_Comm comm, io_source *source, grid_location location,
                    grid_layout **out, grid_store **kept)
{
    grid_layout *layout = NULL;
    grid_store *store = NULL;
    status s = create_layout(comm, source, &layout);
    if (s == STATUS_OK) {
        store = parallel_size(comm) == 1 ? store_of_all(layout, location) : NULL;
        s = fill_layout(comm, source, layout, store);
    }
    if (s != STATUS_OK) {
        grid_store_destroy(&store);
        grid_layout_destroy(&layout);
        return s;
    }
    *out = layout;
    *kept = store;
    return STATUS_OK;
}

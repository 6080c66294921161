#include "base/log.h"
#include "base/parallel/parallel.h"
#include "closed.h"
#include "geometry.h"
#include "io/view.h"
#include "load.h"
#include "motion/past.h"
#include "origin.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- second pass: cells ----------------------------------------------------------- */

/* The counts of a block: first those of one rank in its share, then of all. */
enum {
    VOLUMES = 3, /* present cells with positive, negative and no volume */
    TOTALS = 2,  /* blanked cells, vertices without valid coordinates */
    COUNTS = VOLUMES + TOTALS,
    SIGNS = 2 /* those that may be inverted */
};

typedef struct measure {
    grid_layout *layout;
    int64_t *counts;  /* [nblocks][COUNTS] */
    int64_t *firsts;  /* [nblocks][SIGNS]: index of the first cell of a positive and of a
                         negative volume; INT64_MAX: none */
    grid_store *kept; /* all bricks, to be filled in; or NULL */
    io_load_rows *rows; /* [nblocks] */
} measure;

static int64_t *counts_of(const measure *m, int block)
{
    return m->counts + (size_t)block * COUNTS;
}

static int64_t total_of(const measure *m, int which)
{
    int64_t sum = 0;
    for (int b = 0; b < m->layout->nblocks; b++) {
        sum += counts_of(m, b)[VOLUMES + which];
    }
    return sum;
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
        nowhere += !io_load_is_somewhere(patch, n) &
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
    counts_of(m, window->block)[VOLUMES] += blanked;
    counts_of(m, window->block)[VOLUMES + 1] += nowhere;
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
        int64_t *sum = &counts_of(m, window->block)[kind];
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
    io_load_take_rows(&m->layout->blocks[window->block], window, patch,
                      &m->rows[window->block]);
    return STATUS_OK;
}

static status measure_create(grid_layout *layout, grid_store *kept, io_load_rows *rows,
                             measure *out)
{
    const size_t counts = (size_t)layout->nblocks * COUNTS + 1;
    const size_t firsts = (size_t)layout->nblocks * SIGNS;
    *out = (measure){layout, calloc(counts, sizeof *out->counts),
                     malloc((firsts + 1) * sizeof *out->firsts), kept, rows};
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
        const int64_t *volumes = counts_of(m, b);
        block->left_handed = volumes[1] > volumes[0];
        census->cells += (block->n[0] - 1) * (block->n[1] - 1) * (block->n[2] - 1);
        apply_first(m, b);
        census->inverted += block->left_handed ? volumes[0] : volumes[1];
        census->zero_volume += volumes[2];
    }
    census->blanked = total_of(m, 0);
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
    int64_t nowhere = total_of(m, 1);
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

/* Takes counts of blocks that rest from what was found before, and gives those of all.
 * rests: [nblocks], the block before; or -1. */
static void share_measures(const measure *m, const io_load_measure *before,
                           const int *rests, io_load_measure *measures)
{
    for (int b = 0; b < m->layout->nblocks; b++) {
        io_load_measure *its = &measures[b];
        int64_t *counts = counts_of(m, b), *firsts = m->firsts + (size_t)b * SIGNS;
        if (rests[b] >= 0) {
            const io_load_measure *old = &before[rests[b]];
            memcpy(counts, old->volumes, sizeof old->volumes);
            memcpy(counts + VOLUMES, old->totals, sizeof old->totals);
            memcpy(firsts, old->firsts, sizeof old->firsts);
        }
        memcpy(its->volumes, counts, sizeof its->volumes);
        memcpy(its->totals, counts + VOLUMES, sizeof its->totals);
        memcpy(its->firsts, firsts, sizeof its->firsts);
    }
}

/* A layout being made: what is known of blocks, and which rest since the grid before. */
typedef struct making {
    grid_layout *layout;
    grid_store *kept;
    const io_load_past *past;
    int *rests; /* [nblocks]: the index of the block before; -1: it moves */
    io_load_measure *measures; /* [nblocks] */
    io_load_rows *rows;        /* [nblocks] */
} making;

static status count_cells(const io_sweep *geometry, const io_load_bricks_read *bricks,
                          const making *of)
{
    measure m;
    grid_layout *layout = of->layout;
    io_sweep sweep = *geometry;
    sweep.visit = visit_cells;
    sweep.context = &m;
    status s = parallel_agree(sweep.comm, measure_create(layout, of->kept, of->rows, &m));
    for (int b = 0; b < layout->nblocks; b++) {
        of->rows[b].cut = of->rests[b] >= 0 ? 1.0 : 0.0;
    }
    if (s == STATUS_OK) {
        s = io_sweep_run(&sweep, bricks->count, bricks->numbers);
    }
    if (s == STATUS_OK) {
        int n = parallel_count((int64_t)layout->nblocks * COUNTS);
        parallel_allreduce(MPI_IN_PLACE, m.counts, n, MPI_INT64_T, MPI_SUM, sweep.comm);
        parallel_allreduce(MPI_IN_PLACE, m.firsts, layout->nblocks * SIGNS, MPI_INT64_T,
                           MPI_MIN, sweep.comm);
        share_measures(&m, of->past->measures, of->rests, of->measures);
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

/* Finds the blocks that rest; takes their extents, and infos of their bricks. */
static bool find_resting(const io_source *source, const making *of)
{
    const io_load_past *past = of->past;
    bool any = false;
    for (int b = 0; b < of->layout->nblocks; b++) {
        const grid_block *block = &of->layout->blocks[b];
        const int old = past->layout && past->measures && !io_view_is_on(source)
                            ? io_source_same_block(source, past->step, b)
                            : -1;
        const bool rests = old >= 0 && memcmp(past->layout->blocks[old].n, block->n,
                                              sizeof block->n) == 0;
        of->rests[b] = rests ? old : -1;
        of->measures[b].extent = rests ? past->measures[old].extent : box3_empty();
        any = any || rests;
    }
    return any;
}

/* Copies the infos of bricks of blocks that rest. */
static void take_infos(const making *of)
{
    grid_layout *layout = of->layout;
    for (int b = 0; b < layout->nblocks; b++) {
        const grid_block *block = &layout->blocks[b];
        if (of->rests[b] >= 0) {
            const grid_layout *before = of->past->layout;
            memcpy(&layout->bricks[block->first_brick],
                   &before->bricks[before->blocks[of->rests[b]].first_brick],
                   (size_t)(block->bricks[0] * block->bricks[1] * block->bricks[2]) *
                       sizeof *layout->bricks);
        }
    }
}

/* Lists this rank's share of the bricks of blocks that move. Local. */
static void list_moving(MPI_Comm comm, const making *of, io_load_bricks_read *bricks)
{
    int64_t first, end;
    io_load_share(comm, parallel_rank(comm), of->layout, &first, &end);
    bricks->count = 0;
    for (int64_t n = first; n < end; n++) {
        if (of->rests[grid_layout_place(of->layout, n).block] < 0) {
            bricks->numbers[bricks->count++] = n;
        }
    }
}

/* Measures the blocks that move, or all if the origin is another one. Collective. */
static status measure_blocks(const io_sweep *geometry, const making *of, bool *rest,
                             io_load_bricks_read *bricks)
{
    grid_layout *layout = of->layout;
    list_moving(geometry->comm, of, bricks);
    status s = io_load_origin(geometry, bricks, of->measures, layout);
    if (s == STATUS_OK && *rest &&
        memcmp(&layout->origin, &of->past->layout->origin, sizeof layout->origin) != 0) {
        *rest = false;
        for (int b = 0; b < layout->nblocks; b++) {
            of->rests[b] = -1;
        }
        list_moving(geometry->comm, of, bricks);
    }
    if (s == STATUS_OK) {
        take_infos(of);
        s = count_cells(geometry, bricks, of);
    }
    return s;
}

/* *rest: whether any block rests. Collective. */
static status fill_layout(MPI_Comm comm, io_source *source, const making *of, bool *rest)
{
    int64_t first, end;
    io_load_share(comm, parallel_rank(comm), of->layout, &first, &end);
    const io_sweep geometry = {.comm = comm,
                               .source = source,
                               .layout = of->layout,
                               .step = IO_GRID_STEP,
                               .coordinates = true,
                               .blanked = true};
    io_load_bricks_read bricks = {.count = 0};
    status s = parallel_agree(comm, io_load_numbers(first, end, &bricks.numbers));
    if (s == STATUS_OK) {
        s = measure_blocks(&geometry, of, rest, &bricks);
    }
    if (s == STATUS_OK) {
        io_implied_take_hands(source, of->layout->blocks);
        s = io_load_closed(comm, source, *rest ? NULL : of->kept, of->rows, of->layout);
    }
    free(bricks.numbers);
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

static status make_room(making *of)
{
    const size_t count = (size_t)of->layout->nblocks + 1;
    of->rests = malloc(count * sizeof *of->rests);
    of->measures = calloc(count, sizeof *of->measures);
    of->rows = calloc(count, sizeof *of->rows);
    return of->rests && of->measures && of->rows
               ? STATUS_OK
               : base_fail_memory(count * sizeof *of->measures, "the census of the grid");
}

status io_load_grid_after(MPI_Comm comm, io_source *source, io_load_past *past,
                          grid_layout **layout, grid_store **store)
{
    making of = {.past = past};
    bool rest = false;
    status s = create_layout(comm, source, &of.layout);
    s = s == STATUS_OK ? parallel_agree(comm, make_room(&of)) : s;
    if (s == STATUS_OK) {
        rest = find_resting(source, &of);
        of.kept = past->location >= 0 && parallel_size(comm) == 1 && !rest
                      ? store_of_all(of.layout, (grid_location)past->location)
                      : NULL;
        s = fill_layout(comm, source, &of, &rest);
    }
    free(of.rests);
    free(of.rows);
    if (s != STATUS_OK) {
        free(of.measures);
        grid_store_destroy(&of.kept);
        grid_layout_destroy(&of.layout);
        return s;
    }
    free(past->measures);
    past->measures = of.measures;
    past->step = io_source_grid_step(source);
    past->rest = rest;
    *layout = of.layout;
    *store = of.kept;
    return STATUS_OK;
}

status io_load_layout(MPI_Comm comm, io_source *source, grid_layout **out)
{
    io_load_past past = {.location = -1};
    grid_store *none = NULL;
    const status s = io_load_grid_after(comm, source, &past, out, &none);
    io_load_past_clear(&past);
    return s;
}

#include "grids.h"

#include "io/source_kind.h"
#include "motion.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Blocks ------------------------------------------------------------------------ */

/* The block of the catalogue with this name and size; -1: there is none. */
static int find_block(const io_catalog *all, const grid_block *block)
{
    for (int b = 0; b < all->nblocks; b++) {
        if (strcmp(all->blocks[b].name, block->name) == 0 &&
            memcmp(all->blocks[b].n, block->n, sizeof block->n) == 0) {
            return b;
        }
    }
    return -1;
}

/* Fails if a file has other blocks than the first. */
static status check_blocks(const io_catalog *all, const io_source *file,
                           const char *first)
{
    const io_catalog *its = &file->catalog;
    if (its->nblocks != all->nblocks) {
        return base_fail(STATUS_INPUT,
                         "file '%s' has %d blocks, but '%s' has %d: all files of a "
                         "series have one grid",
                         file->path, its->nblocks, first, all->nblocks);
    }
    for (int n = 0; n < its->nblocks; n++) {
        const grid_block *a = &all->blocks[n], *b = &its->blocks[n];
        if (strcmp(a->name, b->name) != 0 || memcmp(a->n, b->n, sizeof a->n) != 0) {
            return base_fail(STATUS_INPUT,
                             "block '%s' of file '%s' has %" PRId64 " x %" PRId64
                             " x %" PRId64 " vertices, but '%s' has a block '%s' of "
                             "%" PRId64 " x %" PRId64 " x %" PRId64
                             ": all files of a series have one grid",
                             b->name, file->path, b->n[0], b->n[1], b->n[2], first,
                             a->name, a->n[0], a->n[1], a->n[2]);
        }
    }
    return STATUS_OK;
}

/* Whether the config says that all files have the grid of the first, or of another. */
static bool has_one_grid(const io_source *source)
{
    const series_state *state = source->state;
    return state->config.grid_file || state->config.grid_motion == IO_GRID_STAYS;
}

/* What is told of the first file for all. */
static status take_first(io_catalog *all, const io_catalog *its)
{
    all->double_coordinates = its->double_coordinates;
    all->longitude = its->longitude;
    all->notes = its->notes ? strdup(its->notes) : NULL;
    const status s = !its->notes || all->notes ? io_catalog_take_contacts(all, its)
                                               : base_fail_memory(0, "notes on a file");
    return s == STATUS_OK ? io_catalog_take_conditions(all, its) : s;
}

status series_grids_take(io_source *source, int number, const io_source *file)
{
    series_state *state = source->state;
    io_catalog *all = &source->catalog;
    const io_catalog *its = &file->catalog;
    const grid_block *blocks = io_catalog_all_blocks(its);
    if (number > 0 && has_one_grid(source)) {
        return check_blocks(all, file, state->files.files[0].path);
    }
    status s = number == 0 ? take_first(all, its) : STATUS_OK;
    all->double_coordinates |= its->double_coordinates;
    state->has_other_blocks |= number > 0 && its->nblocks != all->nblocks;
    for (int n = 0; n < io_catalog_all_count(its) && s == STATUS_OK; n++) {
        const int known = find_block(all, &blocks[n]);
        if (known >= 0) {
            all->blocks[known].has_iblank |= blocks[n].has_iblank;
        } else {
            state->has_other_blocks |= number > 0;
            s = io_catalog_add_block(all, &blocks[n]);
        }
    }
    return s;
}

status series_grids_find(const io_source *file, int inside, const io_catalog *all,
                         int32_t **geometry)
{
    const io_catalog *its = &file->catalog;
    const io_block_sets *sets = &its->sets;
    const grid_block *blocks = io_catalog_all_blocks(its);
    const int64_t grid = its->grids ? its->grids[inside] : 0;
    int32_t *out = malloc(((size_t)all->nblocks + 1) * sizeof *out);
    *geometry = out;
    if (!out) {
        return base_fail_memory((size_t)all->nblocks * sizeof *out,
                                "the blocks of a file");
    }
    for (int b = 0; b < all->nblocks; b++) {
        out[b] = -1;
    }
    for (int b = 0; b < io_catalog_all_count(its); b++) {
        const int at = find_block(all, &blocks[b]);
        if (at >= 0) {
            out[at] = sets->nblocks > 0 ? sets->geometry[grid * sets->nblocks + b]
                                        : (int32_t)grid;
        }
    }
    return STATUS_OK;
}

/* ---- Numbers ----------------------------------------------------------------------- */

/* Compares the grid of the first file with some others: the second, one in the middle and
 * the last. */
static status compare_grids(io_source *source, bool *differ)
{
    series_state *state = source->state;
    const int others[] = {1, state->files.count / 2, state->files.count - 1};
    io_source *first = NULL, *other = NULL;
    status s = state->open(MPI_COMM_SELF, state, 0, &first);
    for (int n = 0; n < 3 && s == STATUS_OK && !*differ; n++) {
        s = state->open(MPI_COMM_SELF, state, others[n], &other);
        if (s == STATUS_OK) {
            s = series_motion_compare(first, other, differ);
        }
        io_source_close(&other);
    }
    io_source_close(&first);
    return s;
}

/* Whether a step has a block, and the block's geometry there. */
static int32_t geometry_at(const series_step *step, int block)
{
    return block < step->nblocks ? step->geometry[block] : -1;
}

/* Fills in the geometry of a grid: in a file it is that of the grid before where the file
 * says so. */
static void fill_row(const io_source *source, int step, const int32_t *before,
                     int32_t *row)
{
    const series_state *state = source->state;
    const series_step *its = &state->steps[step];
    const series_step *last = step > 0 ? its - 1 : NULL;
    for (int b = 0; b < source->catalog.nblocks; b++) {
        const int32_t inside = geometry_at(its, b);
        const bool rests = last && last->file == its->file &&
                           geometry_at(last, b) == inside && before[b] >= 0;
        row[b] = inside < 0 ? -1 : rests ? before[b] : source->catalog.grids[step];
    }
}

/* Gives the catalogue the blocks of each grid. */
static status set_geometry(io_source *source)
{
    io_catalog *all = &source->catalog;
    const size_t blocks = (size_t)all->nblocks;
    const size_t ngrids = (size_t)all->grids[all->nsteps - 1] + 1;
    int32_t *geometry = calloc(ngrids * blocks + 1, sizeof *geometry);
    if (!geometry) {
        return base_fail_memory(ngrids * blocks * sizeof *geometry, "the grids");
    }
    for (int n = 0; n < all->nsteps; n++) {
        if (n == 0 || all->grids[n] != all->grids[n - 1]) {
            int32_t *row = geometry + (size_t)all->grids[n] * blocks;
            fill_row(source, n, n == 0 ? row : row - blocks, row);
        }
    }
    return io_catalog_set_geometry(all, (int)ngrids, geometry);
}

status series_grids_number(io_source *source, io_grid_motion motion)
{
    const series_state *state = source->state;
    io_catalog *all = &source->catalog;
    bool differ = motion == IO_GRID_MOVES || state->has_other_blocks, have_inside = false;
    status s = STATUS_OK;
    if (has_one_grid(source) || all->nsteps < 2) {
        return STATUS_OK;
    }
    for (int n = 0; n < state->nsteps; n++) {
        have_inside = have_inside || state->steps[n].grid > 0;
    }
    differ = differ || have_inside;
    if (motion == 0 && !differ && state->files.count > 1) {
        s = compare_grids(source, &differ);
    }
    if (s != STATUS_OK || !differ) {
        return s;
    }
    all->grids = calloc((size_t)all->nsteps, sizeof *all->grids);
    if (!all->grids) {
        return base_fail_memory((size_t)all->nsteps * sizeof *all->grids, "the grids");
    }
    for (int n = 1; n < all->nsteps; n++) {
        const series_step *a = &state->steps[n - 1], *b = &state->steps[n];
        all->grids[n] = all->grids[n - 1] + (a->file != b->file || a->grid != b->grid);
    }
    return state->has_other_blocks || have_inside ? set_geometry(source) : STATUS_OK;
}

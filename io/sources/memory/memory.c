#include "memory.h"

#include "base/parallel/parallel.h"
#include "io/flat.h"
#include "io/view.h"
#include "io/window.h"
#include "owner.h"
#include "state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Opening ----------------------------------------------------------------------- */

static status check_array(const io_memory_grid *grid, const io_memory_part *part,
                          const char *what, const io_memory_array *array, bool integers)
{
    if (!array->data) {
        return base_fail(STATUS_INPUT, "%s: block '%s' has a part without %s", grid->name,
                         grid->blocks[part->block].name, what);
    }
    if ((array->type == IO_MEMORY_INT32) != integers) {
        return base_fail(STATUS_INPUT, "%s: %s of block '%s' must be of %s", grid->name,
                         what, grid->blocks[part->block].name,
                         integers ? "32-bit integers" : "floating point numbers");
    }
    return STATUS_OK;
}

static status check_extent(const io_memory_grid *grid, const io_memory_part *part)
{
    if (part->block < 0 || part->block >= grid->nblocks) {
        return base_fail(STATUS_INPUT, "%s: a part is of block number %d, of %d",
                         grid->name, part->block, grid->nblocks);
    }
    const grid_block *block = &grid->blocks[part->block];
    for (int axis = 0; axis < 3; axis++) {
        if (part->lo[axis] < 0 || part->n[axis] < 1 ||
            part->lo[axis] + part->n[axis] > block->n[axis]) {
            return base_fail(STATUS_INPUT,
                             "%s: a part of block '%s' has vertices %" PRId64
                             " to %" PRId64 " along %c, and the block 0 to %" PRId64
                             ": it needs one or more of these",
                             grid->name, block->name, part->lo[axis],
                             part->lo[axis] + part->n[axis] - 1, "ijk"[axis],
                             block -> n[axis] - 1);
        }
    }
    return STATUS_OK;
}

static status check_part(const io_memory_grid *grid, const io_memory_part *part)
{
    static const char *const names[] = {"x", "y", "z"};
    status s = check_extent(grid, part);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        s = check_array(grid, part, names[axis], &part->xyz[axis], false);
    }
    if (s == STATUS_OK && part->iblank.data) {
        s = check_array(grid, part, "iblank", &part->iblank, true);
    }
    for (int f = 0; f < grid->nfields && s == STATUS_OK; f++) {
        if (part->fields[f].data) { /* NULL: it is set later */
            s = check_array(grid, part, grid->fields[f].name, &part->fields[f], false);
        }
    }
    return s;
}

/* Copies the descriptions of this rank's parts. */
static status copy_parts(const io_memory_grid *grid, memory_state *state)
{
    const size_t nfields = (size_t)grid->nfields, nparts = (size_t)grid->nparts;
    state->parts = malloc((nparts + 1) * sizeof *state->parts);
    state->fields = malloc((nparts * nfields + 1) * sizeof *state->fields);
    state->first = calloc((size_t)state->ranks + 1, sizeof *state->first);
    state->boxes = malloc((size_t)state->ranks * sizeof *state->boxes);
    if (!state->parts || !state->fields || !state->first || !state->boxes) {
        return base_fail_memory(nparts * sizeof *state->parts, "a memory source");
    }
    status s = io_memory_kept_create(state->ranks, &state->kept);
    for (int p = 0; p < grid->nparts && s == STATUS_OK; p++) {
        s = check_part(grid, &grid->parts[p]);
        if (s == STATUS_OK) {
            io_memory_array *fields = state->fields + (size_t)p * nfields;
            memcpy(fields, grid->parts[p].fields, nfields * sizeof *fields);
            state->parts[p] = grid->parts[p];
            state->parts[p].fields = fields;
            state->nparts++;
        }
    }
    return s;
}

static memory_extent extent_of(const io_memory_part *part)
{
    memory_extent extent = {.block = part->block};
    memcpy(extent.lo, part->lo, sizeof extent.lo);
    memcpy(extent.n, part->n, sizeof extent.n);
    memcpy(extent.before, part->before, sizeof extent.before);
    memcpy(extent.after, part->after, sizeof extent.after);
    memcpy(extent.behind, part->behind, sizeof extent.behind);
    return extent;
}

/* Allocates the boxes of all parts: counts[ranks] are the parts of each rank. Collective.
 */
static status allocate_extents(MPI_Comm comm, memory_state *state, const int *counts)
{
    for (int rank = 0; rank < state->ranks; rank++) {
        state->first[rank + 1] = state->first[rank] + counts[rank];
    }
    const size_t all = (size_t)state->first[state->ranks];
    state->extents = malloc((all + 1) * sizeof *state->extents);
    return parallel_agree(
        comm, state->extents
                  ? STATUS_OK
                  : base_fail_memory(all * sizeof *state->extents, "a memory source"));
}

/* Gives all ranks the boxes of all parts, which lie in `mine` [nparts]. `bytes` and
 * `begin` [ranks]: space. Collective. */
static void share_extents(MPI_Comm comm, memory_state *state, const memory_extent *mine,
                          int *bytes, int *begin)
{
    const int size = (int)sizeof *mine;
    for (int rank = 0; rank < state->ranks; rank++) {
        bytes[rank] = (state->first[rank + 1] - state->first[rank]) * size;
        begin[rank] = state->first[rank] * size;
    }
    MPI_Allgatherv(mine, state->nparts * size, MPI_BYTE, state->extents, bytes, begin,
                   MPI_BYTE, comm);
}

/* Tells all ranks the boxes of all parts, and then what each part owns of them.
 * Collective. */
static status find_extents(MPI_Comm comm, memory_state *state)
{
    const size_t ranks = (size_t)state->ranks;
    int *space = malloc(2 * ranks * sizeof *space);
    memory_extent *mine = malloc(((size_t)state->nparts + 1) * sizeof *mine);
    status s = parallel_agree(
        comm, space && mine ? STATUS_OK : base_fail_memory(0, "a memory source"));
    if (s == STATUS_OK) {
        MPI_Allgather(&state->nparts, 1, MPI_INT, space, 1, MPI_INT, comm);
        s = allocate_extents(comm, state, space);
    }
    for (int p = 0; p < state->nparts && s == STATUS_OK; p++) {
        mine[p] = extent_of(&state->parts[p]);
    }
    if (s == STATUS_OK) {
        share_extents(comm, state, mine, space, space + ranks);
        for (int p = 0; p < state->nparts; p++) {
            memory_find_own(state->extents, state->first[state->ranks], &mine[p]);
        }
        share_extents(comm, state, mine, space, space + ranks);
    }
    free(space);
    free(mine);
    return s;
}

/* Whether any rank has coordinates in double precision. Collective. */
static bool has_doubles(MPI_Comm comm, const memory_state *state)
{
    int mine = 0, any = 0;
    for (int p = 0; p < state->nparts; p++) {
        for (int axis = 0; axis < 3; axis++) {
            mine |= state->parts[p].xyz[axis].type == IO_MEMORY_FLOAT64;
        }
    }
    parallel_allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm);
    return any;
}

static status fill_catalog(const io_memory_grid *grid, io_catalog *catalog)
{
    io_named_step step = {.step = {0, 0.0}, .name = "0"};
    status s = STATUS_OK;
    for (int b = 0; b < grid->nblocks && s == STATUS_OK; b++) {
        s = io_catalog_add_block(catalog, &grid->blocks[b]);
    }
    for (int f = 0; f < grid->nfields && s == STATUS_OK; f++) {
        s = io_catalog_add_field(catalog, &grid->fields[f]);
    }
    if (s == STATUS_OK) {
        s = io_catalog_set_steps(catalog, grid->name, 1, &step);
    }
    if (s == STATUS_OK) {
        s = io_catalog_clear_presence(catalog);
    }
    for (int f = 0; f < grid->nfields && s == STATUS_OK; f++) {
        *io_catalog_presence(catalog, 0, f) = 1;
    }
    return s;
}

static void memory_close(io_source *source)
{
    memory_state *state = source->state;
    if (!state) {
        return;
    }
    free(state->parts);
    free(state->fields);
    free(state->first);
    free(state->extents);
    free(state->boxes);
    io_memory_kept_destroy(&state->kept);
    free(state);
    source->state = NULL;
}

enum { WINDOW = IO_WINDOW_VERTICES / 20 };

static const io_source_kind memory_kind = {.read = io_memory_read,
                                           .holds = io_memory_holds,
                                           .copy = io_memory_copy,
                                           .has_places = true,
                                           .close = memory_close,
                                           .window = WINDOW};

static status create(const io_memory_grid *grid, io_source **out)
{
    io_source *source = calloc(1, sizeof *source);
    memory_state *state = calloc(1, sizeof *state);
    char *path = strdup(grid->name);
    if (!source || !state || !path) {
        free(source);
        free(state);
        free(path);
        return base_fail_memory(sizeof *source, "a memory source");
    }
    source->kind = &memory_kind;
    source->path = path;
    source->state = state;
    *out = source;
    return STATUS_OK;
}

status io_memory_open(MPI_Comm comm, const io_memory_grid *grid, io_source **out)
{
    io_source *source = NULL;
    status s = parallel_agree(comm, create(grid, &source));
    if (s != STATUS_OK) {
        if (source) {
            memory_close(source);
            free(source->path);
            free(source);
        }
        return s;
    }
    source->comm = comm;
    source->borrows_comm = true;
    memory_state *state = source->state;
    state->rank = parallel_rank(source->comm);
    state->ranks = parallel_size(source->comm);
    s = copy_parts(grid, state);
    if (s == STATUS_OK) {
        s = fill_catalog(grid, &source->catalog);
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK) {
        s = find_extents(source->comm, state);
    }
    if (s == STATUS_OK) {
        s = io_flat_find(source, &source->flat);
        s = s == STATUS_OK ? io_source_show(source) : s;
        s = parallel_agree(source->comm, s == STATUS_OK ? io_implied_add(source) : s);
    }
    if (s != STATUS_OK) {
        io_source_close(&source);
        return s;
    }
    source->catalog.double_coordinates = has_doubles(source->comm, state);
    *out = source;
    return STATUS_OK;
}

void io_memory_set_step(io_source *source, int64_t number, double time)
{
    const memory_state *state = source->state;
    source->catalog.steps[0] = (io_step){number, time};
    io_memory_kept_next_step(state->kept);
}

void io_memory_set_field(io_source *source, int part, int field,
                         const io_memory_array *array)
{
    const memory_state *state = source->state;
    state->fields[(size_t)part * (size_t)source->catalog.nfields + (size_t)field] =
        *array;
}

void io_memory_set_fills(io_source *source, const io_data_config *config)
{
    memory_state *state = source->state;
    static const io_stored_type types[2] = {
        [IO_MEMORY_FLOAT32] = IO_STORED_FLOAT32, [IO_MEMORY_FLOAT64] = IO_STORED_FLOAT64};
    for (int t = 0; t < 2; t++) {
        state->fills[t] = (io_unpacking){.type = types[t]};
        for (int n = 0; n < config->nfills; n++) {
            const io_stored value = {.f64 = config->fills[n]};
            io_unpacking_add_fill(&state->fills[t], IO_STORED_FLOAT64, value);
        }
    }
}

int64_t io_memory_bytes(const io_source *source)
{
    return source ? ((const memory_state *)source->state)->bytes_sent : 0;
}

/* The grid of a session: the source that all ranks make from their descriptions. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/view.h"
#include "state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRID_NAME "the running program"

/* ---- All ranks --------------------------------------------------------------------- */

/* Concatenates the items of all ranks in `*out`, malloc'ed. Collective. */
static status gather(MPI_Comm comm, size_t size, int count, const void *mine, int *total,
                     void **out)
{
    const int ranks = parallel_size(comm);
    int *counts = malloc(2 * (size_t)ranks * sizeof *counts);
    status s = counts ? STATUS_OK : base_fail_memory((size_t)ranks * 8, "lists");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(counts);
        return s;
    }
    int *begin = counts + ranks, all = 0;
    const int bytes = parallel_count(count * (int64_t)size);
    MPI_Allgather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, comm);
    for (int rank = 0; rank < ranks; rank++) {
        begin[rank] = all;
        all = parallel_count((int64_t)all + counts[rank]);
    }
    *out = malloc((size_t)all + 1);
    s = parallel_agree(comm, *out ? STATUS_OK
                                  : base_fail_memory((size_t)all, "the grid's blocks"));
    if (s == STATUS_OK) {
        MPI_Allgatherv(mine, bytes, MPI_BYTE, *out, counts, begin, MPI_BYTE, comm);
        *total = all / (int)size;
    }
    free(counts);
    return s;
}

static int compare_blocks(const void *a, const void *b)
{
    return strcmp(((const grid_block *)a)->name, ((const grid_block *)b)->name);
}

/* Keeps each block once, sorted by name, as in files. */
static status merge_blocks(int *count, grid_block *blocks)
{
    int kept = 0;
    qsort(blocks, (size_t)*count, sizeof *blocks, compare_blocks);
    for (int b = 0; b < *count; b++) {
        grid_block *last = kept > 0 ? &blocks[kept - 1] : NULL;
        if (!last || strcmp(last->name, blocks[b].name) != 0) {
            blocks[kept++] = blocks[b];
        } else if (memcmp(last->n, blocks[b].n, sizeof last->n) != 0) {
            return base_fail(STATUS_USAGE,
                             "the parts of block '%s' do not agree on its size",
                             last->name);
        } else {
            last->has_iblank |= blocks[b].has_iblank;
        }
    }
    *count = kept;
    return kept > 0 ? STATUS_OK
                    : base_fail(STATUS_USAGE, "no rank has described a block: call "
                                              "karman_set_block before karman_render");
}

static int compare_fields(const void *a, const void *b)
{
    return strcmp(((const grid_field *)a)->name, ((const grid_field *)b)->name);
}

static status merge_fields(int *count, grid_field *fields)
{
    int kept = 0;
    qsort(fields, (size_t)*count, sizeof *fields, compare_fields);
    for (int f = 0; f < *count; f++) {
        const grid_field *last = kept > 0 ? &fields[kept - 1] : NULL;
        if (!last || strcmp(last->name, fields[f].name) != 0) {
            fields[kept++] = fields[f];
        } else if (last->location != fields[f].location) {
            return base_fail(STATUS_USAGE,
                             "field '%s' is at vertices in one part and in elements in "
                             "another",
                             last->name);
        }
    }
    *count = kept;
    return STATUS_OK;
}

/* The blocks, or fields, of this rank's parts in one list. */
static grid_block *list_blocks(const insitu_session *session)
{
    grid_block *list = malloc(((size_t)session->grid.nparts + 1) * sizeof *list);
    for (int p = 0; list && p < session->grid.nparts; p++) {
        list[p] = session->grid.parts[p].block;
    }
    return list;
}

static grid_field *list_fields(const insitu_session *session, int *count)
{
    *count = 0;
    for (int p = 0; p < session->grid.nparts; p++) {
        *count += session->grid.parts[p].nfields;
    }
    grid_field *list = malloc(((size_t)*count + 1) * sizeof *list), *next = list;
    for (int p = 0; list && p < session->grid.nparts; p++) {
        for (int f = 0; f < session->grid.parts[p].nfields; f++) {
            *next++ = session->grid.parts[p].fields[f].field;
        }
    }
    return list;
}

/* All blocks and fields, the same on every rank. Collective. */
static status share_blocks(insitu_session *session, int *count, void **blocks)
{
    grid_block *mine = list_blocks(session);
    status s = mine ? STATUS_OK : base_fail_memory(0, "the grid's blocks");
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        s = gather(session->comm, sizeof *mine, session->grid.nparts, mine, count,
                   blocks);
    }
    free(mine);
    return s == STATUS_OK ? merge_blocks(count, *blocks) : s;
}

static status share_fields(insitu_session *session, int *count, void **fields)
{
    int mine_count = 0;
    grid_field *mine = list_fields(session, &mine_count);
    status s = mine ? STATUS_OK : base_fail_memory(0, "the grid's fields");
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        s = gather(session->comm, sizeof *mine, mine_count, mine, count, fields);
    }
    free(mine);
    return s == STATUS_OK ? merge_fields(count, *fields) : s;
}

/* ---- The source -------------------------------------------------------------------- */

static int find_block(const grid_block *blocks, const char *name)
{
    int b = 0;
    while (strcmp(blocks[b].name, name) != 0) {
        b++;
    }
    return b;
}

/* Refuses a part without a field: its values would be drawn as zeros. */
static status check_complete(const insitu_part *part, int nfields,
                             const grid_field *fields)
{
    for (int f = 0; f < nfields; f++) {
        if (insitu_part_find(part, fields[f].name) < 0) {
            return base_fail(STATUS_USAGE,
                             "a part of block '%s' has no field '%s', which others have",
                             part->block.name, fields[f].name);
        }
    }
    return STATUS_OK;
}

/* Finds the ghosts around a part. Cells behind its last ones are there if each field in
 * cells has a layer more. */
static void find_ghosts(const insitu_part *part, io_memory_part *place)
{
    for (int axis = 0; axis < 3; axis++) {
        place->behind[axis] = 1;
    }
    for (int f = 0; f < part->nfields; f++) {
        const insitu_field *field = &part->fields[f];
        if (field->field.location == GRID_VERTEX) {
            insitu_part_surround(place, field->before, field->after);
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            place->behind[axis] &= field->after[axis] > 0;
        }
    }
}

/* Fills the source's list of this rank's parts. `values` ([nparts][nfields]) holds their
 * arrays. */
static status list_parts(const insitu_session *session, const io_memory_grid *grid,
                         io_memory_part *parts, io_memory_array *values)
{
    status s = STATUS_OK;
    for (int p = 0; p < session->grid.nparts && s == STATUS_OK; p++) {
        const insitu_part *part = &session->grid.parts[p];
        io_memory_array *mine = values + (size_t)p * (size_t)grid->nfields;
        s = check_complete(part, grid->nfields, grid->fields);
        for (int f = 0; f < grid->nfields && s == STATUS_OK; f++) {
            mine[f] = part->fields[f].values; /* both are sorted by name and complete */
        }
        parts[p] = part->place;
        find_ghosts(part, &parts[p]);
        parts[p].block = find_block(grid->blocks, part->block.name);
        parts[p].fields = mine;
    }
    return s;
}

static status open_source(insitu_session *session, io_memory_grid *grid)
{
    const size_t nparts = (size_t)session->grid.nparts, nfields = (size_t)grid->nfields;
    io_memory_part *parts = malloc((nparts + 1) * sizeof *parts);
    io_memory_array *values = malloc((nparts * nfields + 1) * sizeof *values);
    status s = parts && values ? list_parts(session, grid, parts, values)
                               : base_fail_memory(nparts * sizeof *parts, "the grid");
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        grid->nparts = session->grid.nparts;
        grid->parts = parts;
        s = io_memory_open(session->comm, grid, &session->grid.source);
    }
    free(parts);
    free(values);
    return s;
}

status insitu_grid_open(insitu_session *session)
{
    io_memory_grid grid = {.name = GRID_NAME};
    void *blocks = NULL, *fields = NULL;
    insitu_grid_close(session);
    status s = share_blocks(session, &grid.nblocks, &blocks);
    if (s == STATUS_OK) {
        s = share_fields(session, &grid.nfields, &fields);
    }
    grid.blocks = blocks;
    grid.fields = fields;
    if (s == STATUS_OK) {
        s = open_source(session, &grid);
    }
    free(blocks);
    if (s != STATUS_OK) {
        free(fields);
        return s;
    }
    session->grid.nfields = grid.nfields;
    session->grid.fields = fields;
    session->grid.is_stale = false;
    if (session->npictures == 0) {
        return STATUS_OK;
    }
    s = io_source_set_view(session->grid.source, &session->pictures[0].config->data);
    return io_config_blame(session->pictures[0].config, "data.transform", s);
}

/* ---- Shared vertices ----------------------------------------------------------------
 */

static void warn(insitu_session *session, const io_memory_difference *d)
{
    static const char *const axes[] = {"x", "y", "z"};
    const bool is_field = d->array >= 0;
    const char *what =
        is_field ? session->grid.fields[d->array].name : axes[d->array - IO_ARRAY_X];
    char text[STEER_MAX_TEXT];
    snprintf(text, sizeof text,
             "parts of block '%s' disagree about %s (%" PRId64 ",%" PRId64 ",%" PRId64
             "): %s is %.9g on rank %d and %.9g on rank %d, which owns it and is drawn; "
             "describe each rank's own vertices alone, or exchange all ghosts",
             io_source_blocks(session->grid.source)[d->block].name,
             is_field && session->grid.fields[d->array].location == GRID_CELL ? "cell"
                                                                              : "vertex",
             d->at[0], d->at[1], d->at[2], what, d->value, d->rank, d->owners, d->owner);
    base_log_warning("%s", text);
    if (session->run) {
        steer_run_say(session->run, text);
    }
    session->grid.has_warned[is_field] = true;
}

status insitu_grid_compare(insitu_session *session, bool fields)
{
    const int begin = fields ? 0 : IO_ARRAY_X;
    const int end = fields ? session->grid.nfields : IO_ARRAY_Z + 1;
    status s = STATUS_OK;
    for (int array = begin; array < end && s == STATUS_OK; array++) {
        io_memory_difference first;
        bool found = false;
        if (!session->grid.has_warned[fields]) {
            s = io_memory_compare(session->grid.source, array, &found, &first);
        }
        if (found) {
            warn(session, &first);
        }
    }
    return s;
}

void insitu_grid_close(insitu_session *session)
{
    if (session->particles) {
        frame_particles_leave_grid(session->particles);
    }
    insitu_measure_drop(session);
    io_source_close(&session->grid.source);
    grid_layout_destroy(&session->grid.declared);
    free(session->grid.fields);
    session->grid.fields = NULL;
    session->grid.nfields = 0;
    session->grid.is_stale = true;
    session->cost.bytes_moved_before = 0;
}

void insitu_grid_free(insitu_session *session)
{
    insitu_grid_close(session);
    for (int p = 0; p < session->grid.nparts; p++) {
        free(session->grid.parts[p].fields);
    }
    free(session->grid.parts);
    free(session->grid.complaint);
}

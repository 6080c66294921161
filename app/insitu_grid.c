/* The grid of a session: what each rank describes of it, and the source that all ranks
 * make of that. */
#include "app/insitu_state.h"
#include "base/parallel.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define GRID_NAME "the running program"

/* ---- Arrays ------------------------------------------------------------------------ */

static size_t size_of(int type)
{
    return type == KARMAN_FLOAT64 ? 8 : 4;
}

/* An array without its ghosts, `n` values along each axis. */
static io_live_array trim(const karman_array *array, const int64_t n[3])
{
    static const io_live_type types[] = {[KARMAN_FLOAT32] = IO_LIVE_FLOAT32,
                                         [KARMAN_FLOAT64] = IO_LIVE_FLOAT64,
                                         [KARMAN_INT32] = IO_LIVE_INT32};
    io_live_array live = {.type = types[array->type]};
    const int64_t *stride = array->stride;
    const bool is_packed = stride[0] == 0 && stride[1] == 0 && stride[2] == 0;
    int64_t next = 1, begin = 0;
    for (int axis = 0; axis < 3; axis++) {
        live.stride[axis] = is_packed ? next : stride[axis];
        next *= n[axis] + array->ghosts_before[axis] + array->ghosts_after[axis];
        begin += live.stride[axis] * array->ghosts_before[axis];
    }
    const char *data = array->data;
    live.data = data ? data + begin * (int64_t)size_of(array->type) : NULL;
    return live;
}

static status check_array(const char *block, const char *what, const karman_array *array)
{
    if (!array->data) {
        return base_fail(STATUS_USAGE, "block '%s': %s has no data", block, what);
    }
    if (array->type < KARMAN_FLOAT32 || array->type > KARMAN_INT32) {
        return base_fail(STATUS_USAGE, "block '%s': %s has the type %d, which is none",
                         block, what, array->type);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (array->ghosts_before[axis] < 0 || array->ghosts_after[axis] < 0) {
            return base_fail(STATUS_USAGE,
                             "block '%s': %s has a negative number of ghost layers",
                             block, what);
        }
    }
    return STATUS_OK;
}

static status check_floats(const char *block, const char *what, const karman_array *array)
{
    status s = check_array(block, what, array);
    if (s == STATUS_OK && array->type == KARMAN_INT32) {
        s = base_fail(STATUS_USAGE, "block '%s': %s must be of floating point numbers",
                      block, what);
    }
    return s;
}

/* ---- Blocks ------------------------------------------------------------------------ */

static status check_name(const char *name, const char *what)
{
    if (name && name[0] && strlen(name) < GRID_NAME_SIZE) {
        return STATUS_OK;
    }
    return base_fail(STATUS_USAGE, "a %s needs a name of at most %d bytes", what,
                     GRID_NAME_SIZE - 1);
}

static status check_extent(const karman_block *block, const int64_t count[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int64_t size = block->size[axis], first = block->first[axis];
        if (size < 2 || size > INT_MAX || first < 0 || count[axis] < 2 ||
            count[axis] > size - first) {
            return base_fail(STATUS_USAGE,
                             "block '%s' has %" PRId64 " vertices along %c, and a part "
                             "%" PRId64 " from %" PRId64
                             " on: it needs two or more, inside the block",
                             block->name, size, "ijk"[axis], count[axis], first);
        }
    }
    return STATUS_OK;
}

static status check_arrays(const karman_block *block)
{
    const karman_array *xyz[] = {&block->x, &block->y, &block->z};
    static const char *const names[] = {"x", "y", "z"};
    status s = STATUS_OK;
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        s = check_floats(block->name, names[axis], xyz[axis]);
    }
    if (s == STATUS_OK && block->iblank.data) {
        s = check_array(block->name, "iblank", &block->iblank);
        if (s == STATUS_OK && block->iblank.type != KARMAN_INT32) {
            s = base_fail(STATUS_USAGE, "block '%s': iblank must be of 32-bit integers",
                          block->name);
        }
    }
    return s;
}

/* Fields of a part of another size are not where they were. */
static void forget_fields(insitu_part *part, const int64_t count[3])
{
    if (memcmp(part->place.n, count, sizeof part->place.n) != 0) {
        free(part->fields);
        part->fields = NULL;
        part->nfields = 0;
    }
}

/* Makes a part of a checked description. */
static void fill_part(insitu_part *part, const karman_block *block,
                      const int64_t count[3])
{
    const karman_array *xyz[] = {&block->x, &block->y, &block->z};
    part->block = (grid_block){.has_iblank = block->iblank.data != NULL};
    memcpy(part->block.name, block->name, strlen(block->name) + 1);
    memcpy(part->block.n, block->size, sizeof part->block.n);
    memcpy(part->place.lo, block->first, sizeof part->place.lo);
    memcpy(part->place.n, count, sizeof part->place.n);
    for (int axis = 0; axis < 3; axis++) {
        part->place.xyz[axis] = trim(xyz[axis], count);
    }
    part->place.iblank = trim(&block->iblank, count);
}

/* Makes room for a part with the next number. */
static status add_part(app_insitu *session, int part)
{
    if (part < 0 || part > session->nparts) {
        return base_fail(STATUS_USAGE,
                         "part %d is described, but the next one is number %d", part,
                         session->nparts);
    }
    if (part < session->nparts) {
        return STATUS_OK;
    }
    const size_t bytes = ((size_t)part + 1) * sizeof *session->parts;
    insitu_part *parts = realloc(session->parts, bytes);
    if (!parts) {
        return base_fail_memory(bytes, "the parts of the grid");
    }
    session->parts = parts;
    session->parts[session->nparts++] = (insitu_part){0};
    return STATUS_OK;
}

/* Pictures without what was described wrongly would be wrong: none are made any more. */
static status remember(app_insitu *session, status s)
{
    if (s != STATUS_OK && session->described == STATUS_OK) {
        session->described = s;
        session->complaint = strdup(base_fail_message());
    }
    return s;
}

status app_insitu_set_block(app_insitu *session, int part, const karman_block *block)
{
    status s = check_name(block->name, "block");
    const int64_t *count = block->count;
    int64_t whole[3] = {0};
    if (count[0] == 0 && count[1] == 0 && count[2] == 0) {
        for (int axis = 0; axis < 3; axis++) {
            whole[axis] = block->size[axis] - block->first[axis];
        }
        count = whole;
    }
    s = s == STATUS_OK ? check_extent(block, count) : s;
    s = s == STATUS_OK ? check_arrays(block) : s;
    s = s == STATUS_OK ? add_part(session, part) : s;
    if (s == STATUS_OK) {
        forget_fields(&session->parts[part], count);
        fill_part(&session->parts[part], block, count);
        session->is_stale = true;
    }
    return remember(session, s);
}

/* ---- Fields ------------------------------------------------------------------------ */

static int compare_fields(const void *a, const void *b)
{
    return strcmp(((const grid_field *)a)->name, ((const grid_field *)b)->name);
}

/* Index of the field with that name, or -1. */
static int find_field(const insitu_part *part, const char *name)
{
    for (int f = 0; f < part->nfields; f++) {
        if (strcmp(part->fields[f].field.name, name) == 0) {
            return f;
        }
    }
    return -1;
}

/* Puts a new field where its name belongs. */
static status add_field(app_insitu *session, insitu_part *part, const insitu_field *field)
{
    const size_t bytes = ((size_t)part->nfields + 1) * sizeof *part->fields;
    insitu_field *fields = realloc(part->fields, bytes);
    if (!fields) {
        return base_fail_memory(bytes, "the fields of a part");
    }
    int at = part->nfields++;
    for (; at > 0 && strcmp(fields[at - 1].field.name, field->field.name) > 0; at--) {
        fields[at] = fields[at - 1];
    }
    fields[at] = *field;
    part->fields = fields;
    session->is_stale = true;
    return STATUS_OK;
}

/* Takes a field's new place over. The source knows the same fields in the same order. */
static void move_field(app_insitu *session, int part, int at, const insitu_field *field)
{
    insitu_field *mine = &session->parts[part].fields[at];
    session->is_stale |= mine->field.location != field->field.location;
    *mine = *field;
    if (session->source && !session->is_stale) {
        io_live_set_field(session->source, part, at, &field->values);
    }
}

static status check_field(const app_insitu *session, int part, const char *name,
                          int association, const karman_array *values)
{
    status s = check_name(name, "field");
    if (s == STATUS_OK && (part < 0 || part >= session->nparts)) {
        s = base_fail(STATUS_USAGE,
                      "field '%s' is of part %d, which has not been described", name,
                      part);
    }
    if (s == STATUS_OK && association != KARMAN_VERTEX && association != KARMAN_ELEMENT) {
        s = base_fail(STATUS_USAGE,
                      "field '%s' lives neither at vertices nor in elements", name);
    }
    return s == STATUS_OK ? check_floats(session->parts[part].block.name, name, values)
                          : s;
}

status app_insitu_set_field(app_insitu *session, int part, const char *name,
                            int association, const karman_array *values)
{
    status s = check_field(session, part, name, association, values);
    if (s != STATUS_OK) {
        return remember(session, s);
    }
    insitu_part *mine = &session->parts[part];
    const int less = association == KARMAN_ELEMENT;
    const int64_t *count = mine->place.n;
    const int64_t n[3] = {count[0] - less, count[1] - less, count[2] - less};
    insitu_field field = {.values = trim(values, n)};
    field.field.location = less ? GRID_CELL : GRID_VERTEX;
    memcpy(field.field.name, name, strlen(name) + 1);
    const int at = find_field(mine, name);
    if (at < 0) {
        return remember(session, add_field(session, mine, &field));
    }
    move_field(session, part, at, &field);
    return STATUS_OK;
}

/* ---- All ranks --------------------------------------------------------------------- */

/* What all ranks have of something, one after the other, malloc'ed. Collective. */
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

/* Leaves each block once, by name, as files have them. */
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

/* The blocks, or fields, of this rank's parts, one after the other. */
static grid_block *list_blocks(const app_insitu *session)
{
    grid_block *list = malloc(((size_t)session->nparts + 1) * sizeof *list);
    for (int p = 0; list && p < session->nparts; p++) {
        list[p] = session->parts[p].block;
    }
    return list;
}

static grid_field *list_fields(const app_insitu *session, int *count)
{
    *count = 0;
    for (int p = 0; p < session->nparts; p++) {
        *count += session->parts[p].nfields;
    }
    grid_field *list = malloc(((size_t)*count + 1) * sizeof *list), *next = list;
    for (int p = 0; list && p < session->nparts; p++) {
        for (int f = 0; f < session->parts[p].nfields; f++) {
            *next++ = session->parts[p].fields[f].field;
        }
    }
    return list;
}

/* All blocks and fields, the same on every rank. Collective. */
static status share_blocks(app_insitu *session, int *count, void **blocks)
{
    grid_block *mine = list_blocks(session);
    status s = mine ? STATUS_OK : base_fail_memory(0, "the grid's blocks");
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        s = gather(session->comm, sizeof *mine, session->nparts, mine, count, blocks);
    }
    free(mine);
    return s == STATUS_OK ? merge_blocks(count, *blocks) : s;
}

static status share_fields(app_insitu *session, int *count, void **fields)
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

/* A part without a field would be drawn with zeros. */
static status check_complete(const insitu_part *part, int nfields,
                             const grid_field *fields)
{
    for (int f = 0; f < nfields; f++) {
        if (find_field(part, fields[f].name) < 0) {
            return base_fail(STATUS_USAGE,
                             "a part of block '%s' has no field '%s', which others have",
                             part->block.name, fields[f].name);
        }
    }
    return STATUS_OK;
}

/* The parts of this rank as the source wants them: malloc'ed, with `values` ([nparts]
 * [nfields]) behind. */
static status list_parts(const app_insitu *session, const io_live_grid *grid,
                         io_live_part *parts, io_live_array *values)
{
    status s = STATUS_OK;
    for (int p = 0; p < session->nparts && s == STATUS_OK; p++) {
        const insitu_part *part = &session->parts[p];
        io_live_array *mine = values + (size_t)p * (size_t)grid->nfields;
        s = check_complete(part, grid->nfields, grid->fields);
        for (int f = 0; f < grid->nfields && s == STATUS_OK; f++) {
            mine[f] = part->fields[f].values; /* both are sorted, and complete */
        }
        parts[p] = part->place;
        parts[p].block = find_block(grid->blocks, part->block.name);
        parts[p].fields = mine;
    }
    return s;
}

static status open_source(app_insitu *session, io_live_grid *grid)
{
    const size_t nparts = (size_t)session->nparts, nfields = (size_t)grid->nfields;
    io_live_part *parts = malloc((nparts + 1) * sizeof *parts);
    io_live_array *values = malloc((nparts * nfields + 1) * sizeof *values);
    status s = parts && values ? list_parts(session, grid, parts, values)
                               : base_fail_memory(nparts * sizeof *parts, "the grid");
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        grid->nparts = session->nparts;
        grid->parts = parts;
        s = io_live_open(session->comm, grid, &session->source);
    }
    free(parts);
    free(values);
    return s;
}

status insitu_grid_open(app_insitu *session)
{
    io_live_grid grid = {.name = GRID_NAME};
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
    session->nfields = grid.nfields;
    session->fields = fields;
    session->is_stale = false;
    return STATUS_OK;
}

void insitu_grid_close(app_insitu *session)
{
    io_source_close(&session->source);
    free(session->fields);
    session->fields = NULL;
    session->nfields = 0;
    session->is_stale = true;
    session->cost.bytes_moved_before = 0;
}

void insitu_grid_free(app_insitu *session)
{
    insitu_grid_close(session);
    for (int p = 0; p < session->nparts; p++) {
        free(session->parts[p].fields);
    }
    free(session->parts);
    free(session->complaint);
}

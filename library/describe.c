/* The description of the grid by each rank: parts and fields. */
#include "base/array.h"
#include "insitu.h"
#include "state.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arrays ------------------------------------------------------------------------ */

static size_t size_of(int type)
{
    return type == KARMAN_FLOAT64 ? 8 : 4;
}

/* An array without its ghosts, `n` values along each axis. */
static io_memory_array trim(const karman_array *array, const int64_t n[3])
{
    static const io_memory_type types[] = {[KARMAN_FLOAT32] = IO_MEMORY_FLOAT32,
                                           [KARMAN_FLOAT64] = IO_MEMORY_FLOAT64,
                                           [KARMAN_INT32] = IO_MEMORY_INT32};
    io_memory_array trimmed = {.type = types[array->type]};
    const int64_t *stride = array->stride;
    const bool is_packed = stride[0] == 0 && stride[1] == 0 && stride[2] == 0;
    int64_t next = 1, begin = 0;
    for (int axis = 0; axis < 3; axis++) {
        trimmed.stride[axis] = is_packed ? next : stride[axis];
        next *= n[axis] + array->ghosts_before[axis] + array->ghosts_after[axis];
        begin += trimmed.stride[axis] * array->ghosts_before[axis];
    }
    const char *data = array->data;
    trimmed.data = data ? data + begin * (int64_t)size_of(array->type) : NULL;
    return trimmed;
}

static status check_array(const char *block, const char *what, const karman_array *array)
{
    if (!array->data) {
        return base_fail(STATUS_USAGE, "block '%s': %s has no data", block, what);
    }
    if (array->type < KARMAN_FLOAT32 || array->type > KARMAN_INT32) {
        return base_fail(STATUS_USAGE,
                         "block '%s': %s has the unknown type %d: give KARMAN_FLOAT32, "
                         "KARMAN_FLOAT64 or KARMAN_INT32",
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
        if (size < 1 || size > INT_MAX || first < 0 || count[axis] < 1 ||
            count[axis] > size - first) {
            return base_fail(STATUS_USAGE,
                             "block '%s' has %" PRId64
                             " vertices along %c, but a part has "
                             "%" PRId64 " from index %" PRId64
                             " on: it needs one or more, inside the block",
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

void insitu_part_surround(io_memory_part *place, const int before[3], const int after[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (place->before[axis] < before[axis]) {
            place->before[axis] = before[axis];
        }
        if (place->after[axis] < after[axis]) {
            place->after[axis] = after[axis];
        }
    }
}

/* A part of another size has other arrays: its fields must be described again. */
static void forget_fields(insitu_part *part, const int64_t count[3])
{
    if (memcmp(part->place.n, count, sizeof part->place.n) != 0) {
        free(part->fields);
        part->fields = NULL;
        part->nfields = 0;
    }
}

/* Fills a part from a description that has been checked. */
static void fill_part(insitu_part *part, const karman_block *block,
                      const int64_t count[3])
{
    const karman_array *xyz[] = {&block->x, &block->y, &block->z};
    part->block = (grid_block){.has_iblank = block->iblank.data != NULL};
    memcpy(part->block.name, block->name, strlen(block->name) + 1);
    memcpy(part->block.n, block->size, sizeof part->block.n);
    memcpy(part->place.lo, block->first, sizeof part->place.lo);
    memcpy(part->place.n, count, sizeof part->place.n);
    memset(part->place.before, 0, sizeof part->place.before);
    memset(part->place.after, 0, sizeof part->place.after);
    for (int axis = 0; axis < 3; axis++) {
        part->place.xyz[axis] = trim(xyz[axis], count);
        insitu_part_surround(&part->place, xyz[axis]->ghosts_before,
                             xyz[axis]->ghosts_after);
    }
    part->place.iblank = trim(&block->iblank, count);
}

/* Adds an empty part if `part` is the next number. */
static status add_part(insitu_session *session, int part)
{
    if (part < 0 || part > session->grid.nparts) {
        return base_fail(STATUS_USAGE,
                         "part %d is described, but the next one is number %d", part,
                         session->grid.nparts);
    }
    if (part < session->grid.nparts) {
        return STATUS_OK;
    }
    return base_array_add(session->grid.parts, session->grid.nparts, ((insitu_part){0}),
                          "the parts of the grid");
}

/* Keeps the first failure. Without the missing part or field, pictures would be wrong: no
 * more are drawn. */
static status remember(insitu_session *session, status s)
{
    if (s != STATUS_OK && session->grid.described == STATUS_OK) {
        session->grid.described = s;
        session->grid.complaint = strdup(base_fail_message());
    }
    return s;
}

void insitu_refuse(insitu_session *session, const char *message)
{
    remember(session, base_fail(STATUS_USAGE, "%s", message));
}

status insitu_set_block(insitu_session *session, int part, const karman_block *block)
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
        forget_fields(&session->grid.parts[part], count);
        fill_part(&session->grid.parts[part], block, count);
        session->grid.is_stale = true;
    }
    return remember(session, s);
}

status insitu_drop_parts(insitu_session *session, int first)
{
    if (first < 0) {
        return remember(session, base_fail(STATUS_USAGE,
                                           "parts from number %d on cannot be dropped: "
                                           "the first one is number 0",
                                           first));
    }
    while (session->grid.nparts > first) {
        free(session->grid.parts[--session->grid.nparts].fields);
        session->grid.is_stale = true;
    }
    return STATUS_OK;
}

/* ---- Fields ------------------------------------------------------------------------ */

int insitu_part_find(const insitu_part *part, const char *name)
{
    for (int f = 0; f < part->nfields; f++) {
        if (strcmp(part->fields[f].field.name, name) == 0) {
            return f;
        }
    }
    return -1;
}

/* Inserts a new field, by ascending name. */
static status add_field(insitu_session *session, insitu_part *part,
                        const insitu_field *field)
{
    if (base_array_room(part->fields, part->nfields, 1, "the fields of a part") !=
        STATUS_OK) {
        return STATUS_MEMORY;
    }
    insitu_field *fields = part->fields;
    int at = part->nfields++;
    for (; at > 0 && strcmp(fields[at - 1].field.name, field->field.name) > 0; at--) {
        fields[at] = fields[at - 1];
    }
    fields[at] = *field;
    session->grid.is_stale = true;
    return STATUS_OK;
}

/* Takes the new array of a known field. The source has the same fields in the same
 * order. */
static void move_field(insitu_session *session, int part, int at,
                       const insitu_field *field)
{
    insitu_field *mine = &session->grid.parts[part].fields[at];
    session->grid.is_stale |=
        mine->field.location != field->field.location ||
        memcmp(mine->before, field->before, sizeof field->before) != 0 ||
        memcmp(mine->after, field->after, sizeof field->after) != 0;
    *mine = *field;
    if (session->grid.source && !session->grid.is_stale) {
        io_memory_set_field(session->grid.source, part, at, &field->values);
    }
}

static status check_field(const insitu_session *session, int part, const char *name,
                          int association, const karman_array *values)
{
    status s = check_name(name, "field");
    if (s == STATUS_OK && (part < 0 || part >= session->grid.nparts)) {
        s = base_fail(STATUS_USAGE,
                      "field '%s' is of part %d, which has not been described", name,
                      part);
    }
    if (s == STATUS_OK && association != KARMAN_VERTEX && association != KARMAN_ELEMENT) {
        s = base_fail(STATUS_USAGE,
                      "field '%s' has an unknown association: give KARMAN_VERTEX or "
                      "KARMAN_ELEMENT",
                      name);
    }
    return s == STATUS_OK
               ? check_floats(session->grid.parts[part].block.name, name, values)
               : s;
}

status insitu_set_field(insitu_session *session, int part, const char *name,
                        int association, const karman_array *values)
{
    status s = check_field(session, part, name, association, values);
    if (s != STATUS_OK) {
        return remember(session, s);
    }
    insitu_part *mine = &session->grid.parts[part];
    const int less = association == KARMAN_ELEMENT;
    const int64_t *count = mine->place.n;
    const int64_t n[3] = {count[0] - less, count[1] - less, count[2] - less};
    insitu_field field = {.values = trim(values, n)};
    field.field.location = less ? GRID_CELL : GRID_VERTEX;
    memcpy(field.before, values->ghosts_before, sizeof field.before);
    memcpy(field.after, values->ghosts_after, sizeof field.after);
    memcpy(field.field.name, name, strlen(name) + 1);
    const int at = insitu_part_find(mine, name);
    if (at < 0) {
        return remember(session, add_field(session, mine, &field));
    }
    move_field(session, part, at, &field);
    return STATUS_OK;
}

#include "catalog.h"

#include "base/array.h"
#include "base/parallel/share.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grows *list, which holds `count` items of `size` bytes, by one item. */
static status grow(void **list, int count, size_t size)
{
    size_t bytes = ((size_t)count + 1) * size;
    void *longer = realloc(*list, bytes);
    if (!longer) {
        return base_fail_memory(bytes, "the list of blocks and fields");
    }
    *list = longer;
    return STATUS_OK;
}

status io_catalog_add_block(io_catalog *catalog, const grid_block *block)
{
    void *list = catalog->blocks;
    status s = grow(&list, catalog->nblocks, sizeof *block);
    if (s == STATUS_OK) {
        catalog->blocks = list;
        catalog->blocks[catalog->nblocks++] = *block;
    }
    return s;
}

status io_catalog_add_field(io_catalog *catalog, const grid_field *field)
{
    void *list = catalog->fields;
    status s = grow(&list, catalog->nfields, sizeof *field);
    if (s == STATUS_OK) {
        catalog->fields = list;
        catalog->fields[catalog->nfields++] = *field;
    }
    return s;
}

static int compare_fields(const void *a, const void *b)
{
    const grid_field *left = a, *right = b;
    return strcmp(left->name, right->name);
}

void io_catalog_sort_fields(io_catalog *catalog)
{
    if (catalog->nfields > 0) {
        qsort(catalog->fields, (size_t)catalog->nfields, sizeof *catalog->fields,
              compare_fields);
    }
}

int io_catalog_find_field(const io_catalog *catalog, const char *name)
{
    for (int field = 0; field < catalog->nfields; field++) {
        if (strcmp(catalog->fields[field].name, name) == 0) {
            return field;
        }
    }
    return -1;
}

static int compare_steps(const void *a, const void *b)
{
    const io_named_step *left = a, *right = b;
    if (left->step.number != right->step.number) {
        return left->step.number < right->step.number ? -1 : 1;
    }
    return strcmp(left->name, right->name);
}

static status allocate_steps(io_catalog *catalog, int nsteps)
{
    size_t count = nsteps > 0 ? (size_t)nsteps : 1;
    catalog->steps = calloc(count, sizeof *catalog->steps);
    catalog->step_names = calloc(count, sizeof *catalog->step_names);
    if (!catalog->steps || !catalog->step_names) {
        return base_fail_memory(count * sizeof(io_named_step), "the list of steps");
    }
    return STATUS_OK;
}

status io_catalog_set_steps(io_catalog *catalog, const char *path, int nsteps,
                            io_named_step *steps)
{
    status s = allocate_steps(catalog, nsteps);
    if (s != STATUS_OK) {
        return s;
    }
    if (nsteps > 0) {
        qsort(steps, (size_t)nsteps, sizeof *steps, compare_steps);
    }
    for (int n = 0; n < nsteps; n++) {
        int last = catalog->nsteps - 1;
        if (last >= 0 && catalog->steps[last].number == steps[n].step.number) {
            if (strcmp(catalog->step_names[last], steps[n].name) != 0) {
                return base_fail(STATUS_INPUT,
                                 "file '%s' has step %" PRId64
                                 " twice, as '%s' and as '%s': remove one of them",
                                 path, steps[n].step.number, catalog->step_names[last],
                                 steps[n].name);
            }
            continue;
        }
        catalog->steps[catalog->nsteps] = steps[n].step;
        memcpy(catalog->step_names[catalog->nsteps], steps[n].name, IO_STEP_NAME_SIZE);
        catalog->nsteps++;
    }
    return STATUS_OK;
}

status io_catalog_clear_presence(io_catalog *catalog)
{
    size_t bytes = (size_t)catalog->nsteps * (size_t)catalog->nfields;
    free(catalog->has_field);
    catalog->has_field = calloc(bytes > 0 ? bytes : 1, 1);
    free(catalog->unpackings);
    catalog->unpackings =
        calloc((size_t)catalog->nfields + 1, sizeof *catalog->unpackings);
    return catalog->has_field && catalog->unpackings
               ? STATUS_OK
               : base_fail_memory(bytes, "the list of steps");
}

status io_catalog_note(io_catalog *catalog, const char *name, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    for (char *c = value; *c != '\0'; c++) {
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    }
    const size_t before = catalog->notes ? strlen(catalog->notes) : 0;
    const size_t size = before + strlen(name) + strlen(value) + 3;
    char *longer = realloc(catalog->notes, size);
    if (!longer) {
        return base_fail_memory(size, "the notes on a file");
    }
    snprintf(longer + before, size - before, "%s\t%s\n", name, value);
    catalog->notes = longer;
    return STATUS_OK;
}

status io_catalog_omit(io_catalog *catalog, const char *format, ...)
{
    enum { MOST_NOTES = 8 };
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const int n = catalog->nomitted++;
    return n < MOST_NOTES    ? io_catalog_note(catalog, "left out", "%s", text)
           : n == MOST_NOTES ? io_catalog_note(catalog, "left out", "more like these")
                             : STATUS_OK;
}

/* Copies bytes into memory of their own; NULL stays NULL. */
static void *copy_bytes(const void *from, size_t bytes, bool *works)
{
    void *to = from ? malloc(bytes + 1) : NULL;
    *works = *works && (to || !from);
    return to ? memcpy(to, from, bytes) : NULL;
}

status io_catalog_copy(const io_catalog *from, io_catalog *to)
{
    const size_t steps = (size_t)from->nsteps, fields = (size_t)from->nfields;
    const size_t notes = from->notes ? strlen(from->notes) + 1 : 0;
    bool works = true;
    to->double_coordinates = from->double_coordinates;
    to->longitude = from->longitude;
    memcpy(to->length_unit, from->length_unit, sizeof to->length_unit);
    to->nfields = from->nfields;
    to->nsteps = from->nsteps;
    to->nomitted = from->nomitted;
    to->fields = copy_bytes(from->fields, fields * sizeof *from->fields, &works);
    to->steps = copy_bytes(from->steps, steps * sizeof *from->steps, &works);
    to->step_names =
        copy_bytes(from->step_names, steps * sizeof *from->step_names, &works);
    to->grids = copy_bytes(from->grids, steps * sizeof *from->grids, &works);
    to->has_field = copy_bytes(from->has_field, steps * fields, &works);
    to->unpackings =
        copy_bytes(from->unpackings, fields * sizeof *from->unpackings, &works);
    to->notes = copy_bytes(from->notes, notes, &works);
    return works ? STATUS_OK : base_fail_memory(steps * fields, "a catalogue");
}

status io_catalog_add_condition(io_catalog *catalog, const io_condition *condition)
{
    io_condition added = *condition;
    added.first = catalog->nparts;
    added.nparts = 0;
    return base_array_add(catalog->conditions, catalog->nconditions, added,
                          "the boundary conditions of a file");
}

status io_catalog_add_contacts(io_catalog *catalog, int count, const io_contact *contacts)
{
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = base_array_add(catalog->contacts, catalog->ncontacts, contacts[n],
                           "the ends of a file's blocks");
    }
    return s;
}

/* Whether b continues a along one axis; if so, a grows. Planes do not become boxes. */
static bool join_parts(io_condition_part *a, const io_condition_part *b, int gap)
{
    int along = -1, others = 0, wide = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bool is_same = a->lo[axis] == b->lo[axis] && a->hi[axis] == b->hi[axis];
        others += !is_same;
        wide += !is_same || a->lo[axis] < a->hi[axis];
        along = is_same ? along : axis;
    }
    if (others == 1 && wide < 3 && b->lo[along] >= a->lo[along] &&
        b->lo[along] <= a->hi[along] + gap && b->hi[along] >= a->hi[along]) {
        a->hi[along] = b->hi[along];
        return true;
    }
    return others == 0;
}

static status append_part(io_catalog *catalog, const io_condition_part *part)
{
    return base_array_add(catalog->parts, catalog->nparts, *part,
                          "the boundary conditions of a file");
}

status io_catalog_add_part(io_catalog *catalog, const io_condition_part *part, int gap)
{
    io_condition *last = &catalog->conditions[catalog->nconditions - 1];
    status s = append_part(catalog, part);
    last->nparts += s == STATUS_OK;
    while (s == STATUS_OK && last->nparts > 1 &&
           join_parts(&catalog->parts[catalog->nparts - 2],
                      &catalog->parts[catalog->nparts - 1], gap)) {
        catalog->nparts--;
        last->nparts--;
    }
    return s;
}

status io_catalog_take_contacts(io_catalog *catalog, const io_catalog *from)
{
    const io_block_sets *sets = &from->sets;
    return sets->nblocks > 0
               ? io_catalog_add_contacts(catalog, sets->ncontacts, sets->contacts)
               : io_catalog_add_contacts(catalog, from->ncontacts, from->contacts);
}

status io_catalog_take_conditions(io_catalog *catalog, const io_catalog *from)
{
    const bool has_sets = from->sets.nblocks > 0;
    status s = STATUS_OK;
    for (int n = 0; n < from->nparts && s == STATUS_OK; n++) {
        s = append_part(catalog, &from->parts[n]);
    }
    const int first = catalog->nparts - from->nparts;
    for (int n = 0; n < from->nconditions && s == STATUS_OK; n++) {
        const io_condition *its = &from->conditions[n];
        s = io_catalog_add_condition(catalog, its);
        if (s == STATUS_OK) {
            io_condition *mine = &catalog->conditions[catalog->nconditions - 1];
            mine->block = has_sets ? its->member : its->block;
            mine->first = first + its->first;
            mine->nparts = its->nparts;
        }
    }
    return s;
}

/* ---- Blocks of grids --------------------------------------------------------------- */

/* Allocates the lists of blocks and of members for `count` blocks, and the geometry. */
static status allocate_sets(io_block_sets *sets, int ngrids, int count)
{
    const size_t blocks = (size_t)count + 1;
    sets->ngrids = ngrids;
    sets->nblocks = count;
    sets->blocks = calloc(blocks, sizeof *sets->blocks);
    sets->members = calloc(blocks, sizeof *sets->members);
    sets->shown = calloc(blocks, sizeof *sets->shown);
    if (!sets->geometry) {
        sets->geometry = calloc((size_t)ngrids * blocks, sizeof *sets->geometry);
    }
    return sets->blocks && sets->members && sets->shown && sets->geometry
               ? STATUS_OK
               : base_fail_memory(blocks * sizeof *sets->blocks, "the blocks of grids");
}

/* Keeps room for the contacts of all blocks, and those that there are. */
static status keep_contacts(io_catalog *catalog, int count)
{
    io_block_sets *sets = &catalog->sets;
    sets->ncontacts = count;
    sets->contacts = calloc((size_t)count + 1, sizeof *sets->contacts);
    if (!sets->contacts) {
        return base_fail_memory((size_t)count * sizeof *sets->contacts,
                                "the ends of a file's blocks");
    }
    for (int n = 0; n < count && n < catalog->ncontacts; n++) {
        sets->contacts[n] = catalog->contacts[n];
    }
    return STATUS_OK;
}

status io_catalog_set_geometry(io_catalog *catalog, int ngrids, int32_t *geometry)
{
    catalog->sets.geometry = geometry;
    status s = allocate_sets(&catalog->sets, ngrids, catalog->nblocks);
    if (s == STATUS_OK && catalog->nblocks > 0) {
        memcpy(catalog->sets.blocks, catalog->blocks,
               (size_t)catalog->nblocks * sizeof *catalog->blocks);
    }
    for (int n = 0; n < catalog->nconditions; n++) {
        catalog->conditions[n].member = catalog->conditions[n].block;
    }
    s = s == STATUS_OK ? keep_contacts(catalog, catalog->ncontacts) : s;
    if (s == STATUS_OK) {
        io_catalog_choose(catalog, 0);
    }
    return s;
}

/* Chooses the conditions and contacts of blocks that are shown. */
static void choose_ends(io_catalog *catalog)
{
    const io_block_sets *sets = &catalog->sets;
    for (int n = 0; n < catalog->nconditions; n++) {
        catalog->conditions[n].block = sets->shown[catalog->conditions[n].member];
    }
    catalog->ncontacts = 0;
    for (int n = 0; n < sets->ncontacts; n++) {
        io_contact contact = sets->contacts[n];
        const bool has_donor = contact.donor < 0 || sets->shown[contact.donor] >= 0;
        contact.block = sets->shown[contact.block];
        contact.donor = contact.donor < 0 ? -1 : sets->shown[contact.donor];
        if (contact.block >= 0 && has_donor) {
            catalog->contacts[catalog->ncontacts++] = contact;
        }
    }
}

void io_catalog_choose(io_catalog *catalog, int grid)
{
    io_block_sets *sets = &catalog->sets;
    if (sets->nblocks == 0) {
        return;
    }
    const int32_t *row = &sets->geometry[(size_t)grid * (size_t)sets->nblocks];
    catalog->nblocks = 0;
    for (int b = 0; b < sets->nblocks; b++) {
        sets->shown[b] = row[b] >= 0 ? catalog->nblocks : -1;
        if (row[b] >= 0) {
            sets->members[catalog->nblocks] = b;
            catalog->blocks[catalog->nblocks++] = sets->blocks[b];
        }
    }
    choose_ends(catalog);
}

const grid_block *io_catalog_all_blocks(const io_catalog *catalog)
{
    return catalog->sets.nblocks > 0 ? catalog->sets.blocks : catalog->blocks;
}

int io_catalog_all_count(const io_catalog *catalog)
{
    return catalog->sets.nblocks > 0 ? catalog->sets.nblocks : catalog->nblocks;
}

int io_catalog_member(const io_catalog *catalog, int block)
{
    return catalog->sets.nblocks > 0 ? catalog->sets.members[block] : block;
}

bool io_catalog_same_blocks(const io_catalog *catalog, int a, int b)
{
    const io_block_sets *sets = &catalog->sets;
    bool same = true;
    for (int n = 0; n < sets->nblocks && same && a != b; n++) {
        const size_t blocks = (size_t)sets->nblocks;
        same = (sets->geometry[(size_t)a * blocks + (size_t)n] < 0) ==
               (sets->geometry[(size_t)b * blocks + (size_t)n] < 0);
    }
    return same;
}

/* ---- All ranks --------------------------------------------------------------------- */

/* Copies the sets of rank 0; all ranks have blocks and contacts. Collective. */
static status broadcast_sets(MPI_Comm comm, io_catalog *catalog)
{
    io_block_sets *sets = &catalog->sets;
    int counts[3] = {sets->ngrids, sets->nblocks, sets->ncontacts};
    parallel_bcast(counts, 3, MPI_INT, 0, comm);
    if (counts[1] == 0) {
        return STATUS_OK;
    }
    status s = STATUS_OK;
    sets->ngrids = counts[0];
    sets->nblocks = counts[1];
    sets->ncontacts = counts[2];
    if (parallel_rank(comm) != 0) { /* room for the blocks and ends of any grid */
        s = base_array_room(catalog->blocks, catalog->nblocks, counts[1], "blocks");
        s = s == STATUS_OK ? base_array_room(catalog->contacts, catalog->ncontacts,
                                             counts[2], "the ends of a file's blocks")
                           : s;
    }
    const parallel_list lists[] = {
        PARALLEL_LIST(sets->blocks, counts[1]), PARALLEL_LIST(sets->members, counts[1]),
        PARALLEL_LIST(sets->shown, counts[1]), PARALLEL_LIST(sets->contacts, counts[2]),
        PARALLEL_LIST(sets->geometry, (int64_t)counts[0] * counts[1])};
    s = parallel_share(comm, s, sizeof lists / sizeof lists[0], lists,
                       "the blocks of grids");
    if (s == STATUS_OK) {
        io_catalog_choose(catalog, 0);
    }
    return s;
}

status io_catalog_broadcast(MPI_Comm comm, io_catalog *catalog)
{
    int64_t counts[9] = {catalog->nblocks,
                         catalog->nfields,
                         catalog->nsteps,
                         catalog->double_coordinates,
                         catalog->longitude,
                         catalog->nconditions,
                         catalog->nparts,
                         catalog->ncontacts,
                         catalog->notes ? (int64_t)strlen(catalog->notes) + 1 : -1};
    int moves = catalog->grids != NULL;
    parallel_bcast(counts, 9, MPI_INT64_T, 0, comm);
    parallel_bcast(&moves, 1, MPI_INT, 0, comm);
    parallel_bcast(catalog->length_unit, IO_UNIT_SIZE, MPI_BYTE, 0, comm);
    const int64_t fields = counts[1], steps = counts[2];
    catalog->nblocks = (int)counts[0];
    catalog->nfields = (int)fields;
    catalog->nsteps = (int)steps;
    catalog->double_coordinates = counts[3] != 0;
    catalog->longitude = (int)counts[4];
    catalog->nconditions = (int)counts[5];
    catalog->nparts = (int)counts[6];
    catalog->ncontacts = (int)counts[7];
    const parallel_list lists[] = {PARALLEL_LIST(catalog->blocks, counts[0]),
                                   PARALLEL_LIST(catalog->fields, fields),
                                   PARALLEL_LIST(catalog->unpackings, fields),
                                   PARALLEL_LIST(catalog->steps, steps),
                                   PARALLEL_LIST(catalog->step_names, steps),
                                   PARALLEL_LIST(catalog->has_field, steps * fields),
                                   PARALLEL_LIST(catalog->grids, moves ? steps : -1),
                                   PARALLEL_LIST(catalog->conditions, counts[5]),
                                   PARALLEL_LIST(catalog->parts, counts[6]),
                                   PARALLEL_LIST(catalog->contacts, counts[7]),
                                   PARALLEL_LIST(catalog->notes, counts[8])};
    status s = parallel_share(comm, STATUS_OK, sizeof lists / sizeof lists[0], lists,
                              "the list of blocks");
    return s == STATUS_OK ? broadcast_sets(comm, catalog) : s;
}

void io_catalog_clear(io_catalog *catalog)
{
    free(catalog->blocks);
    free(catalog->fields);
    free(catalog->steps);
    free(catalog->step_names);
    free(catalog->grids);
    free(catalog->sets.blocks);
    free(catalog->sets.geometry);
    free(catalog->sets.members);
    free(catalog->sets.shown);
    free(catalog->sets.contacts);
    free(catalog->has_field);
    free(catalog->unpackings);
    free(catalog->notes);
    free(catalog->conditions);
    free(catalog->contacts);
    free(catalog->parts);
    memset(catalog, 0, sizeof *catalog);
}

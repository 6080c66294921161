#include "catalog.h"

#include "base/array.h"
#include "base/parallel/parallel.h"

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
    io_condition *all =
        base_array_reserve(catalog->conditions, &catalog->condition_capacity,
                           catalog->nconditions + 1, sizeof *all);
    if (!all) {
        return base_fail_memory(sizeof *all, "the boundary conditions of a file");
    }
    catalog->conditions = all;
    all[catalog->nconditions] = *condition;
    all[catalog->nconditions].first = catalog->nparts;
    all[catalog->nconditions++].nparts = 0;
    return STATUS_OK;
}

status io_catalog_add_contacts(io_catalog *catalog, int count, const io_contact *contacts)
{
    io_contact *all = base_array_reserve(catalog->contacts, &catalog->contact_capacity,
                                         catalog->ncontacts + count + 1, sizeof *all);
    if (!all) {
        return base_fail_memory(sizeof *all, "the ends of a file's blocks");
    }
    catalog->contacts = all;
    for (int n = 0; n < count; n++) {
        all[catalog->ncontacts++] = contacts[n];
    }
    return STATUS_OK;
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
    io_condition_part *all = base_array_reserve(catalog->parts, &catalog->part_capacity,
                                                catalog->nparts + 1, sizeof *all);
    if (!all) {
        return base_fail_memory(sizeof *all, "the boundary conditions of a file");
    }
    catalog->parts = all;
    all[catalog->nparts++] = *part;
    return STATUS_OK;
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

/* Bytes of the notes, with the ending zero; 0: none. */
static int64_t length_of_notes(const io_catalog *catalog)
{
    return catalog->notes ? (int64_t)strlen(catalog->notes) + 1 : 0;
}

/* Allocates the arrays for the counts, and `notes` bytes, of an otherwise empty
 * catalogue. */
static status allocate_all(io_catalog *catalog, size_t notes, bool moves)
{
    size_t blocks = (size_t)catalog->nblocks, fields = (size_t)catalog->nfields;
    size_t steps = (size_t)catalog->nsteps;
    catalog->blocks = calloc(blocks + 1, sizeof *catalog->blocks);
    catalog->fields = calloc(fields + 1, sizeof *catalog->fields);
    catalog->notes = notes > 0 ? calloc(notes, 1) : NULL;
    catalog->grids = moves ? calloc(steps + 1, sizeof *catalog->grids) : NULL;
    catalog->contacts = calloc((size_t)catalog->ncontacts + 1, sizeof *catalog->contacts);
    catalog->conditions =
        calloc((size_t)catalog->nconditions + 1, sizeof *catalog->conditions);
    catalog->parts = calloc((size_t)catalog->nparts + 1, sizeof *catalog->parts);
    if (!catalog->contacts || (moves && !catalog->grids) || !catalog->blocks ||
        !catalog->fields || !catalog->conditions || !catalog->parts ||
        (notes > 0 && !catalog->notes)) {
        return base_fail_memory(blocks * sizeof *catalog->blocks, "the list of blocks");
    }
    status s = allocate_steps(catalog, catalog->nsteps);
    return s == STATUS_OK ? io_catalog_clear_presence(catalog) : s;
}

/* Broadcasts `count` items from rank 0 in messages of bounded size. */
static void broadcast_bytes(MPI_Comm comm, void *data, size_t count, size_t size)
{
    enum { MOST_BYTES = 1 << 26 };
    char *bytes = data;
    for (size_t left = count * size; left > 0;) {
        size_t part = left < MOST_BYTES ? left : MOST_BYTES;
        parallel_bcast(bytes, parallel_count((int64_t)part), MPI_BYTE, 0, comm);
        bytes += part;
        left -= part;
    }
}

/* Copies the sets of rank 0; all ranks have blocks and steps. Collective. */
static status broadcast_sets(MPI_Comm comm, io_catalog *catalog)
{
    io_block_sets *sets = &catalog->sets;
    int counts[3] = {sets->ngrids, sets->nblocks, sets->ncontacts};
    parallel_bcast(counts, 3, MPI_INT, 0, comm);
    if (counts[1] == 0) {
        return STATUS_OK;
    }
    status s = STATUS_OK;
    if (parallel_rank(comm) != 0) {
        const size_t bytes = (size_t)counts[1] * sizeof *catalog->blocks;
        free(catalog->blocks);
        catalog->blocks = malloc(bytes);
        s = allocate_sets(sets, counts[0], counts[1]);
        s = s == STATUS_OK && !catalog->blocks ? base_fail_memory(bytes, "blocks") : s;
        s = s == STATUS_OK ? keep_contacts(catalog, counts[2]) : s;
        catalog->ncontacts = 0; /* with room for all */
        s = s == STATUS_OK ? io_catalog_add_contacts(catalog, counts[2], sets->contacts)
                           : s;
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        const size_t blocks = (size_t)counts[1];
        broadcast_bytes(comm, sets->blocks, blocks, sizeof *sets->blocks);
        broadcast_bytes(comm, sets->geometry, (size_t)counts[0] * blocks,
                        sizeof *sets->geometry);
        broadcast_bytes(comm, sets->contacts, (size_t)counts[2], sizeof *sets->contacts);
        io_catalog_choose(catalog, 0);
    }
    return s;
}

status io_catalog_broadcast(MPI_Comm comm, io_catalog *catalog)
{
    int64_t counts[10] = {catalog->nblocks,         catalog->nfields,
                          catalog->nsteps,          catalog->double_coordinates,
                          length_of_notes(catalog), catalog->grids != NULL,
                          catalog->longitude,       catalog->nconditions,
                          catalog->nparts,          catalog->ncontacts};
    parallel_bcast(counts, 10, MPI_INT64_T, 0, comm);
    status s = STATUS_OK;
    if (parallel_rank(comm) != 0) {
        catalog->nblocks = (int)counts[0];
        catalog->nfields = (int)counts[1];
        catalog->nsteps = (int)counts[2];
        catalog->double_coordinates = counts[3] != 0;
        catalog->longitude = (int)counts[6];
        catalog->nconditions = (int)counts[7];
        catalog->nparts = (int)counts[8];
        catalog->ncontacts = (int)counts[9];
        s = allocate_all(catalog, (size_t)counts[4], counts[5] != 0);
    }
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    size_t blocks = (size_t)counts[0], fields = (size_t)counts[1],
           steps = (size_t)counts[2];
    broadcast_bytes(comm, catalog->blocks, blocks, sizeof *catalog->blocks);
    broadcast_bytes(comm, catalog->fields, fields, sizeof *catalog->fields);
    broadcast_bytes(comm, catalog->unpackings, fields, sizeof *catalog->unpackings);
    broadcast_bytes(comm, catalog->steps, steps, sizeof *catalog->steps);
    broadcast_bytes(comm, catalog->step_names, steps, sizeof *catalog->step_names);
    broadcast_bytes(comm, catalog->has_field, steps * fields, sizeof *catalog->has_field);
    broadcast_bytes(comm, catalog->notes, (size_t)counts[4], 1);
    broadcast_bytes(comm, catalog->grids, counts[5] != 0 ? steps : 0,
                    sizeof *catalog->grids);
    broadcast_bytes(comm, catalog->conditions, (size_t)counts[7],
                    sizeof *catalog->conditions);
    broadcast_bytes(comm, catalog->parts, (size_t)counts[8], sizeof *catalog->parts);
    broadcast_bytes(comm, catalog->contacts, (size_t)counts[9],
                    sizeof *catalog->contacts);
    return broadcast_sets(comm, catalog);
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

#include "source.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "file.h"
#include "flat.h"
#include "io/gzip/unpacked.h"
#include "source_kind.h"
#include "view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static status create(const io_data_config *config, io_source **out)
{
    io_source *source = calloc(1, sizeof *source);
    char *path = malloc(strlen(config->file) + 1);
    if (!source || !path) {
        free(source);
        free(path);
        return base_fail_memory(sizeof *source, "the data source");
    }
    source->path = strcpy(path, config->file);
    *out = source;
    return STATUS_OK;
}

_Static_assert((int)IO_KEPT_SLOTS == 2, "source_kind.h has as many");

static void forget_kept(io_source *source, io_source_slot slot)
{
    if (source->kept[slot]) {
        source->forget[slot](&source->kept[slot]);
        source->kept[slot] = NULL;
    }
}

void io_source_keep(io_source *source, io_source_slot slot, void *kept,
                    void (*forget)(void **kept))
{
    forget_kept(source, slot);
    source->kept[slot] = kept;
    source->kept_grid = io_source_grid(source, source->grid_step);
    source->forget[slot] = forget;
}

void *io_source_kept(io_source *source, io_source_slot slot)
{
    if (source->kept_grid != io_source_grid(source, source->grid_step)) {
        forget_kept(source, IO_KEPT_OF_GRID);
    }
    return source->kept[slot];
}

void io_source_close(io_source **source)
{
    if (!source || !*source) {
        return;
    }
    forget_kept(*source, IO_KEPT_OF_GRID);
    forget_kept(*source, IO_KEPT);
    io_source_close(&(*source)->other.source);
    free((*source)->other.fields);
    free((*source)->other.steps);
    (*source)->kind->close(*source);
    io_shape_free(*source);
    io_catalog_clear(&(*source)->catalog);
    io_flat_destroy(&(*source)->flat);
    free((*source)->shown);
    free((*source)->views);
    free((*source)->all_views);
    free((*source)->boxes.all);
    if (!(*source)->borrows_comm) {
        MPI_Comm_free(&(*source)->comm);
        io_unpacked_forget();
    }
    free((*source)->path);
    free(*source);
    *source = NULL;
}

const grid_block *io_source_condition_block(const io_source *source, int condition)
{
    const io_catalog *catalog = &source->catalog;
    const io_condition *c = &catalog->conditions[condition];
    return &io_catalog_all_blocks(
        catalog)[catalog->sets.nblocks > 0 ? c->member : c->block];
}

/* Of a flat block, a condition reaches across the sheet. */
static void widen_conditions(io_source *source)
{
    for (int n = 0; n < source->catalog.nconditions; n++) {
        const io_condition *c = &source->catalog.conditions[n];
        const grid_block *block = io_source_condition_block(source, n);
        for (int part = c->first; part < c->first + c->nparts; part++) {
            for (int axis = 0; axis < 3; axis++) {
                if (block->n[axis] == 1) {
                    source->catalog.parts[part].hi[axis] = 1;
                }
            }
        }
    }
}

status io_source_open_as(const io_source_kind *kind, MPI_Comm comm, bool borrows_comm,
                         const io_data_config *config, io_source **out)
{
    io_source *source = NULL;
    status s = parallel_agree(comm, create(config, &source));
    if (s != STATUS_OK) {
        if (source) {
            free(source->path);
            free(source);
        }
        return s;
    }
    source->kind = kind;
    source->borrows_comm = borrows_comm;
    if (borrows_comm) {
        source->comm = comm;
    } else {
        parallel_dup(comm, &source->comm);
    }
    s = kind->open(source, config);
    if (s == STATUS_OK) {
        s = io_flat_find(source, &source->flat);
        s = s == STATUS_OK ? io_flat_note(source) : s;
        s = s == STATUS_OK ? io_source_show(source) : s;
        widen_conditions(source);
        s = s == STATUS_OK ? io_implied_add(source) : s;
        s = s == STATUS_OK && !borrows_comm ? io_source_set_view(source, config) : s;
        s = parallel_agree(source->comm, s);
    }
    if (s == STATUS_OK && !borrows_comm) {
        s = io_shape_unwrap(source);
    }
    if (s != STATUS_OK) {
        io_source_close(&source);
        return s;
    }
    *out = source;
    return STATUS_OK;
}

const char *io_source_path(const io_source *source)
{
    return source->path;
}

int io_source_block_count(const io_source *source)
{
    return source->catalog.nblocks;
}

const grid_block *io_source_blocks(const io_source *source)
{
    return source->shown;
}

int io_source_flat_axis(const io_source *source)
{
    const int axis = source->flat ? io_flat_axis(source->flat, 0) : -1;
    bool are = axis >= 0;
    for (int b = 1; b < source->catalog.nblocks && are; b++) {
        are = io_flat_axis(source->flat, b) == axis;
    }
    return are ? axis : -1;
}

int io_source_flat_axis_of(const io_source *source, int block)
{
    return source->flat ? io_flat_axis(source->flat, block) : -1;
}

double io_source_flat_thickness(const io_source *source)
{
    return source->flat ? io_flat_thickness(source->flat) : 0.0;
}

status io_source_add_rest(io_source *source)
{
    io_named_step rest = {.name = "0"};
    if (source->catalog.nsteps > 0) {
        return STATUS_OK;
    }
    status s = io_catalog_set_steps(&source->catalog, source->path, 1, &rest);
    return s == STATUS_OK ? io_catalog_clear_presence(&source->catalog) : s;
}

bool io_source_double_coordinates(const io_source *source)
{
    return source->catalog.double_coordinates || io_view_is_on(source) ||
           io_shape_is_unwrapped(source);
}

int io_source_field_count(const io_source *source)
{
    return source->catalog.nfields;
}

const grid_field *io_source_fields(const io_source *source)
{
    return source->catalog.fields;
}

int io_source_step_count(const io_source *source)
{
    return source->catalog.nsteps;
}

const io_step *io_source_steps(const io_source *source)
{
    return source->catalog.steps;
}

const io_unpacking *io_source_unpacking(const io_source *source, int field)
{
    return &source->catalog.unpackings[field];
}

const char *io_source_unit(const io_source *source, const char *field)
{
    for (int n = 0; n < io_source_field_count(source); n++) {
        const char *unit = io_source_unpacking(source, n)->unit;
        if (strcmp(io_source_fields(source)[n].name, field) == 0) {
            return unit[0] ? unit : NULL;
        }
    }
    return NULL;
}

const char *io_source_length_unit(const io_source *source)
{
    const char *unit = source->catalog.length_unit;
    return unit[0] && strncmp(unit, "deg", 3) != 0 ? unit : NULL;
}

const char *io_source_notes(const io_source *source)
{
    return source->catalog.notes ? source->catalog.notes : "";
}

int io_source_condition_count(const io_source *source)
{
    return source->catalog.nconditions;
}

const io_condition *io_source_conditions(const io_source *source)
{
    return source->catalog.conditions;
}

int io_source_contact_count(const io_source *source)
{
    return source->catalog.ncontacts;
}

const io_contact *io_source_contacts(const io_source *source)
{
    return source->catalog.contacts;
}

const io_condition_part *io_source_condition_parts(const io_source *source)
{
    return source->catalog.parts;
}

bool io_source_has_field(const io_source *source, int step, int field)
{
    const int nfields = source->catalog.nfields;
    const int now = grid_field_now(nfields, field);
    const grid_when when = grid_field_when(nfields, field);
    if (when == GRID_BEFORE) {
        return step > 0 && io_source_has_field(source, step - 1, now);
    }
    if (when == GRID_OTHER) {
        const int number = io_other_field(source, now), its = source->other.steps[step];
        return number >= 0 && its >= 0 &&
               io_source_has_field(source->other.source, its, number);
    }
    return io_implied_is(source, field) ||
           *io_catalog_presence(&source->catalog, step, field) != 0;
}

/* Whether the box lies inside the array. An empty box always does. */
static bool box_fits(const io_source *source, int block, int array, const io_box *box)
{
    if (box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0) {
        return true;
    }
    bool cells = array >= 0 && source->catalog.fields[array].location == GRID_CELL;
    for (int axis = 0; axis < 3; axis++) {
        int64_t size = source->shown[block].n[axis] - (cells ? 1 : 0);
        if (box->lo[axis] < 0 || box->lo[axis] + box->n[axis] > size) {
            return false;
        }
    }
    return true;
}

/* An empty box. The other ranks are already entering a collective read. A rank whose box
 * reaches beyond the array therefore takes part with this one, then fails. */
static const io_box nothing = {{0, 0, 0}, {0, 0, 0}};

static status complain(const io_source *source, int block)
{
    return base_fail(STATUS_INTERNAL, "a read of '%s' reaches beyond its block '%s'",
                     source->path, source->catalog.blocks[block].name);
}

int io_source_grid(const io_source *source, int step)
{
    return source->catalog.grids ? source->catalog.grids[step] : 0;
}

bool io_source_moves(const io_source *source)
{
    return source->catalog.grids != NULL;
}

bool io_source_has_moved(const io_source *source)
{
    return source->has_moved;
}

static status choose_own_grid(io_source *source, int step, bool *changes)
{
    const int before = io_source_grid(source, source->grid_step);
    source->grid_step = step;
    if (io_source_grid(source, step) == before) {
        return STATUS_OK;
    }
    *changes = source->has_moved = true;
    io_catalog_choose(&source->catalog, io_source_grid(source, step));
    io_flat_destroy(&source->flat);
    status s = io_flat_find(source, &source->flat);
    s = s == STATUS_OK ? io_source_show_grid(source) : s;
    s = parallel_agree(source->comm, s);
    return s == STATUS_OK && !source->borrows_comm ? io_shape_unwrap(source) : s;
}

status io_source_choose_grid(io_source *source, int step)
{
    const io_other *other = &source->other;
    const int its = other->source ? other->steps[step] : -1;
    bool changes = false;
    status s = choose_own_grid(source, step, &changes);
    s = s == STATUS_OK && its >= 0 ? choose_own_grid(other->source, its, &changes) : s;
    return s == STATUS_OK && its >= 0 && changes ? other->check(source) : s;
}

int io_source_all_blocks(const io_source *source, const grid_block **blocks)
{
    *blocks = io_catalog_all_blocks(&source->catalog);
    return io_catalog_all_count(&source->catalog);
}

bool io_source_has_block(const io_source *source, int step, int block)
{
    const io_block_sets *sets = &source->catalog.sets;
    const size_t grid = (size_t)io_source_grid(source, step);
    return sets->nblocks == 0 ||
           sets->geometry[grid * (size_t)sets->nblocks + (size_t)block] >= 0;
}

int io_source_grid_step(const io_source *source)
{
    return source->grid_step;
}

/* The geometry of a block in a grid, or -1; of data that say nothing of their blocks. */
static int32_t geometry_of(const io_source *source, int step, int block)
{
    const io_block_sets *sets = &source->catalog.sets;
    const int grid = io_source_grid(source, step);
    return sets->nblocks > 0
               ? sets->geometry[(size_t)grid * (size_t)sets->nblocks + (size_t)block]
               : grid;
}

bool io_source_rests(const io_source *source, int a, int b, int block)
{
    const int32_t geometry = geometry_of(source, a, block);
    return geometry >= 0 && geometry == geometry_of(source, b, block);
}

int io_source_same_block(const io_source *source, int step, int block)
{
    const int here = source->grid_step;
    if (io_source_grid(source, here) == io_source_grid(source, step)) {
        return block;
    }
    const int member = io_catalog_member(&source->catalog, block);
    int index = 0;
    for (int n = 0; n < member; n++) {
        index += io_source_has_block(source, step, n);
    }
    return io_source_rests(source, here, step, member) ? index : -1;
}

/* Fails if a field is read at a step whose grid has other blocks. The same on every rank.
 */
static status check_step(const io_source *source, int step)
{
    const bool is_same =
        step == IO_GRID_STEP || source->catalog.sets.nblocks == 0 ||
        io_catalog_same_blocks(&source->catalog, io_source_grid(source, step),
                               io_source_grid(source, source->grid_step));
    return is_same ? STATUS_OK
                   : base_fail(STATUS_INPUT,
                               "step %" PRId64 " of '%s' has other blocks than the grid "
                               "that was read: previous() and mean() need the same ones",
                               source->catalog.steps[step].number, source->path);
}

/* A read of coordinates or values, before views. */
static status read_data(io_source *source, int step, int block, int array,
                        const io_box *box, void *out)
{
    step = step == IO_GRID_STEP ? source->grid_step : step;
    return io_shape_read(source, &(io_view_array){step, block, array}, box, out);
}

status io_source_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out)
{
    const int now = grid_field_now(source->catalog.nfields, array);
    const grid_when when = grid_field_when(source->catalog.nfields, array);
    if (when == GRID_OTHER) {
        const int number = io_other_field(source, now), its = source->other.steps[step];
        return number >= 0 && its >= 0
                   ? io_source_read(source->other.source, its, block, number, box, out)
                   : io_other_fail_step(source, step);
    }
    if (when == GRID_BEFORE) {
        return step > 0 ? io_source_read(source, step - 1, block, now, box, out)
                        : base_fail(STATUS_INPUT,
                                    "'%s' has no step before the first one, which "
                                    "previous() takes",
                                    source->path);
    }
    const status same = check_step(source, step);
    if (same != STATUS_OK) {
        return same;
    }
    const bool fits = box_fits(source, block, array, box);
    const io_box *part = fits ? box : &nothing;
    const status s = io_implied_is(source, array)
                         ? io_implied_read(source, &(io_view_array){step, block, array},
                                           part, read_data, out)
                     : array < IO_ARRAY_IBLANK && io_view_changes(source, block, array)
                         ? io_view_read(source, &(io_view_array){step, block, array},
                                        part, read_data, out)
                         : read_data(source, step, block, array, part, out);
    return fits ? s : complain(source, block);
}

bool io_source_holds(const io_source *source, int block, int field, const io_box *box)
{
    return source->kind->holds && !io_implied_is(source, field) &&
           box_fits(source, block, field, box) &&
           io_shape_has(source, block, field, box) &&
           source->kind->holds(source, block, field, box);
}

bool io_source_reads_alone(const io_source *source)
{
    return source->reads_alone;
}

bool io_source_is_in_memory(const io_source *source)
{
    return source->kind->holds != NULL;
}

void io_source_copy(const io_source *source, const io_fields *fields, const io_box *box,
                    const io_rows *to)
{
    source->kind->copy(source, fields, box, to);
}

/* Turns the floats of a box into doubles, in place. */
static void widen(const io_box *box, double *values)
{
    const float *floats = (const float *)values;
    for (int64_t n = box->n[0] * box->n[1] * box->n[2] - 1; n >= 0; n--) {
        float value;
        memcpy(&value, &floats[n], sizeof value);
        values[n] = (double)value;
    }
}

status io_source_read_doubles(io_source *source, int step, int block, int field,
                              const io_box *box, double *out)
{
    source->wants_doubles = source->kind->has_doubles && !io_implied_is(source, field);
    status s = io_source_read(source, step, block, field, box, out);
    if (!source->wants_doubles && s == STATUS_OK) {
        widen(box, out);
    }
    source->wants_doubles = false;
    return s;
}

bool io_source_is_single(const io_source *source, int field)
{
    const io_unpacking *unpacking = &source->catalog.unpackings[field];
    return !source->kind->has_doubles ||
           (unpacking->type == IO_STORED_FLOAT32 && !unpacking->is_scaled);
}

bool io_source_reads(const io_source *source, const char *path)
{
    return io_file_is_same(source->path, path) ||
           (source->kind->reads && source->kind->reads(source, path));
}

/* io_source_read_places of a source that gives double alone. A rank without memory still
 * takes part, and reads nothing. */
static status narrow_places(io_source *source, int block, int array, double origin,
                            const io_box *box, float *out)
{
    const size_t count = (size_t)(box->n[0] * box->n[1] * box->n[2]);
    const size_t bytes = (count + 1) * sizeof(double);
    double *numbers = malloc(bytes);
    const status s = io_source_read(source, IO_GRID_STEP, block, array,
                                    numbers ? box : &nothing, numbers);
    if (!numbers) {
        return base_fail_memory(bytes, "coordinates being read");
    }
    for (size_t n = 0; s == STATUS_OK && n < count; n++) {
        out[n] = (float)(numbers[n] - origin);
    }
    free(numbers);
    return s;
}

status io_source_read_places(io_source *source, int block, int array, double origin,
                             const io_box *box, float *out)
{
    if (!source->kind->has_places || io_view_changes(source, block, array) ||
        io_shape_is_unwrapped(source)) {
        return narrow_places(source, block, array, origin, box, out);
    }
    source->origin = &origin;
    const status s = io_source_read(source, IO_GRID_STEP, block, array, box, out);
    source->origin = NULL;
    return s;
}

/* ---- The next step ----------------------------------------------------------------- */

void io_source_expect(io_source *source, int step)
{
    const io_read_boxes *boxes = &source->boxes;
    int field = 0;
    while (field < source->catalog.nfields && !io_source_has_field(source, step, field)) {
        field++;
    }
    /* On several nodes ranks may read together: a box without room is a rank's part. */
    const bool is_shared = source->comm != MPI_COMM_SELF &&
                           parallel_node_size(source->comm) < parallel_size(source->comm);
    if (source->kind->holds || is_shared || field == source->catalog.nfields ||
        check_step(source, step) != STATUS_OK) {
        base_fail_set_message("");
        return;
    }
    source->kind->read(source, step, 0, field, &nothing, NULL);
    for (int64_t n = 0; n < boxes->count; n++) {
        const io_read_box *one = &boxes->all[n];
        if (io_source_has_field(source, step, one->array)) {
            source->kind->read(source, step, one->block, one->array, &one->box, NULL);
        }
    }
    base_fail_set_message("");
}

int64_t io_source_window(const io_source *source)
{
    return source->kind->window;
}

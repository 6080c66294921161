#include "builder.h"

#include "base/array.h"
#include "io/sources/listing/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void io_array_counts(const int64_t n[3], grid_location location, int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = n[axis] - (location == GRID_CELL && n[axis] > 1 ? 1 : 0);
    }
}

void io_array_builder_name(const io_array_builder *builder, const char *title,
                           const char *kind, int64_t number, char out[GRID_NAME_SIZE])
{
    char name[NAMES_SIZE];
    names_keep((path_part){title, strlen(title)}, name);
    bool is_new = title[0] != '\0';
    int64_t at = 0, known = 0;
    while (is_new && (known = base_lookup_next(&builder->names, base_lookup_name(name),
                                               &at)) >= 0) {
        is_new = strcmp(builder->catalog->blocks[known].name, name) != 0;
    }
    snprintf(out, GRID_NAME_SIZE, "%s", name);
    if (!is_new) {
        snprintf(out, GRID_NAME_SIZE, "%.43s_%" PRId64, title[0] != '\0' ? name : kind,
                 number);
    }
}

status io_array_builder_add_block(io_array_builder *builder, const grid_block *block,
                                  int *index)
{
    int long_axes = 0;
    double vertices = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        long_axes += block->n[axis] > 1;
        vertices *= (double)block->n[axis];
        if (block->n[axis] < 1) {
            vertices = 0.0;
        }
    }
    if (vertices < 1.0 || vertices > 0x1p60) {
        return base_fail(STATUS_INPUT,
                         "block '%s' of '%s' has %" PRId64 " x %" PRId64 " x %" PRId64
                         " vertices: at least 1 along each axis are needed",
                         block->name, builder->path, block->n[0], block->n[1],
                         block->n[2]);
    }
    if (long_axes < 2) {
        return base_fail(STATUS_INPUT,
                         "block '%s' of '%s' is a line of vertices: karman draws grids "
                         "of two or three dimensions",
                         block->name, builder->path);
    }
    *index = builder->catalog->nblocks;
    const status s = io_catalog_add_block(builder->catalog, block);
    return s == STATUS_OK
               ? base_lookup_add(&builder->names, base_lookup_name(block->name), *index)
               : s;
}

static status add_item(io_array_builder *builder, const io_array_item *item)
{
    return base_array_add(builder->items, builder->count, *item,
                          "the arrays of a data set");
}

/* ---- Grids ------------------------------------------------------------------------- */

enum { OF_GRID = 4 }; /* x, y, z and iblank */

static int64_t *latest_of(const io_array_builder *builder, int block, int array)
{
    const int64_t at = (int64_t)block * OF_GRID + (array - IO_ARRAY_X);
    return at < builder->nlatest ? &builder->latest[at] : NULL;
}

const io_array_place *io_array_builder_latest(const io_array_builder *builder, int block,
                                              int array)
{
    const int64_t *item = latest_of(builder, block, array);
    return item && *item >= 0 ? &builder->items[*item].place : NULL;
}

/* Makes room for the items of a block that were added last. */
static status reserve_latest(io_array_builder *builder, int block)
{
    const int64_t count = ((int64_t)block + 1) * OF_GRID;
    status s = STATUS_OK;
    while (builder->nlatest < count && s == STATUS_OK) {
        s = base_array_add(builder->latest, builder->nlatest, -1, "a list of grids");
    }
    return s;
}

status io_array_builder_add_grid(io_array_builder *builder, int block, int array,
                                 const io_array_place *place)
{
    const io_array_place *known = io_array_builder_latest(builder, block, array);
    if (known && io_array_place_is_same(known, place)) {
        return STATUS_OK;
    }
    const status s = reserve_latest(builder, block);
    if (s != STATUS_OK) {
        return s;
    }
    *latest_of(builder, block, array) = builder->count;
    builder->catalog->double_coordinates |=
        array != IO_ARRAY_IBLANK &&
        (place->type != IO_FLOAT32 || place->file < 0 || place->scale != 0.0);
    builder->catalog->blocks[block].has_iblank |= array == IO_ARRAY_IBLANK;
    return add_item(builder, &(io_array_item){.block = block,
                                              .step = known ? builder->grid_step : 0,
                                              .array = array,
                                              .place = *place});
}

status io_array_builder_add_field(io_array_builder *builder, int block, int step,
                                  const io_array_field *field,
                                  const io_array_place *place)
{
    io_array_item item = {.block = block,
                          .step = step,
                          .location = field->location,
                          .place = *place,
                          .has_fill = field->fill != NULL,
                          .fill = field->fill ? *field->fill : 0.0};
    const int component = field->components > 1 ? field->component : -1;
    names_find_field((path_part){field->name, strlen(field->name)}, component,
                     field->components, item.name);
    snprintf(item.alias, sizeof item.alias, "%.*s", (int)sizeof item.alias - 1,
             component < 0 ? field->name : "");
    return add_item(builder, &item);
}

void io_array_builder_make_even(io_array_builder *builder)
{
    builder->table->is_even = true;
}

void io_array_builder_set_unit(io_array_builder *builder, const char *unit)
{
    io_array_item *last = &builder->items[builder->count - 1];
    snprintf(last->unit, sizeof last->unit, "%.*s", (int)sizeof last->unit - 1, unit);
}

/* The field of an item in the catalogue, or -1. Of a name at vertices and in cells, the
 * second has its location behind it. */
static int find_field(const io_catalog *catalog, io_array_item *item)
{
    const int known = io_catalog_find_field(catalog, item->name);
    if (known < 0 || catalog->fields[known].location == item->location) {
        return known;
    }
    const char *where = item->location == GRID_CELL ? "_in_cells" : "_at_vertices";
    const size_t room = sizeof item->name - 1 - strlen(where);
    item->name[room < strlen(item->name) ? room : strlen(item->name)] = '\0';
    strcat(item->name, where);
    return io_catalog_find_field(catalog, item->name);
}

/* Adds the fields of the items to the catalogue. */
static status add_fields(io_array_builder *builder)
{
    io_catalog *catalog = builder->catalog;
    status s = STATUS_OK;
    for (int64_t n = 0; n < builder->count && s == STATUS_OK; n++) {
        io_array_item *item = &builder->items[n];
        if (item->array >= 0 && find_field(catalog, item) < 0) {
            grid_field field = {.location = item->location};
            memcpy(field.name, item->name, sizeof field.name);
            memcpy(field.alias, item->alias, sizeof field.alias);
            s = io_catalog_add_field(catalog, &field);
        }
    }
    io_catalog_sort_fields(catalog);
    return s;
}

/* Numbers come as doubles, so fill values do. */
static void set_unpacking(const io_array_item *item, io_unpacking *unpacking)
{
    const bool is_single = item->place.type == IO_FLOAT32 && unpacking->nfills == 0;
    unpacking->type =
        is_single && !item->has_fill ? IO_STORED_FLOAT32 : IO_STORED_FLOAT64;
    if (item->has_fill) {
        io_unpacking_add_fill(unpacking, IO_STORED_FLOAT64,
                              (io_stored){.f64 = item->fill});
    }
}

static void set_field(const io_array_builder *builder, const io_array_item *item)
{
    io_catalog *catalog = builder->catalog;
    const int field = io_catalog_find_field(catalog, item->name);
    const int end = builder->table->is_even ? catalog->nsteps : item->step + 1;
    for (int step = item->step; step < end; step++) {
        *io_catalog_presence(catalog, step, field) = 1;
    }
    set_unpacking(item, &catalog->unpackings[field]);
    memcpy(catalog->unpackings[field].unit, item->unit, sizeof item->unit);
    *io_array_table_at(builder->table, catalog, item->step, item->block, field) =
        item->place;
}

/* Puts the places of the items into the table. Backwards, as a grid holds until the step
 * of the next one: `latest` has that step. */
static void set_places(io_array_builder *builder)
{
    const int64_t steps = builder->catalog->grids ? builder->catalog->nsteps : 1;
    for (int64_t n = 0; n < builder->nlatest; n++) {
        builder->latest[n] = steps > 0 ? steps : 1;
    }
    for (int64_t n = 0; n < builder->count; n++) {
        if (builder->items[n].array >= 0) {
            set_field(builder, &builder->items[n]);
        }
    }
    for (int64_t n = builder->count - 1; n >= 0; n--) {
        const io_array_item *item = &builder->items[n];
        int64_t *end =
            item->array < 0 ? latest_of(builder, item->block, item->array) : NULL;
        for (int64_t step = item->step; end && step < *end; step++) {
            *io_array_table_at(builder->table, builder->catalog, (int)step, item->block,
                               item->array) = item->place;
        }
        if (end) {
            *end = item->step;
        }
    }
}

/* Whether there are steps: a grid alone has some if it changes. */
static bool has_steps(const io_array_builder *builder)
{
    const int64_t all = (int64_t)builder->catalog->nblocks * builder->nsteps;
    bool has = builder->catalog->nfields > 0 ||
               (builder->nsteps > 1 && builder->nmarks > 0 && builder->nmarks != all);
    for (int64_t n = 0; n < builder->count && !has; n++) {
        has = builder->items[n].array < 0 && builder->items[n].step > 0;
    }
    return has;
}

/* Completes the catalogue, but for its blocks, which are those of all grids. */
static status complete(io_array_builder *builder, int *ngrids, int32_t **geometry)
{
    io_named_step one = {{0, 0.0}, "0"};
    status s = add_fields(builder);
    if (s == STATUS_OK && has_steps(builder)) {
        s = io_catalog_set_steps(builder->catalog, builder->path,
                                 builder->steps ? builder->nsteps : 1,
                                 builder->steps ? builder->steps : &one);
    }
    s = s == STATUS_OK ? io_catalog_clear_presence(builder->catalog) : s;
    return s == STATUS_OK ? io_array_builder_find_grids(builder, ngrids, geometry) : s;
}

status io_array_builder_finish(io_array_builder *builder, status s)
{
    int ngrids = 1;
    int32_t *geometry = NULL;
    s = s == STATUS_OK ? complete(builder, &ngrids, &geometry) : s;
    s = s == STATUS_OK
            ? io_array_table_create(builder->path, builder->catalog, builder->table)
            : s;
    if (s == STATUS_OK) {
        set_places(builder);
    }
    if (s == STATUS_OK && geometry) {
        s = io_catalog_set_geometry(builder->catalog, ngrids, geometry);
    } else {
        free(geometry);
    }
    free(builder->items);
    free(builder->latest);
    io_array_builder_drop_blocks(builder);
    builder->items = NULL;
    builder->latest = NULL;
    return s;
}

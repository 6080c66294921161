#include "contents.h"

#include "io/sources/hdf5/attributes.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status check_format(reader *r)
{
    double format;
    if (r->names->own_grid &&
        catalog_read_attribute(r->grid, "/", "karman_format", &format) && format != 1.0 &&
        format != 2.0) {
        return base_fail(
            STATUS_INPUT,
            "file '%s' has karman_format %g, but this karman reads formats 1 and 2: a "
            "newer one is needed",
            r->grid->path, format);
    }
    return STATUS_OK;
}

/* ---- fields ----------------------------------------------------------------------- */

static herr_t visit_child(hid_t group, const char *name, const H5L_info_t *info,
                          void *context)
{
    (void)info;
    walk *w = context;
    if (catalog_object_kind(group, name) == H5I_GROUP && strlen(name) < sizeof w->child) {
        strcpy(w->child, name);
        w->groups++;
    }
    return 0;
}

/* If the grid is given by the config and the flow is of karman's own layout, the block
 * takes its name from /flow. */
static status adopt_block_name(reader *r)
{
    if (r->names->own_grid || !r->names->own_flow || r->catalog->nsteps == 0 ||
        r->names->has_blocks) {
        return STATUS_OK;
    }
    walk w = {.reader = r};
    char path[IO_PATH_SIZE];
    snprintf(path, sizeof path, "/flow/%s", r->catalog->step_names[0]);
    if (!catalog_visit_members(r->file, path, visit_child, &w) || w.groups != 1) {
        return base_fail(
            STATUS_INPUT,
            "'%s' of file '%s' holds %d blocks, but data.grid names one: say in "
            "data.fields where its fields are",
            path, r->file->path, w.groups);
    }
    strcpy(r->catalog->blocks[0].name, w.child);
    return STATUS_OK;
}

static herr_t visit_field(hid_t group, const char *name, const H5L_info_t *info,
                          void *context)
{
    (void)info;
    walk *w = context;
    io_catalog *catalog = w->reader->catalog;
    const H5I_type_t kind = catalog_object_kind(group, name);
    if (kind != H5I_DATASET) {
        w->status = io_catalog_omit(catalog, "'%s' in '%s': %s", name, w->path,
                                    kind == H5I_BADID   ? "it leads to nothing"
                                    : kind == H5I_GROUP ? "it is a group"
                                                        : "it is no data set");
        return w->status == STATUS_OK ? 0 : 1;
    }
    if (io_catalog_find_field(catalog, name) >= 0) {
        return 0;
    }
    grid_field field;
    memset(&field, 0, sizeof field);
    w->status = catalog_check_name(w->reader->file, name);
    if (w->status == STATUS_OK) {
        strcpy(field.name, name);
        w->status = io_catalog_add_field(catalog, &field);
    }
    return w->status == STATUS_OK ? 0 : 1;
}

/* Finds the fields of all steps in the first block: every block has all fields, but steps
 * may differ. */
static status find_own_fields(reader *r)
{
    walk w = {.reader = r};
    for (int step = 0; step < r->catalog->nsteps && w.status == STATUS_OK; step++) {
        char path[IO_PATH_SIZE];
        snprintf(path, sizeof path, "/flow/%s/%s", r->catalog->step_names[step],
                 r->catalog->blocks[0].name);
        w.path = path;
        if (catalog_object_kind(r->file->id, path) == H5I_GROUP &&
            !catalog_visit_members(r->file, path, visit_field, &w)) {
            return base_fail(STATUS_INPUT, "group '%s' of file '%s' cannot be read", path,
                             r->file->path);
        }
    }
    io_catalog_sort_fields(r->catalog);
    return w.status;
}

/* With several blocks, paths of fields say where the name of the block stands. */
static status check_blocks(const reader *r, int field)
{
    const io_field_path *given = &r->config->fields[field];
    if (!r->names->fields[field].has_block && r->catalog->nblocks > 1) {
        return base_fail(STATUS_INPUT,
                         "data.fields.%s: file '%s' has %d blocks, but '%s' names the "
                         "data set of one: put %%s in the place of the block's name",
                         given->name, r->grid->path, r->catalog->nblocks, given->path);
    }
    return STATUS_OK;
}

static status find_named_fields(reader *r)
{
    for (int n = 0; n < r->names->nfields; n++) {
        grid_field field;
        memset(&field, 0, sizeof field);
        strcpy(field.name, r->config->fields[n].name);
        status s = check_blocks(r, n);
        if (s == STATUS_OK) {
            s = io_catalog_add_field(r->catalog, &field);
        }
        if (s != STATUS_OK) {
            return s;
        }
    }
    return STATUS_OK;
}

/* Records how values of a field become numbers, and their unit. Errors are ignored here;
 * they are reported when the field is drawn. */
static void note_unpacking(reader *r, const io_hdf5_dataset *dataset, int field)
{
    io_unpacking *unpacking = &r->catalog->unpackings[field];
    const char *ignored;
    if (io_hdf5_unpacking_read(r->file, dataset, unpacking, &ignored) != STATUS_OK) {
        base_fail_set_message("");
    }
    io_hdf5_unpacking_add(r->config, unpacking);
    io_hdf5_unit_read(dataset, unpacking->unit);
}

/* Finds the location of a field from its data set in the first block, and checks the
 * other blocks. */
static status look_at_field_block(reader *r, int step, int block, int field)
{
    io_hdf5_place place;
    io_hdf5_dataset dataset;
    io_hdf5_names_locate(r->names, r->catalog, step, block, field, &place);
    status s = io_hdf5_dataset_open(r->file, &place, &dataset);
    if (s != STATUS_OK) {
        return s;
    }
    r->is_virtual |= dataset.is_virtual;
    const grid_block *b = &r->catalog->blocks[block];
    grid_field *f = &r->catalog->fields[field];
    s = block == 0
            ? io_hdf5_location_find(r->file, &dataset, b, r->catalog->nblocks == 1, f)
            : io_hdf5_location_check(r->file, &dataset, b, f);
    if (s == STATUS_OK && block == 0) {
        note_unpacking(r, &dataset, field);
    }
    io_hdf5_dataset_close(&dataset);
    return s;
}

static status look_at_field(reader *r, int step, int field)
{
    status s = STATUS_OK;
    for (int block = 0; block < r->catalog->nblocks && s == STATUS_OK; block++) {
        s = look_at_field_block(r, step, block, field);
    }
    return s;
}

/* The number of steps that an axis of the field has; INT64_MAX without such an axis. */
static status limit_steps(const reader *r, int field, int64_t *limit)
{
    *limit = INT64_MAX;
    return !r->names->own_flow && io_axes_have_step(&r->names->fields[field].axes)
               ? catalog_count_steps(r, field, limit)
               : STATUS_OK;
}

/* Records the steps that have a field, and checks the field at the first of them. */
static status find_presence(reader *r, int field)
{
    bool found = false;
    int64_t limit;
    status limited = limit_steps(r, field, &limit);
    if (limited != STATUS_OK) {
        return limited;
    }
    for (int step = 0; step < r->catalog->nsteps; step++) {
        io_hdf5_place place;
        io_hdf5_names_locate(r->names, r->catalog, step, 0, field, &place);
        if (r->catalog->steps[step].number >= limit ||
            catalog_object_kind(r->file->id, place.path) == H5I_BADID) {
            continue;
        }
        *io_catalog_presence(r->catalog, step, field) = 1;
        status s = found ? STATUS_OK : look_at_field(r, step, field);
        if (s != STATUS_OK) {
            return s;
        }
        found = true;
    }
    if (!found) {
        const io_field_path *given = &r->config->fields[field];
        return base_fail(STATUS_INPUT, "data.fields.%s: file '%s' has no data set '%s'",
                         given->name, r->file->path, given->path);
    }
    return STATUS_OK;
}

static status read_fields(reader *r)
{
    status s = adopt_block_name(r);
    if (s == STATUS_OK) {
        s = r->names->own_flow ? find_own_fields(r) : find_named_fields(r);
    }
    if (s == STATUS_OK) {
        s = io_catalog_clear_presence(r->catalog);
    }
    for (int field = 0; field < r->catalog->nfields && s == STATUS_OK; field++) {
        s = find_presence(r, field);
    }
    return s;
}

status io_hdf5_catalog_read(const io_hdf5_files *files, const io_data_config *config,
                            const io_hdf5_names *names, io_catalog *catalog,
                            bool *is_virtual)
{
    reader r = {.file = &files->flow,
                .grid = files->has_grid ? &files->grid : &files->flow,
                .config = config,
                .names = names,
                .catalog = catalog};
    status s = check_format(&r);
    if (s == STATUS_OK) {
        s = catalog_read_grid(&r);
    }
    if (s == STATUS_OK) {
        s = catalog_read_steps(&r);
    }
    if (s == STATUS_OK && names->own_grid) {
        s = catalog_read_moves(&r);
    }
    if (s == STATUS_OK) {
        s = read_fields(&r);
    }
    *is_virtual = r.is_virtual;
    return s == STATUS_OK ? io_catalog_note(catalog, "format", "HDF5, %s",
                                            names->own_grid && names->own_flow
                                                ? "karman's own layout"
                                                : "data sets that the config names")
                          : s;
}

#include "contents.h"

#include "attributes.h"
#include "base/array.h"
#include "layouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State while the catalogue of a file is made. */
typedef struct reader {
    const io_hdf5_file *file;
    const io_data_config *config;
    const io_hdf5_names *names;
    io_catalog *catalog; /* borrowed, being filled in */
} reader;

/* ---- groups and attributes -------------------------------------------------------- */

static H5I_type_t object_kind(hid_t location, const char *path)
{
    hid_t id = H5Oopen(location, path, H5P_DEFAULT);
    if (id < 0) {
        return H5I_BADID;
    }
    H5I_type_t kind = H5Iget_type(id);
    H5Oclose(id);
    return kind;
}

/* Calls `visit` for every member of a group, in the order of names, until it returns
 * another value than 0. False if the group cannot be opened. */
static bool visit_members(const io_hdf5_file *file, const char *path, H5L_iterate_t visit,
                          void *context)
{
    hid_t group = H5Gopen(file->id, path, H5P_DEFAULT);
    if (group < 0) {
        return false;
    }
    herr_t result = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, context);
    H5Gclose(group);
    return result >= 0;
}

/* Reads an attribute, a number, of the object at `path`; false if there is none. */
static bool read_attribute(const io_hdf5_file *file, const char *path, const char *name,
                           double *value)
{
    hid_t attribute = H5Aopen_by_name(file->id, path, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) {
        return false;
    }
    hid_t space = H5Aget_space(attribute);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    double number;
    bool done = single && H5Aread(attribute, H5T_NATIVE_DOUBLE, &number) >= 0;
    if (space >= 0) {
        H5Sclose(space);
    }
    H5Aclose(attribute);
    if (done) {
        *value = number;
    }
    return done;
}

/* Refuses a file of another layout than karman's own, and says how to proceed. `lack`: a
 * clause on the missing part, for a file of an unknown layout. */
static status refuse_layout(const io_hdf5_file *file, const char *lack)
{
    io_hdf5_layout layout;
    io_hdf5_layout_find(file, &layout);
    if (layout.obstacle[0] != '\0') {
        return base_fail(STATUS_INPUT, "file '%s' is %s: %s", file->path, layout.name,
                         layout.obstacle);
    }
    if (layout.name[0] != '\0') {
        return base_fail(STATUS_INPUT,
                         "file '%s' is %s, which has another layout than karman's own: "
                         "'karman info %s' lists its data sets and prints a data section "
                         "for a config",
                         file->path, layout.name, file->path);
    }
    return base_fail(STATUS_INPUT,
                     "file '%s' %s, so it is of another layout than karman's own: "
                     "'karman info %s' lists its data sets and prints a data section for "
                     "a config",
                     file->path, lack, file->path);
}

static status check_format(const reader *r)
{
    double format;
    if (r->names->own_grid && read_attribute(r->file, "/", "karman_format", &format) &&
        format != 1.0) {
        return base_fail(
            STATUS_INPUT,
            "file '%s' has karman_format %g, but this karman reads format 1: a "
            "newer one is needed",
            r->file->path, format);
    }
    return STATUS_OK;
}

/* ---- the grid --------------------------------------------------------------------- */

/* Checks the shape of x, y, z or iblank. x gives the block its shape. */
static status look_at_array(const reader *r, grid_block *block, int number, int array)
{
    io_hdf5_place place;
    io_hdf5_dataset dataset;
    io_hdf5_names_locate(r->names, r->catalog, 0, number, array, &place);
    status s = io_hdf5_dataset_open(r->file, &place, &dataset);
    if (s != STATUS_OK) {
        return s;
    }
    if (array == IO_ARRAY_X) {
        memcpy(block->n, dataset.n, sizeof block->n);
    }
    char what[GRID_NAME_SIZE + 32];
    snprintf(what, sizeof what, "x of block '%s'", block->name);
    s = io_hdf5_dataset_check(r->file, &dataset, block->n, what);
    io_unpacking unpacking = {.is_scaled = false};
    const char *ignored;
    if (s == STATUS_OK && array != IO_ARRAY_IBLANK) {
        s = io_hdf5_unpacking_read(r->file, &dataset, &unpacking, &ignored);
    }
    if (array != IO_ARRAY_IBLANK &&
        (!dataset.is_float || dataset.precision > 4 || unpacking.is_scaled)) {
        r->catalog->double_coordinates = true;
    }
    io_hdf5_dataset_close(&dataset);
    return s;
}

static status look_at_block(const reader *r, int number, bool has_iblank)
{
    grid_block *block = &r->catalog->blocks[number];
    block->has_iblank = has_iblank;
    int last = has_iblank ? IO_ARRAY_IBLANK : IO_ARRAY_Z;
    for (int array = IO_ARRAY_X; array <= last; array++) {
        status s = look_at_array(r, block, number, array);
        if (s != STATUS_OK) {
            return s;
        }
    }
    if (block->n[0] < 2 || block->n[1] < 2 || block->n[2] < 2) {
        return base_fail(STATUS_INPUT,
                         "block '%s' of file '%s' has %lld x %lld x %lld vertices: "
                         "two-dimensional grids are not drawn yet, at least 2 are needed "
                         "along each axis",
                         block->name, r->file->path, (long long)block->n[0],
                         (long long)block->n[1], (long long)block->n[2]);
    }
    return STATUS_OK;
}

static status name_is_short(const reader *r, const char *name)
{
    if (strlen(name) < GRID_NAME_SIZE) {
        return STATUS_OK;
    }
    return base_fail(STATUS_INPUT, "file '%s': the name '%s' has more than %d bytes",
                     r->file->path, name, GRID_NAME_SIZE - 1);
}

/* State of a walk over a group's members. */
typedef struct walk {
    const reader *reader;
    const io_pattern
        *pattern; /* the pattern of the steps to look for; NULL: karman's own layout */
    int nsteps;
    int64_t capacity;
    io_named_step *steps;
    char child[GRID_NAME_SIZE]; /* the last group found */
    int groups;
    status status;
} walk;

static herr_t visit_block(hid_t group, const char *name, const H5L_info_t *info,
                          void *context)
{
    (void)info;
    walk *w = context;
    if (object_kind(group, name) != H5I_GROUP) {
        return 0;
    }
    grid_block block;
    memset(&block, 0, sizeof block);
    w->status = name_is_short(w->reader, name);
    if (w->status == STATUS_OK) {
        strcpy(block.name, name);
        w->status = io_catalog_add_block(w->reader->catalog, &block);
    }
    return w->status == STATUS_OK ? 0 : 1;
}

static status read_own_grid(const reader *r)
{
    walk w = {.reader = r};
    if (!visit_members(r->file, "/grid", visit_block, &w)) {
        return refuse_layout(r->file, "has no group '/grid'");
    }
    if (w.status == STATUS_OK && r->catalog->nblocks == 0) {
        return refuse_layout(r->file, "holds no block in its group '/grid'");
    }
    for (int block = 0; block < r->catalog->nblocks && w.status == STATUS_OK; block++) {
        char path[IO_PATH_SIZE];
        snprintf(path, sizeof path, "/grid/%s/iblank", r->catalog->blocks[block].name);
        w.status = look_at_block(r, block, object_kind(r->file->id, path) != H5I_BADID);
    }
    if (w.status == STATUS_OK && !r->names->own_flow && r->catalog->nblocks > 1) {
        return base_fail(
            STATUS_INPUT,
            "file '%s' has %d blocks, but data.fields names the data sets of one: "
            "leave data.fields out and keep fields in /flow/<step>/<block>",
            r->file->path, r->catalog->nblocks);
    }
    return w.status;
}

static status read_named_grid(const reader *r)
{
    grid_block block;
    memset(&block, 0, sizeof block);
    strcpy(block.name, "block");
    status s = io_catalog_add_block(r->catalog, &block);
    return s == STATUS_OK ? look_at_block(r, 0, r->names->has_iblank) : s;
}

/* ---- steps ------------------------------------------------------------------------ */

static status add_step(walk *w, const io_named_step *step)
{
    io_named_step *steps =
        base_array_reserve(w->steps, &w->capacity, w->nsteps + 1, sizeof *steps);
    if (!steps) {
        return base_fail_memory((size_t)w->nsteps * sizeof *steps, "the list of steps");
    }
    w->steps = steps;
    w->steps[w->nsteps++] = *step;
    return STATUS_OK;
}

static herr_t visit_step(hid_t group, const char *name, const H5L_info_t *info,
                         void *context)
{
    (void)group;
    (void)info;
    walk *w = context;
    io_named_step step;
    bool found = w->pattern ? io_pattern_match(w->pattern, name, &step)
                            : io_step_name_parse(name, &step);
    if (!found) {
        return 0;
    }
    char path[IO_PATH_SIZE];
    if (w->pattern) {
        io_pattern_expand_step(w->pattern, step.name, path);
    } else {
        snprintf(path, sizeof path, "/flow/%s", step.name);
    }
    read_attribute(w->reader->file, path, "time", &step.step.time);
    w->status = add_step(w, &step);
    return w->status == STATUS_OK ? 0 : 1;
}

/* A file without /flow contains only a grid. A /flow without steps probably belongs to
 * another layout. */
static status find_own_steps(walk *w)
{
    const io_hdf5_file *file = w->reader->file;
    if (object_kind(file->id, "/flow") == H5I_BADID) {
        return STATUS_OK;
    }
    if (!visit_members(file, "/flow", visit_step, w)) {
        return refuse_layout(file, "has a '/flow' that is not a group of steps");
    }
    if (w->status == STATUS_OK && w->nsteps == 0) {
        return refuse_layout(file, "holds no numbered step in its group '/flow'");
    }
    return w->status;
}

/* Adds the steps that may have the data set of one field of the config. */
static status find_named_steps(walk *w, int field)
{
    const io_hdf5_file *file = w->reader->file;
    const io_pattern *pattern = &w->reader->names->fields[field];
    const io_field_path *given = &w->reader->config->fields[field];
    const char *group = pattern->group[0] != '\0' ? pattern->group : "/";
    int before = w->nsteps;
    w->pattern = pattern;
    if (!visit_members(file, group, visit_step, w)) {
        return base_fail(
            STATUS_INPUT,
            "data.fields.%s: file '%s' has no group '%s' to look for the steps "
            "of '%s' in",
            given->name, file->path, group, given->path);
    }
    if (w->status == STATUS_OK && w->nsteps == before) {
        return base_fail(STATUS_INPUT,
                         "data.fields.%s: nothing in group '%s' of file '%s' fits '%s'",
                         given->name, group, file->path, given->path);
    }
    return w->status;
}

/* Finds the steps of the fields in the config. If no path has a step, there is one step,
 * 0. */
static status find_all_named_steps(walk *w)
{
    status s = STATUS_OK;
    bool any = false;
    for (int field = 0; field < w->reader->names->nfields && s == STATUS_OK; field++) {
        if (w->reader->names->fields[field].has_step) {
            any = true;
            s = find_named_steps(w, field);
        }
    }
    if (s == STATUS_OK && !any) {
        io_named_step only;
        io_step_name_parse("0", &only);
        s = add_step(w, &only);
    }
    return s;
}

static status read_steps(const reader *r)
{
    walk w = {.reader = r};
    status s = r->names->own_flow ? find_own_steps(&w) : find_all_named_steps(&w);
    if (s == STATUS_OK) {
        s = io_catalog_set_steps(r->catalog, r->file->path, w.nsteps, w.steps);
    }
    free(w.steps);
    return s;
}

/* ---- fields ----------------------------------------------------------------------- */

static herr_t visit_child(hid_t group, const char *name, const H5L_info_t *info,
                          void *context)
{
    (void)info;
    walk *w = context;
    if (object_kind(group, name) == H5I_GROUP && strlen(name) < sizeof w->child) {
        strcpy(w->child, name);
        w->groups++;
    }
    return 0;
}

/* If the grid is given by the config and the flow is of karman's own layout, the block
 * takes its name from /flow. */
static status adopt_block_name(const reader *r)
{
    if (r->names->own_grid || !r->names->own_flow || r->catalog->nsteps == 0) {
        return STATUS_OK;
    }
    walk w = {.reader = r};
    char path[IO_PATH_SIZE];
    snprintf(path, sizeof path, "/flow/%s", r->catalog->step_names[0]);
    if (!visit_members(r->file, path, visit_child, &w) || w.groups != 1) {
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
    if (object_kind(group, name) != H5I_DATASET ||
        io_catalog_find_field(catalog, name) >= 0) {
        return 0;
    }
    grid_field field;
    memset(&field, 0, sizeof field);
    w->status = name_is_short(w->reader, name);
    if (w->status == STATUS_OK) {
        strcpy(field.name, name);
        w->status = io_catalog_add_field(catalog, &field);
    }
    return w->status == STATUS_OK ? 0 : 1;
}

/* Finds the fields of all steps in the first block: every block has all fields, but steps
 * may differ. */
static status find_own_fields(const reader *r)
{
    walk w = {.reader = r};
    for (int step = 0; step < r->catalog->nsteps && w.status == STATUS_OK; step++) {
        char path[IO_PATH_SIZE];
        snprintf(path, sizeof path, "/flow/%s/%s", r->catalog->step_names[step],
                 r->catalog->blocks[0].name);
        if (object_kind(r->file->id, path) == H5I_GROUP &&
            !visit_members(r->file, path, visit_field, &w)) {
            return base_fail(STATUS_INPUT, "group '%s' of file '%s' cannot be read", path,
                             r->file->path);
        }
    }
    io_catalog_sort_fields(r->catalog);
    return w.status;
}

static status find_named_fields(const reader *r)
{
    for (int n = 0; n < r->names->nfields; n++) {
        grid_field field;
        memset(&field, 0, sizeof field);
        strcpy(field.name, r->config->fields[n].name);
        status s = io_catalog_add_field(r->catalog, &field);
        if (s != STATUS_OK) {
            return s;
        }
    }
    return STATUS_OK;
}

/* Records how values of a field become numbers. Errors are ignored here; they are
 * reported when the field is drawn. */
static void note_unpacking(const reader *r, const io_hdf5_dataset *dataset, int field)
{
    io_unpacking *unpacking = &r->catalog->unpackings[field];
    const char *ignored;
    if (io_hdf5_unpacking_read(r->file, dataset, unpacking, &ignored) != STATUS_OK) {
        base_fail_set_message("");
    }
    io_hdf5_unpacking_add(r->config, unpacking);
}

/* Finds the location of a field from its data set in the first block, and checks the
 * other blocks. */
static status look_at_field_block(const reader *r, int step, int block, int field)
{
    io_hdf5_place place;
    io_hdf5_dataset dataset;
    io_hdf5_names_locate(r->names, r->catalog, step, block, field, &place);
    status s = io_hdf5_dataset_open(r->file, &place, &dataset);
    if (s != STATUS_OK) {
        return s;
    }
    const grid_block *b = &r->catalog->blocks[block];
    grid_field *f = &r->catalog->fields[field];
    s = block == 0 ? io_hdf5_location_find(r->file, &dataset, b, &f->location)
                   : io_hdf5_location_check(r->file, &dataset, b, f);
    if (s == STATUS_OK && block == 0) {
        note_unpacking(r, &dataset, field);
    }
    io_hdf5_dataset_close(&dataset);
    return s;
}

static status look_at_field(const reader *r, int step, int field)
{
    status s = STATUS_OK;
    for (int block = 0; block < r->catalog->nblocks && s == STATUS_OK; block++) {
        s = look_at_field_block(r, step, block, field);
    }
    return s;
}

/* Records the steps that have a field, and checks the field at the first of them. */
static status find_presence(const reader *r, int field)
{
    bool found = false;
    for (int step = 0; step < r->catalog->nsteps; step++) {
        io_hdf5_place place;
        io_hdf5_names_locate(r->names, r->catalog, step, 0, field, &place);
        if (object_kind(r->file->id, place.path) == H5I_BADID) {
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

static status read_fields(const reader *r)
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

status io_hdf5_catalog_read(const io_hdf5_file *file, const io_data_config *config,
                            const io_hdf5_names *names, io_catalog *catalog)
{
    const reader r = {file, config, names, catalog};
    status s = check_format(&r);
    if (s == STATUS_OK) {
        s = names->own_grid ? read_own_grid(&r) : read_named_grid(&r);
    }
    if (s == STATUS_OK) {
        s = read_steps(&r);
    }
    s = s == STATUS_OK ? read_fields(&r) : s;
    return s == STATUS_OK ? io_catalog_note(catalog, "format", "HDF5, %s",
                                            names->own_grid && names->own_flow
                                                ? "karman's own layout"
                                                : "data sets that the config names")
                          : s;
}

#include "base/array.h"
#include "io/sources/hdf5/virtual.h"
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The block whose data sets stand for those of all. */
static const char *first_block(const reader *r)
{
    return r->catalog->blocks[0].name;
}

static status add_step(walk *w, const io_named_step *step)
{
    return base_array_add(w->steps, w->nsteps, *step, "the list of steps");
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
    if (!found && !w->pattern) {
        w->status =
            io_catalog_omit(w->reader->catalog, "'%s' in '/flow': it is no number", name);
    }
    if (!found) {
        return w->status == STATUS_OK ? 0 : 1;
    }
    char path[IO_PATH_SIZE];
    if (w->pattern) {
        io_pattern_expand_step(w->pattern, step.name, path);
    } else {
        snprintf(path, sizeof path, "/flow/%s", step.name);
    }
    catalog_read_time(w->reader->file, path, &step.step.time);
    w->status = add_step(w, &step);
    return w->status == STATUS_OK ? 0 : 1;
}

/* A file without /flow contains only a grid. A /flow without steps probably belongs to
 * another layout. */
static status find_own_steps(walk *w)
{
    const io_hdf5_file *file = w->reader->file;
    if (catalog_object_kind(file->id, "/flow") == H5I_BADID) {
        return STATUS_OK;
    }
    if (!catalog_visit_members(file, "/flow", visit_step, w)) {
        return catalog_refuse_layout(file, "has a '/flow' that is not a group of steps");
    }
    if (w->status == STATUS_OK && w->nsteps == 0) {
        return catalog_refuse_layout(file, "holds no numbered step in its group '/flow'");
    }
    return w->status;
}

/* Adds the steps that may have the data set of one field of the config. */
static status find_named_steps(walk *w, int field)
{
    const io_hdf5_file *file = w->reader->file;
    io_pattern one;
    const io_pattern *pattern = &one;
    io_pattern_in_block(&w->reader->names->fields[field], first_block(w->reader), &one);
    const io_field_path *given = &w->reader->config->fields[field];
    const char *group = pattern->group[0] != '\0' ? pattern->group : "/";
    int before = w->nsteps;
    w->pattern = pattern;
    if (!catalog_visit_members(file, group, visit_step, w)) {
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

/* ---- the axis of steps --------------------------------------------------------------
 */

enum { MOST_STEPS = 10 * 1000 * 1000 };

/* The axis of steps among `rank` axes. */
static int find_step_axis(const io_axes *axes, int rank)
{
    for (int n = 0; n < axes->nlead; n++) {
        if (axes->lead[n] == IO_AXIS_STEP) {
            return n;
        }
    }
    int n = 0;
    while (axes->trail[n] != IO_AXIS_STEP) {
        n++;
    }
    return rank - axes->ntrail + n;
}

/* Shape of the data set at `path`; its rank, or -1 if there is none. */
static int find_shape(const io_hdf5_file *file, const char *path,
                      hsize_t shape[H5S_MAX_RANK])
{
    hid_t set = H5Dopen(file->id, path, io_hdf5_links());
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, shape, NULL);
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return rank;
}

status catalog_count_steps(const reader *r, int field, int64_t *count)
{
    char path[IO_PATH_SIZE];
    hsize_t shape[H5S_MAX_RANK];
    io_pattern one;
    io_pattern_in_block(&r->names->fields[field], first_block(r), &one);
    io_pattern_expand(&one, "", path);
    const char *name = r->config->fields[field].name;
    const int rank = find_shape(r->file, path, shape);
    if (rank < 0) {
        return base_fail(STATUS_INPUT, "data.fields.%s: file '%s' has no data set '%s'",
                         name, r->file->path, path);
    }
    const int axis = find_step_axis(&one.axes, rank);
    if (axis < 0 || axis >= rank || shape[axis] > MOST_STEPS) {
        return base_fail(STATUS_INPUT,
                         "data.fields.%s: data set '%s' of file '%s' has no axis of at "
                         "most %d steps",
                         name, path, r->file->path, (int)MOST_STEPS);
    }
    *count = (int64_t)shape[axis];
    return STATUS_OK;
}

static status add_steps_along(walk *w, int field)
{
    int64_t count = 0;
    status s = catalog_count_steps(w->reader, field, &count);
    for (int64_t n = 0; n < count && s == STATUS_OK; n++) {
        char name[IO_STEP_NAME_SIZE];
        io_named_step step;
        snprintf(name, sizeof name, "%" PRId64, n);
        io_step_name_parse(name, &step);
        s = add_step(w, &step);
    }
    return s;
}

/* Finds the steps of the fields in the config. If no path has a step, there is one step,
 * 0. */
static status find_all_named_steps(walk *w)
{
    status s = STATUS_OK;
    bool any = false;
    for (int field = 0; field < w->reader->names->nfields && s == STATUS_OK; field++) {
        const io_pattern *pattern = &w->reader->names->fields[field];
        if (pattern->has_step) {
            any = true;
            s = find_named_steps(w, field);
        } else if (io_axes_have_step(&pattern->axes)) {
            any = true;
            s = add_steps_along(w, field);
        }
    }
    if (s == STATUS_OK && !any) {
        io_named_step only;
        io_step_name_parse("0", &only);
        catalog_read_time(w->reader->file, "/", &only.step.time);
        s = add_step(w, &only);
    }
    return s;
}

/* ---- times ------------------------------------------------------------------------- */

/* Reads a list of at most MOST_STEPS numbers; NULL if the data set has none.
 * malloc'ed. */
static double *read_list(const io_hdf5_file *file, const char *path, int64_t *count)
{
    hid_t set = io_hdf5_values_open(file->id, path);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    const hssize_t values = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    double *list =
        values > 0 && values <= MOST_STEPS ? malloc((size_t)values * sizeof *list) : NULL;
    if (list &&
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, list) < 0) {
        free(list);
        list = NULL;
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    *count = (int64_t)values;
    return list;
}

/* The times of all steps from one list: each has one, or its number counts entries. */
static status take_times(const reader *r, const char *path)
{
    io_catalog *catalog = r->catalog;
    int64_t count;
    double *list = read_list(r->file, path, &count);
    if (!list) {
        return base_fail(STATUS_INPUT,
                         "data.time: file '%s' has no data set of numbers '%s'",
                         r->file->path, path);
    }
    for (int n = 0; n < catalog->nsteps; n++) {
        const int64_t at = count == catalog->nsteps ? n : catalog->steps[n].number;
        if (at >= count) {
            free(list);
            return base_fail(STATUS_INPUT,
                             "data.time: data set '%s' of file '%s' has %" PRId64
                             " values, but there are %d steps",
                             path, r->file->path, count, catalog->nsteps);
        }
        catalog->steps[n].time = list[at];
    }
    free(list);
    return STATUS_OK;
}

/* The times of the config's data.time. A step whose data set is missing keeps its
 * time. */
static status read_times(const reader *r)
{
    io_pattern one;
    char path[IO_PATH_SIZE];
    io_pattern_in_block(&r->names->time, first_block(r), &one);
    if (!one.has_step) {
        io_pattern_expand(&one, "", path);
        return r->catalog->nsteps > 0 ? take_times(r, path) : STATUS_OK;
    }
    for (int n = 0; n < r->catalog->nsteps; n++) {
        int64_t count;
        io_pattern_expand(&one, r->catalog->step_names[n], path);
        double *list = read_list(r->file, path, &count);
        if (list) {
            r->catalog->steps[n].time = list[0];
        }
        free(list);
    }
    return STATUS_OK;
}

status catalog_read_steps(reader *r)
{
    walk w = {.reader = r};
    status s = r->names->own_flow ? find_own_steps(&w) : find_all_named_steps(&w);
    if (s == STATUS_OK) {
        s = io_catalog_set_steps(r->catalog, r->file->path, w.nsteps, w.steps);
    }
    free(w.steps);
    return s == STATUS_OK && r->names->has_time ? read_times(r) : s;
}

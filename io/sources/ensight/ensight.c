/* The source of EnSight Gold and EnSight 6 files. */
#include "base/array.h"
#include "case.h"
#include "file.h"
#include "io/file.h"
#include "io/gzip/unpacked.h"
#include "io/source_kind.h"
#include "io/sources/arrays/builder.h"
#include "io/sources/arrays/same.h"
#include "io/sources/arrays/text.h"
#include "partial.h"
#include "parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A data set as it becomes a catalogue. */
typedef struct contents {
    const char *path;
    int nsets;
    ensight_case *sets; /* [nsets]: case files */
    ensight_parts parts;
    int nsteps;
    double *times;       /* [nsteps], ascending */
    bool has_geometries; /* at several steps */
    io_array_builder builder;
} contents;

/* What is read at the moment: a file of an item of a case file, at a step. */
typedef struct reading {
    contents *c;
    int set;
    const ensight_item *item;
    bool is_geometry;
    ensight_form form;
    bool is_big;   /* order of bytes of the geometry */
    int step_here; /* of the catalogue */
    ensight_file file;
    char path[ENSIGHT_PATH]; /* of the file that is open */
    int64_t inside;          /* steps of it that were passed */
} reading;

/* ---- Case files -------------------------------------------------------------------- */

/* Reads a case file, and those that it names. */
static status read_case(contents *c, const char *path, bool is_named)
{
    if (base_array_room(c->sets, c->nsets, 1, "an EnSight case file") != STATUS_OK) {
        return STATUS_MEMORY;
    }
    const int set = c->nsets++;
    status s = ensight_case_read(path, c->builder.catalog, &c->sets[set]);
    if (s == STATUS_OK && is_named && c->sets[set].nservers > 0) {
        s = base_fail(STATUS_INPUT,
                      "EnSight case file '%s' names others, as the one "
                      "that names it does: give karman '%s'",
                      path, path);
    }
    for (int64_t n = 0; s == STATUS_OK && n < c->sets[set].nservers; n++) {
        char other[ENSIGHT_PATH];
        s = io_file_beside(path, c->sets[set].servers[n], other, sizeof other)
                ? read_case(c, other, true)
                : base_fail(STATUS_INPUT, "'%s' names a file whose path is too long",
                            path);
    }
    return s;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* The time set of an item that changes; NULL: it rests. */
static const ensight_times *find_times(const contents *c, int set,
                                       const ensight_item *item)
{
    const ensight_times *times = ensight_case_times(&c->sets[set], item);
    return times && times->count > 1 ? times : NULL;
}

/* Adds a time set, unless it is there. */
static void add_set(const ensight_times *times, const ensight_times **out, int64_t most,
                    int64_t *count)
{
    bool is_new = times != NULL && *count < most;
    for (int64_t n = 0; n < *count && is_new; n++) {
        is_new = out[n] != times;
    }
    if (is_new) {
        out[(*count)++] = times;
    }
}

/* The time sets of items that change, else the first of those that rest; [return]. */
static int64_t find_sets(const contents *c, const ensight_times **out, int64_t most)
{
    int64_t count = 0, rest = 0;
    const ensight_times *first = NULL;
    for (int set = 0; set < c->nsets; set++) {
        const ensight_case *file = &c->sets[set];
        for (int64_t n = -1; n < file->nitems; n++) {
            const ensight_item *item = n < 0 ? &file->geometry : &file->items[n];
            add_set(find_times(c, set, item), out, most, &count);
            add_set(ensight_case_times(file, item), &first, 1, &rest);
        }
    }
    if (count == 0) {
        out[0] = first;
    }
    return count > 0 ? count : rest;
}

/* Adds the times of all sets to the steps, ascending, each once. */
static status add_times(contents *c, const ensight_times *const *sets, int64_t nsets)
{
    int64_t count = 1;
    for (int64_t n = 0; n < nsets; n++) {
        count += sets[n]->count;
    }
    const size_t bytes = (size_t)count * sizeof *c->times;
    c->times = calloc(1, bytes);
    c->builder.steps = calloc((size_t)count, sizeof *c->builder.steps);
    if (!c->times || !c->builder.steps) {
        return base_fail_memory(bytes, "steps");
    }
    count = 0;
    for (int64_t n = 0; n < nsets; n++) {
        memcpy(c->times + count, sets[n]->times.values,
               (size_t)sets[n]->count * sizeof *c->times);
        count += sets[n]->count;
    }
    qsort(c->times, (size_t)count, sizeof *c->times, base_array_compare_doubles);
    for (int64_t n = 0; n < count; n++) {
        if (c->nsteps == 0 || c->times[n] > c->times[c->nsteps - 1]) {
            c->times[c->nsteps++] = c->times[n];
        }
    }
    return STATUS_OK;
}

/* Numbers the steps as the names of files do, if there is one time set whose numbers
 * ascend; else from 0. */
static void number_steps(contents *c, const ensight_times *set)
{
    bool ascends = set && set->count == c->nsteps;
    for (int n = 0; n < c->nsteps && ascends; n++) {
        const double number = ensight_times_number(set, n);
        ascends = set->times.values[n] == c->times[n] && number >= 0.0 && number < 1e9 &&
                  (n == 0 || number > ensight_times_number(set, n - 1));
    }
    for (int n = 0; n < c->nsteps; n++) {
        io_named_step *step = &c->builder.steps[n];
        const int64_t number = ascends ? (int64_t)ensight_times_number(set, n) : n;
        step->step = (io_step){number, c->times[n]};
        snprintf(step->name, sizeof step->name, "%" PRId64, number);
    }
}

static status add_steps(contents *c)
{
    enum { MOST = 64 };
    const ensight_times *sets[MOST];
    const int64_t nsets = find_sets(c, sets, MOST);
    if (nsets == MOST) {
        return base_fail(STATUS_INPUT, "'%s' uses 64 time sets or more", c->path);
    }
    const status s = add_times(c, sets, nsets);
    c->nsteps = c->nsteps > 0 ? c->nsteps : 1; /* all rest: time 0 */
    c->builder.nsteps = c->nsteps;
    if (s == STATUS_OK) {
        number_steps(c, nsets == 1 ? sets[0] : NULL);
    }
    return s;
}

/* ---- Parts ------------------------------------------------------------------------- */

static status cut_off(const reading *r)
{
    return ensight_file_fail(&r->file,
                             "ends inside a part, or has sizes that do not fit");
}

/* Adds an array of the geometry, unless it is that of the step before. */
static status add_grid(reading *r, ensight_part *p, int array,
                       const io_array_place *place, int64_t count)
{
    io_array_place *latest = &p->latest[array - IO_ARRAY_X];
    const io_array_place *const both[2] = {latest, place};
    if (r->step_here > 0 &&
        io_array_same(r->c->builder.table, both, count, io_array_text_decode)) {
        return STATUS_OK;
    }
    *latest = *place;
    return io_array_builder_add_grid(&r->c->builder, p->block, array, place);
}

/* Coordinates of a part: of all vertices, along each axis, or at equal distances. */
static status take_coordinates(reading *r, ensight_part *p, bool is_rectilinear)
{
    status s = STATUS_OK;
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        io_array_place place;
        const int64_t along[3] = {p->n[axis], 1, 1};
        if (!ensight_file_array(&r->file, IO_FLOAT32, is_rectilinear ? along : p->n,
                                &place)) {
            return cut_off(r);
        }
        for (int other = 0; other < 3 && is_rectilinear; other++) {
            place.stride[other] = other == axis ? (int64_t)sizeof(float) : 0;
        }
        s = add_grid(r, p, IO_ARRAY_X + axis, &place,
                     is_rectilinear ? p->n[axis] : p->n[0] * p->n[1] * p->n[2]);
    }
    return s;
}

static status take_ramps(reading *r, ensight_part *p)
{
    double numbers[6];
    status s = ensight_file_reals(&r->file, 6, numbers) ? STATUS_OK : cut_off(r);
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        io_array_place place = {.file = IO_ARRAY_RAMP, .start = numbers[axis]};
        place.slope[axis] = numbers[3 + axis];
        s = add_grid(r, p, IO_ARRAY_X + axis, &place, 0);
    }
    return s;
}

static status take_iblank(reading *r, ensight_part *p)
{
    io_array_place place;
    return ensight_file_array(&r->file, IO_INT32, p->n, &place)
               ? add_grid(r, p, IO_ARRAY_IBLANK, &place, p->n[0] * p->n[1] * p->n[2])
               : cut_off(r);
}

/* Reads a part of the geometry; the last line is that of its kind. */
static status take_block(reading *r, const char *title, int64_t number)
{
    ensight_part wanted = {.set = r->set, .number = number}, *p = NULL;
    int64_t range[6];
    char kind[ENSIGHT_LINE];
    memcpy(kind, r->file.line, sizeof kind);
    bool has_sizes = ensight_file_sizes(&r->file, wanted.n);
    if (has_sizes && strstr(kind, "range")) {
        has_sizes = ensight_file_integers(&r->file, 6, range);
        for (int axis = 0; axis < 3 && has_sizes; axis++) {
            wanted.n[axis] = range[2 * axis + 1] - range[2 * axis] + 1;
        }
    }
    status s = has_sizes ? ensight_parts_take(&r->c->parts, &r->c->builder, title,
                                              r->step_here, &wanted, &p)
                         : cut_off(r);
    if (s == STATUS_OK) {
        s = strstr(kind, "uniform")
                ? take_ramps(r, p)
                : take_coordinates(r, p, strstr(kind, "rectilinear") != NULL);
    }
    return s == STATUS_OK && strstr(kind, "iblanked") ? take_iblank(r, p) : s;
}

static status take_geometry(reading *r)
{
    int64_t number;
    char title[ENSIGHT_LINE];
    if (!ensight_file_part(&r->file, &number) || !ensight_file_line(&r->file)) {
        return cut_off(r);
    }
    memcpy(title, r->file.line, sizeof title);
    if (!ensight_file_line(&r->file)) {
        return cut_off(r);
    }
    if (!ensight_file_is(&r->file, "block")) {
        return r->step_here > 0
                   ? STATUS_OK
                   : io_catalog_omit(r->c->builder.catalog,
                                     "part %" PRId64 " '%.80s': it is unstructured",
                                     number, title);
    }
    return take_block(r, title, number);
}

/* ---- Variables --------------------------------------------------------------------- */

/* The place of a component of the item, behind that of the one before. */
static bool find_component(reading *r, const ensight_partial *partial, const int64_t n[3],
                           int component, io_array_place *place)
{
    const int count = r->item->components;
    const int64_t all[3] = {n[0] * count, n[1], n[2]};
    if (partial) {
        return ensight_partial_array(&r->file, partial, n, place);
    }
    if (!r->file.is_six || r->form != ENSIGHT_C) {
        return ensight_file_array(&r->file, IO_FLOAT32, n, place);
    }
    if (component > 0) {
        place->offset += (int64_t)sizeof(float);
        return true;
    }
    const bool are_there = ensight_file_array(&r->file, IO_FLOAT32, all, place);
    const int32_t file = place->file;
    *place = io_array_place_make(IO_FLOAT32, place->swaps, place->offset, n, count, 0);
    place->file = file;
    return are_there;
}

static status take_values(reading *r, const ensight_part *p, bool is_partial,
                          const double *fill)
{
    const ensight_item *item = r->item;
    ensight_partial partial = {0};
    io_array_place place = {0};
    int64_t n[3];
    io_array_counts(p->n, item->location, n);
    status s =
        is_partial && !ensight_partial_begin(&r->file, n[0] * n[1] * n[2], &partial)
            ? cut_off(r)
            : STATUS_OK;
    for (int m = 0; m < item->components && s == STATUS_OK; m++) {
        const io_array_field field = {item->name, item->location, m, item->components,
                                      fill};
        if (!find_component(r, is_partial ? &partial : NULL, n, m, &place)) {
            return cut_off(r);
        }
        /* A variable that rests is that of all steps. */
        const bool rests = !find_times(r->c, r->set, item);
        const int last = rests ? r->c->nsteps - 1 : r->step_here;
        for (int step = r->step_here; step <= last && s == STATUS_OK; step++) {
            s = io_array_builder_add_field(&r->c->builder, p->block, step, &field,
                                           &place);
        }
    }
    return s;
}

static status take_variable(reading *r)
{
    int64_t number;
    double fill = 0.0;
    if (!ensight_file_part(&r->file, &number) || !ensight_file_line(&r->file)) {
        return cut_off(r);
    }
    const ensight_part *p =
        ensight_parts_find(&r->c->parts, r->set, number, r->step_here);
    if (!p || !ensight_file_is(&r->file, "block")) {
        return STATUS_OK; /* unstructured */
    }
    const bool is_partial = strstr(r->file.line, "partial") != NULL;
    const bool has_fill = strstr(r->file.line, "undef") != NULL;
    if (has_fill && !ensight_file_reals(&r->file, 1, &fill)) {
        return cut_off(r);
    }
    fill = (double)(float)fill; /* as values are, in text too */
    return take_values(r, p, is_partial, has_fill ? &fill : NULL);
}

/* ---- Files ------------------------------------------------------------------------- */

/* Opens the file of a step, unless it is the open one. */
static status open_step(reading *r, const char *path, int64_t inside)
{
    int32_t file;
    if (r->file.stream && strcmp(path, r->path) == 0 && inside >= r->inside) {
        return STATUS_OK;
    }
    ensight_file_close(&r->file);
    snprintf(r->path, sizeof r->path, "%s", path);
    r->inside = 0;
    status s = io_array_table_add_file(r->c->builder.table, r->path, &file);
    s = s == STATUS_OK ? ensight_file_open(r->path, file, r->form, &r->file) : s;
    if (s == STATUS_OK && r->c->sets[r->set].is_six) {
        r->file.is_six = true;
        r->file.is_big = r->is_big;
    }
    return s;
}

/* Passes over steps of the open file. */
static status pass_steps(reading *r, int64_t inside)
{
    while (r->inside < inside) {
        if (!ensight_file_find(&r->file)) {
            return ensight_file_fail(&r->file, "has fewer steps than its case file says");
        }
        r->inside += ensight_file_is(&r->file, "END TIME STEP");
    }
    return STATUS_OK;
}

/* Reads all parts of a step. */
static status take_parts(reading *r)
{
    status s = STATUS_OK;
    int64_t parts = 0;
    while (s == STATUS_OK && ensight_file_find(&r->file) &&
           !ensight_file_is(&r->file, "END TIME STEP")) {
        s = r->is_geometry ? take_geometry(r) : take_variable(r);
        parts++;
    }
    r->inside++;
    if (s == STATUS_OK && ferror(r->file.stream)) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", r->path,
                         strerror(errno));
    }
    if (s != STATUS_OK || parts > 0) {
        return s;
    }
    if (!r->file.is_six || r->is_geometry) {
        return ensight_file_fail(&r->file, "has no part at a step");
    }
    return r->step_here > 0
               ? STATUS_OK
               : io_catalog_omit(r->c->builder.catalog,
                                 "variable '%s': it has no values of structured parts",
                                 r->item->name);
}

/* The step of an item's time set at one of the catalogue: that of its time; of a geometry
 * else the last before, or the first. -1: there is none. */
static int64_t find_step(const reading *r, const ensight_times *times)
{
    const double now = r->c->times[r->step_here];
    int64_t found = r->is_geometry ? 0 : -1;
    for (int64_t n = 0; n < times->count; n++) {
        const double time = times->times.values[n];
        found = time == now || (r->is_geometry && time < now) ? n : found;
    }
    return found;
}

/* Reads an item at the step of the catalogue. */
static status take_item(reading *r)
{
    const ensight_times *times = find_times(r->c, r->set, r->item);
    const int64_t step = times ? find_step(r, times) : 0;
    char path[ENSIGHT_PATH];
    int64_t inside;
    if (step < 0) {
        return STATUS_OK;
    }
    status s = ensight_case_locate(&r->c->sets[r->set], r->item, step, path, &inside);
    if (s == STATUS_OK && !r->is_geometry && access(path, F_OK) != 0) {
        return io_catalog_omit(r->c->builder.catalog,
                               "variable '%s': there is no file '%s'", r->item->name,
                               path);
    }
    s = s == STATUS_OK && r->is_geometry ? ensight_file_form(path, &r->form) : s;
    if (s == STATUS_OK && r->c->sets[r->set].is_six && r->form == ENSIGHT_FORTRAN) {
        return base_fail(STATUS_INPUT,
                         "'%s' is Fortran binary of EnSight 6: karman reads its text and "
                         "C binary; save it as EnSight Gold",
                         path);
    }
    s = s == STATUS_OK ? open_step(r, path, inside) : s;
    s = s == STATUS_OK ? pass_steps(r, inside) : s;
    return s == STATUS_OK ? take_parts(r) : s;
}

/* Reads an item at all steps, or once if it rests. */
static status take_steps(reading *r, bool rests)
{
    status s = STATUS_OK;
    const int count = rests ? 1 : r->c->nsteps;
    for (r->step_here = 0; r->step_here < count && s == STATUS_OK; r->step_here++) {
        r->c->builder.grid_step = r->step_here;
        s = take_item(r);
    }
    ensight_file_close(&r->file);
    return s;
}

/* Reads the geometry and the variables of a case file. */
static status take_case(contents *c, int set, ensight_form *form)
{
    const ensight_case *file = &c->sets[set];
    reading *r = calloc(1, sizeof *r);
    if (!r) {
        return base_fail_memory(sizeof *r, "an EnSight case file");
    }
    *r = (reading){.c = c, .set = set, .item = &file->geometry, .is_geometry = true};
    status s = take_steps(r, !c->has_geometries);
    *form = r->form;
    const bool is_big = r->file.is_big;
    for (int64_t n = 0; n < file->nitems && s == STATUS_OK; n++) {
        *r = (reading){
            .c = c, .set = set, .item = &file->items[n], .form = *form, .is_big = is_big};
        s = take_steps(r, !find_times(c, set, r->item));
    }
    free(r);
    return s;
}

/* ---- The source -------------------------------------------------------------------- */

static status take_cases(contents *c, ensight_form *form)
{
    status s = STATUS_OK;
    for (int set = 0; set < c->nsets; set++) {
        c->has_geometries |= find_times(c, set, &c->sets[set].geometry) != NULL;
    }
    c->parts.nsteps = c->nsteps;
    c->parts.rest = !c->has_geometries;
    for (int set = 0; set < c->nsets && s == STATUS_OK; set++) {
        if (c->sets[set].nservers == 0) {
            s = take_case(c, set, form);
        }
    }
    return s == STATUS_OK && c->builder.catalog->nblocks == 0
               ? base_fail(
                     STATUS_INPUT,
                     "EnSight case '%s' has no structured part, and karman draws "
                     "structured grids only: resample it with ParaView (Resample To "
                     "Image), and save that as .vti",
                     c->path)
               : s;
}

static void clear(contents *c)
{
    for (int set = 0; set < c->nsets; set++) {
        ensight_case_clear(&c->sets[set]);
    }
    ensight_parts_clear(&c->parts);
    free(c->sets);
    free(c->times);
    free(c->builder.steps);
}

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    static const char *const forms[] = {"text", "C binary", "Fortran binary"};
    (void)config;
    contents c = {.path = path,
                  .builder = {.path = path, .catalog = catalog, .table = table}};
    ensight_form form = ENSIGHT_TEXT;
    int32_t first;
    status s = ensight_file_refuse(path);
    s = s == STATUS_OK ? io_array_table_add_file(table, path, &first) : s;
    s = s == STATUS_OK ? read_case(&c, path, false) : s;
    s = s == STATUS_OK ? add_steps(&c) : s;
    s = s == STATUS_OK ? take_cases(&c, &form) : s;
    s = s == STATUS_OK
            ? io_catalog_note(catalog, "format", "EnSight %s, %s",
                              c.sets[c.nsets - 1].is_six ? "6" : "Gold", forms[form])
            : s;
    s = io_array_builder_finish(&c.builder, s);
    clear(&c);
    return s;
}

static bool ensight_takes(const char *path, FILE *stream)
{
    (void)path;
    return ensight_case_is(stream) || ensight_file_is_part(stream);
}

static status ensight_open(io_source *source, const io_data_config *config)
{
    static const io_array_format format = {.describe = describe,
                                           .decode = ensight_partial_decode};
    return io_arrays_open(source, config, &format);
}

const io_source_kind io_source_ensight = {
    .takes = ensight_takes, .open = ensight_open, IO_ARRAYS_REST};

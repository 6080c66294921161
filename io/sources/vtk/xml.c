#include "xml.h"

#include "base/array.h"
#include "document.h"
#include "encoded.h"
#include "io/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What is being described. */
typedef struct xml_file {
    vtk_document document;
    io_array_builder *builder;
    const char *name; /* of its block, "": none was given */
    double *time;     /* NULL: it is known */
    int step;
    int *next; /* number of the next block of the step */
    int depth; /* files that lead to this one */
} xml_file;

/* A grid of a file. */
typedef struct xml_grid {
    const xmlNode *data, *piece;
    int block;
    int64_t lo[3], n[3]; /* vertices */
} xml_grid;

/* ---- Coordinates ------------------------------------------------------------------- */

/* Finds the place of an array of numbers. */
static status find_array(const xml_file *f, const xmlNode *element, const int64_t n[3],
                         vtk_array *out)
{
    bool known = false;
    if (!element) {
        return vtk_document_fail(&f->document, "has no coordinates");
    }
    const status s = vtk_document_array(&f->document, element, n, out, &known);
    return s == STATUS_OK && !known
               ? vtk_document_fail(&f->document, "has coordinates that are no numbers")
               : s;
}

/* Adds a coordinate or iblank, unless it has the same values as at the step before. */
static status add_grid(xml_file *f, const xml_grid *grid, int array,
                       const io_array_place *place)
{
    const io_array_place *latest =
        io_array_builder_latest(f->builder, grid->block, array);
    bool is_same = false;
    status s = STATUS_OK;
    if (latest && latest->file >= 0 && place->file >= 0) {
        const vtk_array_copy a = {f->builder->table->files[latest->file], latest};
        const vtk_array_copy b = {f->builder->table->files[place->file], place};
        s = vtk_arrays_compare(&a, &b, grid->n, &is_same);
    }
    f->builder->grid_step = f->step;
    return s != STATUS_OK || is_same
               ? s
               : io_array_builder_add_grid(f->builder, grid->block, array, place);
}

static status add_coordinate(xml_file *f, const xml_grid *grid, int axis,
                             const io_array_place *place)
{
    return add_grid(f, grid, IO_ARRAY_X + axis, place);
}

/* <Points>: one array of three components. */
static status take_points(xml_file *f, const xml_grid *grid)
{
    vtk_array array;
    const xmlNode *points = xml_child(grid->piece, "Points");
    status s = find_array(f, xml_child(points, "DataArray"), grid->n, &array);
    if (s == STATUS_OK && array.components != 3) {
        s = vtk_document_fail(&f->document, "has points of other than three coordinates");
    }
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        const io_array_place place = vtk_array_component(&array, axis);
        s = add_coordinate(f, grid, axis, &place);
    }
    return s;
}

/* <Coordinates>: an array for each axis. */
static status take_axes(xml_file *f, const xml_grid *grid)
{
    const xmlNode *element =
        xml_child(xml_child(grid->piece, "Coordinates"), "DataArray");
    status s = STATUS_OK;
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        vtk_array array;
        s = find_array(f, element, (const int64_t[3]){grid->n[axis], 1, 1}, &array);
        if (s == STATUS_OK) {
            const int64_t step = array.place.stride[0];
            array.place.stride[0] = array.place.stride[1] = array.place.stride[2] = 0;
            array.place.stride[axis] = step;
            s = add_coordinate(f, grid, axis, &array.place);
            element = xml_next(element, "DataArray");
        }
    }
    return s;
}

/* Origin, Spacing and Direction of an image: x = origin + direction * spacing * index. */
static status take_ramps(xml_file *f, const xml_grid *grid)
{
    double origin[3] = {0.0, 0.0, 0.0}, spacing[3] = {1.0, 1.0, 1.0};
    double direction[9], read[9];
    status s = STATUS_OK;
    xml_reals(grid->data, "Origin", 3, origin);
    xml_reals(grid->data, "Spacing", 3, spacing);
    const bool is_turned = xml_reals(grid->data, "Direction", 9, read);
    for (int n = 0; n < 9; n++) {
        direction[n] = is_turned ? read[n] : n % 4 == 0;
    }
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        io_array_place place = {.file = IO_ARRAY_RAMP, .start = origin[axis]};
        for (int index = 0; index < 3; index++) {
            place.slope[index] = direction[3 * axis + index] * spacing[index];
            place.start += place.slope[index] * (double)grid->lo[index];
        }
        s = add_coordinate(f, grid, axis, &place);
    }
    return s;
}

/* ---- Fields ------------------------------------------------------------------------ */

/* Finds whether any value of vtkGhostType has a bit. */
static status find_bit(const xml_file *f, const vtk_array *array, int bit, bool *out)
{
    void *values = NULL;
    int64_t bytes = 0;
    const io_number type = array->place.type;
    const status s = vtk_encoded_decode(f->document.path, &array->place, &values, &bytes);
    const int64_t count = bytes / (int64_t)io_number_size(type);
    *out = false;
    for (int64_t n = 0; n < count && s == STATUS_OK && !*out; n++) {
        const int value =
            type == IO_UINT8 ? ((unsigned char *)values)[n] : (int)((double *)values)[n];
        *out = (value & bit) != 0;
    }
    free(values);
    return s;
}

/* The array of a piece that is called iblank, as karman convert writes it; NULL: none. */
static const xmlNode *find_iblank(const xml_grid *grid)
{
    const xmlNode *element = xml_child(xml_child(grid->piece, "PointData"), "DataArray");
    while (element && !xml_attribute_is(element, "Name", "iblank")) {
        element = xml_next(element, "DataArray");
    }
    return element;
}

/* vtkGhostType: hidden points become iblank. */
static status take_ghosts(xml_file *f, const xml_grid *grid, grid_location location,
                          const vtk_array *array)
{
    enum { HIDDEN_POINT = 2, HIDDEN_CELL = 32 };
    const bool is_point = location == GRID_VERTEX;
    if (is_point && find_iblank(grid)) {
        return STATUS_OK;
    }
    const io_number type = array->place.type;
    bool hides = false;
    status s = STATUS_OK;
    if ((type == IO_UINT8 || type == IO_FLOAT64) && array->components == 1) {
        s = find_bit(f, array, is_point ? HIDDEN_POINT : HIDDEN_CELL, &hides);
    }
    if (s != STATUS_OK || !hides) {
        return s;
    }
    if (!is_point) {
        return io_catalog_omit(f->builder->catalog,
                               "cells of '%s' that vtkGhostType hides are drawn: hide "
                               "their points instead",
                               f->document.path);
    }
    io_array_place place = array->place;
    place.hidden = HIDDEN_POINT;
    return add_grid(f, grid, IO_ARRAY_IBLANK, &place);
}

/* The unit of an array, as an InformationKey that VTK knows. */
static void find_unit(const xmlNode *element, char unit[IO_UNIT_SIZE])
{
    const xmlNode *key = xml_child(element, "InformationKey");
    while (key && !xml_attribute_is(key, "name", "UNITS_LABEL")) {
        key = xml_next(key, "InformationKey");
    }
    if (!key || !xml_text(key, unit, IO_UNIT_SIZE)) {
        unit[0] = '\0';
    }
}

/* Adds all components of an array as fields. */
static status take_field(xml_file *f, const xml_grid *grid, grid_location location,
                         const xmlNode *element)
{
    char name[GRID_NAME_SIZE], step[16], unit[IO_UNIT_SIZE];
    int64_t n[3];
    bool known = false;
    vtk_array array;
    const bool has_name =
        xml_attribute(element, "Name", name, sizeof name) && name[0] != '\0';
    const bool is_later =
        xml_attribute(element, "TimeStep", step, sizeof step) && strcmp(step, "0") != 0;
    io_array_counts(grid->n, location, n);
    status s = STATUS_OK;
    if (has_name && !is_later) {
        s = vtk_document_array(&f->document, element, n, &array, &known);
    }
    if (s != STATUS_OK || !known) {
        return s == STATUS_OK
                   ? io_catalog_omit(f->builder->catalog, "array '%s' of '%s': %s", name,
                                     f->document.path,
                                     !has_name  ? "it has no name"
                                     : is_later ? "it is of another time step"
                                                : "its values are no numbers")
                   : s;
    }
    if (strcmp(name, "vtkGhostType") == 0) {
        return take_ghosts(f, grid, location, &array);
    }
    if (location == GRID_VERTEX && element == find_iblank(grid) &&
        array.components == 1) {
        return add_grid(f, grid, IO_ARRAY_IBLANK, &array.place);
    }
    find_unit(element, unit);
    for (int c = 0; c < array.components && s == STATUS_OK; c++) {
        const io_array_field field = {name, location, c, array.components, NULL};
        const io_array_place place = vtk_array_component(&array, c);
        s = io_array_builder_add_field(f->builder, grid->block, f->step, &field, &place);
        if (s == STATUS_OK) {
            io_array_builder_set_unit(f->builder, unit);
        }
    }
    return s;
}

static status take_fields(xml_file *f, const xml_grid *grid, grid_location location)
{
    const xmlNode *element = xml_child(
        xml_child(grid->piece, location == GRID_CELL ? "CellData" : "PointData"),
        "DataArray");
    status s = STATUS_OK;
    for (; element && s == STATUS_OK; element = xml_next(element, "DataArray")) {
        s = take_field(f, grid, location, element);
    }
    return s;
}

/* ---- Grids ------------------------------------------------------------------------- */

/* Reads an extent: lo and hi of i, j, k. *is_empty: it has no vertices. */
static status read_extent(const xml_file *f, const xmlNode *element, xml_grid *out,
                          bool *is_empty)
{
    double extent[6];
    *is_empty = false;
    if (!xml_reals(element, "Extent", 6, extent)) {
        return vtk_document_fail(&f->document, "has a piece without an extent");
    }
    for (int axis = 0; axis < 3; axis++) {
        const double lo = extent[2 * axis], hi = extent[2 * axis + 1];
        if (!(lo > -0x1p40 && lo < 0x1p40 && hi > -0x1p40 && hi < 0x1p40)) {
            return vtk_document_fail(&f->document, "has an impossible extent");
        }
        out->lo[axis] = (int64_t)lo;
        out->n[axis] = (int64_t)hi - (int64_t)lo + 1;
        *is_empty = *is_empty || out->n[axis] < 1;
    }
    return STATUS_OK;
}

/* Finds the block of a grid among those of earlier steps, or adds it. */
static status take_block(xml_file *f, xml_grid *grid)
{
    io_array_wanted want = {.key = f->name,
                            .title = f->name,
                            .kind = "block",
                            .number = f->builder->catalog->nblocks + 1,
                            .step = f->step,
                            .place = (*f->next)++};
    memcpy(want.n, grid->n, sizeof want.n);
    return io_array_builder_find_block(f->builder, &want, &grid->block);
}

static status take_piece(xml_file *f, const xmlNode *piece)
{
    xml_grid grid = {.data = f->document.data, .piece = piece};
    bool is_empty = false;
    const char *type = f->document.type;
    status s = read_extent(f, piece, &grid, &is_empty);
    if (s != STATUS_OK || is_empty) {
        return s;
    }
    s = take_block(f, &grid);
    if (s == STATUS_OK) {
        s = strcmp(type, "StructuredGrid") == 0    ? take_points(f, &grid)
            : strcmp(type, "RectilinearGrid") == 0 ? take_axes(f, &grid)
                                                   : take_ramps(f, &grid);
    }
    s = s == STATUS_OK ? take_fields(f, &grid, GRID_VERTEX) : s;
    return s == STATUS_OK ? take_fields(f, &grid, GRID_CELL) : s;
}

/* Reads the time of a file: TimeValue of its FieldData. */
static status take_time(xml_file *f)
{
    char name[16];
    vtk_array array;
    bool known = false;
    status s = STATUS_OK;
    const xmlNode *element =
        xml_child(xml_child(f->document.data, "FieldData"), "DataArray");
    while (element && (!xml_attribute(element, "Name", name, sizeof name) ||
                       strcmp(name, "TimeValue") != 0)) {
        element = xml_next(element, "DataArray");
    }
    if (element) {
        s = vtk_document_array(&f->document, element, (const int64_t[3]){1, 1, 1}, &array,
                               &known);
    }
    if (s == STATUS_OK && known && array.place.type == IO_FLOAT64 && !array.place.swaps) {
        void *value = NULL;
        int64_t bytes = 0;
        s = vtk_encoded_decode(f->document.path, &array.place, &value, &bytes);
        if (s == STATUS_OK) {
            memcpy(f->time, value, sizeof *f->time);
        }
        free(value);
    }
    return s;
}

static status take_grids(xml_file *f)
{
    const xmlNode *piece = xml_child(f->document.data, "Piece");
    status s = f->time ? take_time(f) : STATUS_OK;
    if (piece && xml_next(piece, "Piece")) {
        f->name = "";
    }
    for (; piece && s == STATUS_OK; piece = xml_next(piece, "Piece")) {
        s = take_piece(f, piece);
    }
    return s;
}

/* ---- Files of several parts -------------------------------------------------------- */

/* Describes a file. */
static status describe(xml_file *f, const char *path);

static status omit(const xml_file *f, const char *path, const char *type)
{
    return f->step > 0 ? STATUS_OK
                       : io_catalog_omit(f->builder->catalog,
                                         "'%s': a data set of the kind %s", path, type);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), part = strlen(end);
    return length >= part && strcasecmp(text + length - part, end) == 0;
}

/* Describes a part, whose path is relative to the folder of the file that names it. */
static status take_part(const xml_file *f, const xmlNode *element, const char *file)
{
    char name[GRID_NAME_SIZE], path[4096];
    if (!io_file_beside(f->document.path, file, path, sizeof path)) {
        return vtk_document_fail(&f->document, "has a path that is too long");
    }
    if (ends_with(path, ".vtu") || ends_with(path, ".pvtu") || ends_with(path, ".vtp")) {
        return omit(f, file, "unstructured grid");
    }
    xml_attribute(element, "name", name, sizeof name);
    xml_file part = {.builder = f->builder,
                     .name = name,
                     .time = f->time,
                     .step = f->step,
                     .next = f->next,
                     .depth = f->depth + 1};
    return describe(&part, path);
}

/* Describes the parts that an element and those inside it name. */
static status take_parts(const xml_file *f, const xmlNode *element)
{
    char file[2048];
    status s = STATUS_OK;
    for (const xmlNode *one = element->children; one && s == STATUS_OK; one = one->next) {
        if (one->type != XML_ELEMENT_NODE) {
            continue;
        }
        s = xml_attribute(one, "file", file, sizeof file) ||
                    xml_attribute(one, "Source", file, sizeof file)
                ? take_part(f, one, file)
                : take_parts(f, one);
    }
    return s;
}

/* ---- Collections ------------------------------------------------------------------- */

/* A file of a collection (.pvd). */
typedef struct entry {
    const xmlNode *element;
    double time;
    int order; /* in the collection */
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *first = a, *second = b;
    return first->time != second->time ? (first->time < second->time ? -1 : 1)
                                       : first->order - second->order;
}

/* Lists the files by ascending times. *out is malloc'ed. */
static status list_entries(const xml_file *f, entry **out, int *count)
{
    const xmlNode *element = xml_child(f->document.data, "DataSet");
    status s = STATUS_OK;
    for (*count = 0; element && s == STATUS_OK; element = xml_next(element, "DataSet")) {
        double time = 0.0;
        xml_reals(element, "timestep", 1, &time);
        s = isfinite(time)
                ? base_array_add(*out, *count, ((entry){element, time, *count}),
                                 "a list of files")
                : vtk_document_fail(&f->document, "has a time that is none");
    }
    if (s == STATUS_OK && *count > 0) {
        qsort(*out, (size_t)*count, sizeof **out, compare_entries);
    }
    return s;
}

/* Describes the files of a collection: those of one time are parts of a step. Steps are
 * numbered from 0. */
static status take_collection(const xml_file *f)
{
    entry *entries = NULL;
    int count = 0, next = 0;
    status s = list_entries(f, &entries, &count);
    io_named_step *steps = calloc((size_t)count + 1, sizeof *steps);
    free(f->builder->steps);
    f->builder->steps = steps;
    f->builder->nsteps = 0;
    s = s == STATUS_OK && !steps ? base_fail_memory(sizeof *steps, "a list of steps") : s;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        char file[2048];
        if (n == 0 || entries[n].time != entries[n - 1].time) {
            io_named_step *step = &steps[f->builder->nsteps];
            step->step = (io_step){f->builder->nsteps, entries[n].time};
            snprintf(step->name, sizeof step->name, "%d", f->builder->nsteps++);
            next = 0;
        }
        xml_file one = *f;
        one.time = NULL;
        one.step = f->builder->nsteps - 1;
        one.next = &next;
        xml_attribute(entries[n].element, "file", file, sizeof file);
        s = take_part(&one, entries[n].element, file);
    }
    free(entries);
    return s;
}

static bool is_one_of(const char *type, const char *const *types)
{
    while (*types && strcmp(type, *types) != 0) {
        types++;
    }
    return *types != NULL;
}

static status describe(xml_file *f, const char *path)
{
    enum { MOST_DEPTH = 8 };
    static const char *const grids[] = {"StructuredGrid", "RectilinearGrid", "ImageData",
                                        NULL};
    static const char *const sets[] = {"PStructuredGrid",
                                       "PRectilinearGrid",
                                       "PImageData",
                                       "vtkMultiBlockDataSet",
                                       "vtkPartitionedDataSet",
                                       "vtkPartitionedDataSetCollection",
                                       NULL};
    vtk_document *document = &f->document;
    status s = vtk_document_open(path, document);
    s = s == STATUS_OK ? io_array_table_add_file(f->builder->table, path, &document->file)
                       : s;
    if (s == STATUS_OK && f->depth > MOST_DEPTH) {
        s = vtk_document_fail(document, "names parts that name parts without end");
    }
    if (s == STATUS_OK) {
        const bool is_collection =
            strcmp(document->type, "Collection") == 0 && f->depth == 0;
        s = is_one_of(document->type, grids)  ? take_grids(f)
            : is_one_of(document->type, sets) ? take_parts(f, document->data)
            : is_collection                   ? take_collection(f)
                                              : omit(f, path, document->type);
    }
    vtk_document_close(document);
    return s;
}

status vtk_xml_describe(const char *path, io_array_builder *builder)
{
    int next = 0;
    xml_file f = {.builder = builder,
                  .name = "",
                  .time = &builder->steps->step.time,
                  .next = &next};
    const status s = describe(&f, path);
    return s == STATUS_OK && builder->catalog->nblocks == 0
               ? base_fail(
                     STATUS_INPUT,
                     "VTK file '%s' has no structured grid: let ParaView put it on an "
                     "image (Resample To Image) and save that as .vti",
                     path)
               : s;
}

#include "colormap_parts.h"

#include "base/status.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 4096 };

/* A map that is being read, and the beginning of messages. */
typedef struct reader {
    const char *where, *path;
    const json_t *map;
} reader;

static status fail_in(const reader *from, const char *key, const char *problem)
{
    return base_fail(STATUS_INPUT, "%s: in the colour map %s, %s %s", from->where,
                     from->path, key, problem);
}

static bool in_unit_interval(double value)
{
    return value >= 0.0 && value <= 1.0;
}

/* Reads a list of numbers, malloc'ed ([json_array_size(list)]). */
static status read_numbers(const reader *from, const char *key, double **out)
{
    const json_t *list = json_object_get(from->map, key);
    const size_t count = json_array_size(list);
    double *values = malloc((count + 1) * sizeof *values);
    if (!values) {
        return base_fail_memory(count * sizeof *values, "a colour map");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_number(item)) {
            free(values);
            return fail_in(from, key, "holds something that is not a number");
        }
        values[i] = json_number_value(item);
    }
    *out = values;
    return STATUS_OK;
}

/* The number of rows of four in a list; 0 if the list is missing or of another length. */
static int count_rows(const reader *from, const char *key)
{
    const size_t length = json_array_size(json_object_get(from->map, key));
    const bool fits = length >= 8 && length % 4 == 0 && length <= 4 * (size_t)MAX_POINTS;
    return fits ? (int)(length / 4) : 0;
}

/* The fault of `count` rows of a position and three numbers in 0..1, or NULL. */
static const char *find_fault(int count, const double (*rows)[4], const char *numbers)
{
    for (int i = 0; i < count; i++) {
        const double *row = rows[i];
        if (!in_unit_interval(row[1]) || !in_unit_interval(row[2]) ||
            !in_unit_interval(row[3])) {
            return numbers;
        }
        if (i > 0 && row[0] < rows[i - 1][0]) {
            return "has positions that do not ascend";
        }
    }
    return NULL;
}

static status read_colors(const reader *from, colormap_file *out)
{
    const char *key = "RGBPoints";
    out->ncolors = count_rows(from, key);
    if (out->ncolors == 0) {
        const char *indexed = json_object_get(from->map, "IndexedColors")
                                  ? " (its IndexedColors are for categories)"
                                  : "";
        return base_fail(
            STATUS_INPUT,
            "%s: %s is no colour map: it needs RGBPoints, a list of x, r, g, b "
            "for 2 to %d points%s",
            from->where, from->path, MAX_POINTS, indexed);
    }
    double *values = NULL;
    status result = read_numbers(from, key, &values);
    if (result != STATUS_OK) {
        return result;
    }
    out->colors = (double(*)[4])values;
    const char *fault = find_fault(out->ncolors, (const double(*)[4])out->colors,
                                   "holds a colour that is not in 0..1");
    const double span = out->colors[out->ncolors - 1][0] - out->colors[0][0];
    if (!fault && (!(span > 0.0) || !isfinite(span))) {
        fault = "has positions that span nothing";
    }
    return fault ? fail_in(from, key, fault) : STATUS_OK;
}

static status read_nodes(const reader *from, colormap_file *out)
{
    const char *key = "Points";
    const json_t *list = json_object_get(from->map, key);
    if (!list || json_is_null(list) ||
        (json_is_array(list) && json_array_size(list) == 0)) {
        return STATUS_OK;
    }
    const int count = count_rows(from, key);
    if (count == 0) {
        return fail_in(
            from, key,
            "is not a list of x, alpha, midpoint, sharpness for 2 points or more");
    }
    double *values = NULL;
    status result = read_numbers(from, key, &values);
    if (result != STATUS_OK) {
        return result;
    }
    _Static_assert(sizeof(colormap_node) == 4 * sizeof(double), "a row is a node");
    out->nodes = (colormap_node *)values;
    out->nnodes = count;
    const char *fault =
        find_fault(count, (const double(*)[4])values,
                   "holds an alpha, midpoint or sharpness that is not in 0..1");
    return fault ? fail_in(from, key, fault) : STATUS_OK;
}

static status read_nan_color(const reader *from, colormap_file *out)
{
    const char *key = "NanColor";
    const json_t *list = json_object_get(from->map, key);
    if (!list || json_is_null(list)) {
        return STATUS_OK;
    }
    if (json_array_size(list) != 3) {
        return fail_in(from, key, "is not a list of r, g, b");
    }
    double *values = NULL;
    status result = read_numbers(from, key, &values);
    if (result != STATUS_OK) {
        return result;
    }
    memcpy(out->nan_color, values, sizeof out->nan_color);
    free(values);
    for (int c = 0; c < 3; c++) {
        if (!in_unit_interval(out->nan_color[c])) {
            return fail_in(from, key, "is not in 0..1");
        }
    }
    out->has_nan_color = true;
    return STATUS_OK;
}

/* ParaView takes hues the long way, unless a file has HSVWrap. */
static bool wraps_hue(const reader *from)
{
    const json_t *wrap = json_object_get(from->map, "HSVWrap");
    return json_is_true(wrap) || (json_is_number(wrap) && json_number_value(wrap) != 0.0);
}

static status read_space(const reader *from, colormap_space *out)
{
    static const struct {
        const char *name;
        colormap_space space;
    } known[] = {
        {"RGB", COLORMAP_RGB},
        {"HSV", COLORMAP_HSV},
        {"Lab", COLORMAP_LAB},
        {"CIELAB", COLORMAP_LAB},
        {"Step", COLORMAP_STEP},
        {"Diverging", COLORMAP_DIVERGING},
        {"Wrapped", COLORMAP_HSV_WRAPPED},
    };
    const json_t *given = json_object_get(from->map, "ColorSpace");
    const char *name = json_is_string(given) ? json_string_value(given) : "RGB";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            *out = known[i].space;
            if (*out == COLORMAP_HSV && wraps_hue(from)) {
                *out = COLORMAP_HSV_WRAPPED;
            }
            return STATUS_OK;
        }
    }
    return base_fail(STATUS_INPUT,
                     "%s: the colour map %s has the ColorSpace %.40s; karman reads RGB, "
                     "HSV, Lab, CIELAB, Diverging and Step",
                     from->where, from->path, name);
}

static status read_map(const reader *from, colormap_file *out)
{
    status result = read_space(from, &out->space);
    if (result == STATUS_OK) {
        result = read_colors(from, out);
    }
    if (result == STATUS_OK) {
        result = read_nodes(from, out);
    }
    return result == STATUS_OK ? read_nan_color(from, out) : result;
}

status io_colormap_parse(const char *where, const char *path, int index,
                         colormap_file *out)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL) {
        return base_fail(STATUS_INPUT, "%s: the colour map %s cannot be read: %s", where,
                         path, error.text);
    }
    const json_t *map = json_is_array(root) ? json_array_get(root, (size_t)index) : root;
    const reader from = {where, path, map};
    colormap_file file = {0};
    status result = read_map(&from, &file);
    json_decref(root);
    if (result != STATUS_OK) {
        io_colormap_file_free(&file);
        return result;
    }
    *out = file;
    return STATUS_OK;
}

void io_colormap_file_free(colormap_file *file)
{
    free(file->colors);
    free(file->nodes);
    *file = (colormap_file){0};
}

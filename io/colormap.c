#include "io/colormap.h"

#include "base/status.h"
#include "io/color_space.h"
#include "io/config_parts.h"
#include "io/words.h"

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Control points of a file, and samples of a curved map over 0..1: segments of 1/64
 * follow the shipped diverging map within half an 8-bit count. */
enum { MAX_POINTS = 4096, CURVE_SAMPLES = 64, MAX_NAMES = 256 };

static const char extension[] = ".json";

/* ---- Finding ---- */

static bool has_extension(const char *name)
{
    size_t length = strlen(name), tail = strlen(extension);
    return length > tail && strcmp(name + length - tail, extension) == 0;
}

/* The maps of the installation that this program is part of, wherever it was moved to:
 * PREFIX/bin/karman has them in PREFIX/share/karman/colormaps. NULL where that is not
 * known. */
static const char *beside_program(void)
{
    static char folder[PATH_MAX + sizeof KARMAN_COLORMAPS_RELATIVE];
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0) {
        return NULL;
    }
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash) {
        return NULL;
    }
    memcpy(slash, KARMAN_COLORMAPS_RELATIVE, sizeof KARMAN_COLORMAPS_RELATIVE);
    return folder;
}

/* The n-th folder with named maps, or NULL after the last. */
static const char *map_folder(int n)
{
    const char *all[] = {getenv("KARMAN_COLORMAPS"), beside_program(),
                         KARMAN_COLORMAPS_INSTALLED, KARMAN_COLORMAPS_SOURCE};
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
        if (all[f] && all[f][0] != '\0' && n-- == 0) {
            return all[f];
        }
    }
    return NULL;
}

/* "FOLDER/NAME.json", or NULL where memory is short. */
static char *map_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + sizeof extension + 1;
    char *path = malloc(size);
    if (path != NULL) {
        snprintf(path, size, "%s/%s%s", folder, name, extension);
    }
    return path;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_listed(int count, char *const *names, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the names of the maps in a folder to names[*count], each once. */
static void list_folder(const char *folder, int *count, char **names)
{
    DIR *listing = opendir(folder);
    if (listing == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(listing); entry != NULL && *count < MAX_NAMES;
         entry = readdir(listing)) {
        if (!has_extension(entry->d_name)) {
            continue;
        }
        char *name = strndup(entry->d_name, strlen(entry->d_name) - strlen(extension));
        if (name == NULL || is_listed(*count, names, name)) {
            free(name);
            continue;
        }
        names[(*count)++] = name;
    }
    closedir(listing);
}

static status fail_unknown(const char *where, const char *name)
{
    char *names[MAX_NAMES], known[1024] = "";
    int count = 0;
    for (int n = 0; map_folder(n) != NULL; n++) {
        list_folder(map_folder(n), &count, names);
    }
    qsort(names, (size_t)count, sizeof *names, compare_names);
    io_words_list(count, (const char *const *)names, sizeof known, known);
    const char *nearest = io_words_nearest(name, count, (const char *const *)names);
    status result = base_fail(
        STATUS_USAGE, "%s: unknown colour map '%.60s'%s%s%s; there are: %s", where, name,
        nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
        nearest != NULL ? "'?)" : "", count > 0 ? known : "none (set KARMAN_COLORMAPS)");
    for (int i = 0; i < count; i++) {
        free(names[i]);
    }
    return result;
}

static status find_named(const char *where, const char *name, char **out)
{
    for (int n = 0; map_folder(n) != NULL && strchr(name, '/') == NULL; n++) {
        char *path = map_path(map_folder(n), name);
        if (path == NULL) {
            return base_fail_memory(0, "a colour map");
        }
        if (access(path, R_OK) == 0) {
            *out = path;
            return STATUS_OK;
        }
        free(path);
    }
    return fail_unknown(where, name);
}

static status find_map(const char *where, const char *name, const char *folder,
                       char **out)
{
    if (!has_extension(name)) {
        return find_named(where, name, out);
    }
    *out = io_config_join(folder, name);
    return *out != NULL ? STATUS_OK : base_fail_memory(0, "a colour map");
}

/* ---- Reading ---- */

/* Reads [x, r, g, b, x, r, g, b, …] into points, whose positions become 0..1. */
static const char *read_points(const json_t *list, int count, double (*points)[4])
{
    for (int i = 0; i < 4 * count; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        if (!json_is_number(item)) {
            return "RGBPoints holds something that is not a number";
        }
        points[i / 4][i % 4] = json_number_value(item);
        if (i % 4 != 0 && !(points[i / 4][i % 4] >= 0.0 && points[i / 4][i % 4] <= 1.0)) {
            return "RGBPoints holds a colour that is not in 0..1";
        }
        if (i >= 4 && i % 4 == 0 && points[i / 4][0] < points[i / 4 - 1][0]) {
            return "the positions in RGBPoints do not ascend";
        }
    }
    double first = points[0][0], span = points[count - 1][0] - first;
    if (!(span > 0.0) || !isfinite(span)) {
        return "the positions in RGBPoints span nothing";
    }
    for (int i = 0; i < count; i++) {
        points[i][0] = (points[i][0] - first) / span;
    }
    return NULL;
}

typedef void color_mix(const double first[3], const double last[3], double fraction,
                       double rgb[3]);

/* Replaces the points by samples of a curve in RGB. False: memory is short. */
static bool sample_curve(color_mix *mix, int *count, double (**points)[4])
{
    double(*samples)[4] = malloc((size_t)(*count + CURVE_SAMPLES) * 2 * sizeof *samples);
    if (samples == NULL) {
        return false;
    }
    int made = 0;
    for (int i = 0; i + 1 < *count; i++) {
        const double *first = (*points)[i], *last = (*points)[i + 1];
        int pieces = (int)ceil((last[0] - first[0]) * CURVE_SAMPLES);
        for (int piece = 0; piece < pieces; piece++) {
            double fraction = (double)piece / pieces;
            samples[made][0] = first[0] + fraction * (last[0] - first[0]);
            mix(first + 1, last + 1, fraction, samples[made] + 1);
            made++;
        }
        if (pieces == 0) {
            memcpy(samples[made++], first, sizeof *samples);
        }
    }
    memcpy(samples[made++], (*points)[*count - 1], sizeof *samples);
    free(*points);
    *points = samples;
    *count = made;
    return true;
}

/* The interpolation of a ColorSpace: NULL for RGB. False: it is not supported. */
static bool find_mix(const char *space, color_mix **mix)
{
    *mix = NULL;
    if (strcmp(space, "Diverging") == 0) {
        *mix = io_color_mix_diverging;
    } else if (strcmp(space, "Lab") == 0 || strcmp(space, "CIELAB") == 0) {
        *mix = io_color_mix_lab;
    }
    return *mix != NULL || strcmp(space, "RGB") == 0;
}

static status read_map(const char *where, const char *path, const json_t *map, int *count,
                       double (**points)[4])
{
    const json_t *list = json_object_get(map, "RGBPoints");
    size_t length = json_array_size(list);
    if (length < 8 || length % 4 != 0 || length > (size_t)4 * MAX_POINTS) {
        return base_fail(
            STATUS_INPUT,
            "%s: %s is no colour map: it needs RGBPoints, a list of x, r, g, b "
            "for 2 to %d points",
            where, path, MAX_POINTS);
    }
    const json_t *given = json_object_get(map, "ColorSpace");
    const char *space = json_is_string(given) ? json_string_value(given) : "RGB";
    color_mix *mix = NULL;
    if (!find_mix(space, &mix)) {
        return base_fail(
            STATUS_INPUT,
            "%s: the colour map %s has the ColorSpace %.40s; karman reads RGB, Lab "
            "and Diverging",
            where, path, space);
    }
    int read = (int)(length / 4);
    double(*made)[4] = calloc((size_t)read, sizeof *made);
    if (made == NULL) {
        return base_fail_memory((size_t)read * sizeof *made, "a colour map");
    }
    const char *problem = read_points(list, read, made);
    if (problem != NULL) {
        free(made);
        return base_fail(STATUS_INPUT, "%s: in the colour map %s %s", where, path,
                         problem);
    }
    if (mix != NULL && !sample_curve(mix, &read, &made)) {
        free(made);
        return base_fail_memory(0, "a colour map");
    }
    *count = read;
    *points = made;
    return STATUS_OK;
}

static status read_file(const char *where, const char *path, int *count,
                        double (**points)[4])
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL) {
        return base_fail(STATUS_INPUT, "%s: the colour map %s cannot be read: %s", where,
                         path, error.text);
    }
    const json_t *map = json_is_array(root) ? json_array_get(root, 0) : root;
    status result = read_map(where, path, map, count, points);
    json_decref(root);
    return result;
}

status io_colormap_load(const char *where, const char *name, const char *folder,
                        int *count, double (**points)[4])
{
    char *path = NULL;
    status result = find_map(where, name, folder, &path);
    if (result == STATUS_OK) {
        result = read_file(where, path, count, points);
    }
    free(path);
    return result;
}

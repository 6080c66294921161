#include "io/config/colors/color.h"
#include "io/config/colors/colormap.h"
#include "io/config/document/scalar.h"
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the range [lo, hi], if it is a list of two. Its values are checked later. */
static bool read_range(const io_section *section, double range[2])
{
    io_document *document = section->document;
    int node = io_section_value(section, "range");
    if (!io_document_is_sequence(document, node) ||
        io_document_count(document, node) != 2) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const char *text =
            io_document_text(document, io_document_item(document, node, i));
        if (text == NULL || !io_scalar_number(text, &range[i])) {
            return false;
        }
    }
    return true;
}

/* Scales the positions of a named map, 0 to 1, to the range if the config has positions:
 * data. */
static status spread_points(const io_section *section, int colors, io_colormap *map)
{
    int node = io_section_value(section, "positions");
    const char *positions = io_document_text(section->document, node);
    if (positions == NULL || strcmp(positions, "data") != 0) {
        return STATUS_OK;
    }
    double range[2];
    const char *name = io_document_text(section->document, colors);
    if (!read_range(section, range)) {
        return io_document_fail(
            section->document, colors,
            "%s.colors: with positions: data, %s%.60s%s needs range: [lo, hi] to lie on",
            section->path, name != NULL ? "the colour map '" : "a list of colours",
            name != NULL ? name : "", name != NULL ? "'" : "");
    }
    for (int i = 0; i < map->ncolors; i++) {
        map->colors[i][0] = range[0] + map->colors[i][0] * (range[1] - range[0]);
    }
    for (int i = 0; i < map->nopacities; i++) {
        map->opacities[i][0] = range[0] + map->opacities[i][0] * (range[1] - range[0]);
    }
    return STATUS_OK;
}

/* Adds a list of numbers; 0 if memory is short. */
static int add_numbers(io_document *document, int from, int count, const double *numbers)
{
    int list = io_document_add_sequence(document, from);
    for (int i = 0; i < count && list != 0; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.17g", numbers[i]);
        int value = io_document_add_scalar(document, from, text);
        list = io_document_append(document, list, value) ? list : 0;
    }
    return list;
}

/* Adds a list of `count` lists of `size` numbers; 0 if memory is short. */
static int add_points(io_document *document, int from, int count, int size,
                      const double *points)
{
    int list = io_document_add_sequence(document, from);
    for (int i = 0; i < count && list != 0; i++) {
        int point = add_numbers(document, from, size, points + (int64_t)i * size);
        list = io_document_append(document, list, point) ? list : 0;
    }
    return list;
}

/* Adds values of the map that the config lacks: the opacity of a volume, the nan_color of
 * other layers. */
static status add_rest(const io_section *section, bool is_volume, int colors,
                       const io_colormap *map)
{
    io_document *document = section->document;
    const bool has_opacity =
        io_section_has(section, "opacity") || io_section_has(section, "extinction");
    if (is_volume && !has_opacity && map->nopacities > 0) {
        int list = add_points(document, colors, map->nopacities, 2, map->opacities[0]);
        return io_config_agree_added(
            io_document_set(document, section->node, "opacity", list));
    }
    if (!is_volume && map->has_nan_color && !io_section_has(section, "nan_color")) {
        int list = add_numbers(document, colors, 3, map->nan_color);
        return io_config_agree_added(
            io_document_set(document, section->node, "nan_color", list));
    }
    return STATUS_OK;
}

/* ---- Colours in a list ---- */

/* Reads an entry of the list: a colour as a text. */
static status read_entry(const io_section *section, int node, double rgb[3])
{
    io_document *document = section->document;
    const char *text = io_document_text(document, node);
    char problem[320];
    if (text == NULL || io_document_is_null(document, node)) {
        char path[IO_DOCUMENT_PATH_SIZE + 8];
        snprintf(path, sizeof path, "%s.colors", section->path);
        return io_document_fail_type(document, node, path, IO_COLOR_NOTATIONS);
    }
    return io_color_read(text, rgb, sizeof problem, problem) == STATUS_OK
               ? STATUS_OK
               : io_document_fail(document, node, "%s.colors: %s", section->path,
                                  problem);
}

/* Whether all entries of a list are texts: colours at equal distances. */
static bool has_only_texts(io_document *document, int list)
{
    const int count = io_document_count(document, list);
    for (int n = 0; n < count; n++) {
        if (io_document_text(document, io_document_item(document, list, n)) == NULL) {
            return false;
        }
    }
    return count > 1;
}

/* Replaces a list of texts by points. */
static status space_out(const io_section *section, int colors)
{
    io_document *document = section->document;
    const int count = io_document_count(document, colors);
    io_colormap map = {.ncolors = count, .range = {0.0, 1.0}};
    map.colors = calloc((size_t)count, sizeof *map.colors);
    status s = io_config_agree_added(map.colors != NULL);
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        map.colors[n][0] = (double)n / (count - 1);
        s = read_entry(section, io_document_item(document, colors, n), map.colors[n] + 1);
    }
    s = s == STATUS_OK ? spread_points(section, colors, &map) : s;
    if (s == STATUS_OK) {
        const int list = add_points(document, colors, count, 4, map.colors[0]);
        s = io_config_agree_added(
            io_document_set(document, section->node, "colors", list));
    }
    io_colormap_free(&map);
    return s;
}

/* Replaces an entry [position, colour] by [position, r, g, b]. */
static status write_out(const io_section *section, int point)
{
    io_document *document = section->document;
    double rgb[3];
    status s = read_entry(section, io_document_item(document, point, 1), rgb);
    yaml_node_t *node = io_document_node(document, point);
    node->data.sequence.items.top--;
    for (int c = 0; c < 3 && s == STATUS_OK; c++) {
        char text[32];
        snprintf(text, sizeof text, "%.17g", rgb[c]);
        s = io_config_agree_added(io_document_append(
            document, point, io_document_add_scalar(document, point, text)));
    }
    return s;
}

/* Colours of points that are texts become numbers; other entries are the table's. */
static status normalise_points(const io_section *section, int colors)
{
    io_document *document = section->document;
    status s = STATUS_OK;
    if (has_only_texts(document, colors)) {
        return space_out(section, colors);
    }
    for (int n = 0; n < io_document_count(document, colors) && s == STATUS_OK; n++) {
        const int point = io_document_item(document, colors, n);
        if (io_document_is_sequence(document, point) &&
            io_document_count(document, point) == 2) {
            s = write_out(section, point);
        }
    }
    return s;
}

/* ---- Names and files ---- */

status io_config_normalise_colors(const io_section *section, bool is_volume,
                                  const char *folder)
{
    io_document *document = section->document;
    int colors = io_section_value(section, "colors");
    const char *name = io_document_text(document, colors);
    if (io_document_is_sequence(document, colors)) {
        return normalise_points(section, colors);
    }
    if (name == NULL || io_document_is_null(document, colors)) {
        return STATUS_OK;
    }
    char where[IO_DOCUMENT_PLACE_SIZE];
    io_colormap map = {0};
    io_document_place(document, colors, sizeof where, where);
    status result = io_colormap_read(where, name, folder, &map);
    if (result != STATUS_OK) {
        return result;
    }
    result = spread_points(section, colors, &map);
    if (result == STATUS_OK) {
        int list = add_points(document, colors, map.ncolors, 4, map.colors[0]);
        result = io_config_agree_added(
            io_document_set(document, section->node, "colors", list));
    }
    if (result == STATUS_OK) {
        result = add_rest(section, is_volume, colors, &map);
    }
    io_colormap_free(&map);
    return result;
}

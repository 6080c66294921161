#include "io/config/colors/colormap.h"
#include "io/config/document/scalar.h"
#include "parts.h"

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
    if (!read_range(section, range)) {
        return io_document_fail(
            section->document, colors,
            "%s.colors: with positions: data, the colour map '%.60s' needs range: [lo, "
            "hi] to lie on",
            section->path, io_document_text(section->document, colors));
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

status io_config_normalise_colors(const io_section *section, bool is_volume,
                                  const char *folder)
{
    io_document *document = section->document;
    int colors = io_section_value(section, "colors");
    const char *name = io_document_text(document, colors);
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

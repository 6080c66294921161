#include "io/colormap.h"
#include "io/config_parts.h"
#include "io/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the range [lo, hi] where it is one; its values are judged later. */
static bool read_range(const io_config_section *section, double range[2])
{
    io_document *document = section->document;
    int node = io_config_section_value(section, "range");
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

/* Positions of a named map go from 0 to 1: with positions: data, they are spread over the
 * range. */
static status spread_points(const io_config_section *section, int colors, int count,
                            double (*points)[4])
{
    int node = io_config_section_value(section, "positions");
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
    for (int i = 0; i < count; i++) {
        points[i][0] = range[0] + points[i][0] * (range[1] - range[0]);
    }
    return STATUS_OK;
}

/* A list of numbers; 0 where memory is short. */
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

/* A list of lists with the values of points; 0 where memory is short. */
static int add_points(io_document *document, int from, int count, double (*points)[4])
{
    int list = io_document_add_sequence(document, from);
    for (int i = 0; i < count && list != 0; i++) {
        int point = add_numbers(document, from, 4, points[i]);
        list = io_document_append(document, list, point) ? list : 0;
    }
    return list;
}

status io_config_normalise_colors(const io_config_section *section, const char *folder)
{
    io_document *document = section->document;
    int colors = io_config_section_value(section, "colors");
    const char *name = io_document_text(document, colors);
    if (name == NULL || io_document_is_null(document, colors)) {
        return STATUS_OK;
    }
    char where[IO_DOCUMENT_PLACE_SIZE];
    double(*points)[4] = NULL;
    int count = 0;
    io_document_place(document, colors, sizeof where, where);
    /* The place where the colour that a map's file has for NaN would become the key
     * nan_color of a section without it (layers other than the volume): grey until
     * io_colormap_load gives one. */
    status result = io_colormap_load(where, name, folder, &count, &points);
    if (result != STATUS_OK) {
        return result;
    }
    result = spread_points(section, colors, count, points);
    if (result == STATUS_OK) {
        int list = add_points(document, colors, count, points);
        result = io_config_agree_added(
            io_document_set(document, section->node, "colors", list));
    }
    free(points);
    return result;
}

#include "colormap.h"

#include "base/status.h"
#include "colormap_parts.h"

#include <stdlib.h>
#include <string.h>

/* ParaView's colour if a file has no NanColor. */
static const double default_nan_color[3] = {1.0, 1.0, 0.0};

static status sample(const colormap_file *file, io_colormap *out)
{
    io_colormap map = {.has_nan_color = file->has_nan_color};
    map.range[0] = file->colors[0][0];
    map.range[1] = file->colors[file->ncolors - 1][0];
    memcpy(map.nan_color, file->has_nan_color ? file->nan_color : default_nan_color,
           sizeof map.nan_color);
    map.colors = io_colormap_sample_colors(file, &map.ncolors);
    if (file->nnodes > 0) {
        map.opacities = io_colormap_sample_opacities(file, &map.nopacities);
    }
    if (!map.colors || (file->nnodes > 0 && !map.opacities)) {
        io_colormap_free(&map);
        return base_fail_memory(0, "a colour map");
    }
    *out = map;
    return STATUS_OK;
}

/* Turns rows of `width` numbers round: the last comes first, and its position, the first
 * number, becomes 1 minus itself. */
static void reverse_rows(int count, int width, double *rows)
{
    for (int n = 0; n < count / 2; n++) {
        double *a = rows + (size_t)n * (size_t)width;
        double *b = rows + (size_t)(count - 1 - n) * (size_t)width;
        for (int v = 0; v < width; v++) {
            const double kept = a[v];
            a[v] = b[v];
            b[v] = kept;
        }
    }
    for (int n = 0; n < count; n++) {
        rows[(size_t)n * (size_t)width] = 1.0 - rows[(size_t)n * (size_t)width];
    }
}

static void reverse(io_colormap *map)
{
    reverse_rows(map->ncolors, 4, map->colors[0]);
    if (map->nopacities > 0) {
        reverse_rows(map->nopacities, 2, map->opacities[0]);
    }
}

status io_colormap_read(const char *where, const char *name, const char *folder,
                        io_colormap *out)
{
    colormap_place place = {0};
    colormap_file file = {0};
    status result = io_colormap_find(where, name, folder, &place);
    if (result == STATUS_OK) {
        result = io_colormap_parse(where, place.path, place.index, &file);
    }
    if (result == STATUS_OK) {
        result = sample(&file, out);
    }
    if (result == STATUS_OK && place.is_reversed) {
        reverse(out);
    }
    io_colormap_file_free(&file);
    free(place.path);
    return result;
}

void io_colormap_free(io_colormap *map)
{
    free(map->colors);
    free(map->opacities);
    *map = (io_colormap){0};
}

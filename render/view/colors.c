#include "colors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells of equal width that divide the range. Each gives the point at which to start the
 * search for a position. */
enum { CELLS = 256 };

struct render_colors {
    double lo, per_range;
    int levels;
    float nan_color[3];
    bool has_beyond[2]; /* below and above the range */
    float beyond[2][3];
    int count;
    double (*points)[4];  /* [count] */
    int start[CELLS + 1]; /* the last point at or before the cell's lower end, or 0 */
};

static status check_points(const render_colors_points *points)
{
    if (points->count < 1) {
        return base_fail(STATUS_USAGE, "a colour map needs at least one point");
    }
    for (int n = 1; n < points->count; n++) {
        if (!(points->points[n][0] >= points->points[n - 1][0])) {
            return base_fail(STATUS_USAGE,
                             "the positions of a colour map must ascend: %g comes after "
                             "%g",
                             points->points[n][0], points->points[n - 1][0]);
        }
    }
    if (!(points->range[0] < points->range[1])) {
        return base_fail(
            STATUS_USAGE,
            "the range of a colour map is [%g, %g]: the first number must be the "
            "smaller one",
            points->range[0], points->range[1]);
    }
    return STATUS_OK;
}

static void find_starts(render_colors *colors)
{
    int at = 0;
    for (int cell = 0; cell <= CELLS; cell++) {
        double position = (double)cell / CELLS;
        while (at + 1 < colors->count && colors->points[at + 1][0] <= position) {
            at++;
        }
        colors->start[cell] = at;
    }
}

status render_colors_create(const render_colors_points *points, render_colors **out)
{
    status s = check_points(points);
    if (s != STATUS_OK) {
        return s;
    }
    size_t bytes = (size_t)points->count * sizeof *points->points;
    render_colors *colors = calloc(1, sizeof *colors);
    if (colors) {
        colors->points = malloc(bytes);
    }
    if (!colors || !colors->points) {
        free(colors);
        return base_fail_memory(bytes, "a colour map");
    }
    colors->lo = points->range[0];
    colors->per_range = 1.0 / (points->range[1] - points->range[0]);
    colors->levels = points->levels;
    colors->count = points->count;
    memcpy(colors->points, points->points, bytes);
    const double *beyond[] = {points->below, points->above};
    for (int c = 0; c < 3; c++) {
        colors->nan_color[c] = (float)points->nan_color[c];
        for (int end = 0; end < 2; end++) {
            colors->has_beyond[end] = beyond[end] != NULL;
            colors->beyond[end][c] = beyond[end] ? (float)beyond[end][c] : 0.0f;
        }
    }
    find_starts(colors);
    *out = colors;
    return STATUS_OK;
}

void render_colors_destroy(render_colors **colors)
{
    if (*colors) {
        free((*colors)->points);
        free(*colors);
        *colors = NULL;
    }
}

void render_colors_replace(render_colors *place, render_colors **by)
{
    const render_colors before = *place;
    *place = **by;
    **by = before;
    render_colors_destroy(by);
}

/* The middle of the band of a position. */
static double quantise(double position, int levels)
{
    double band = fmin(floor(position * levels), levels - 1);
    return (band + 0.5) / levels;
}

bool render_colors_have_beyond(const render_colors *colors)
{
    return colors->has_beyond[0] || colors->has_beyond[1];
}

bool render_colors_are_beyond(const render_colors *colors, float scalar)
{
    const double position = ((double)scalar - colors->lo) * colors->per_range;
    return (position < 0.0 && colors->has_beyond[0]) ||
           (position > 1.0 && colors->has_beyond[1]);
}

void render_colors_look_up(const render_colors *colors, float scalar, float rgb[3])
{
    if (!isfinite(scalar)) {
        memcpy(rgb, colors->nan_color, sizeof colors->nan_color);
        return;
    }
    double position = ((double)scalar - colors->lo) * colors->per_range;
    if (render_colors_are_beyond(colors, scalar)) {
        memcpy(rgb, colors->beyond[position > 1.0], sizeof colors->beyond[0]);
        return;
    }
    /* fmin and fmax would be calls. */
    position = position > 0.0 ? position : 0.0;
    position = position < 1.0 ? position : 1.0;
    if (colors->levels > 0) {
        position = quantise(position, colors->levels);
    }
    int at = colors->start[(int)(position * CELLS)];
    while (at + 1 < colors->count && colors->points[at + 1][0] <= position) {
        at++;
    }
    const double *a = colors->points[at];
    const double *b = colors->points[at + 1 < colors->count ? at + 1 : at];
    double share =
        position > a[0] && b[0] > a[0] ? (position - a[0]) / (b[0] - a[0]) : 0.0;
    for (int c = 0; c < 3; c++) {
        rgb[c] = (float)(a[1 + c] + share * (b[1 + c] - a[1 + c]));
    }
}

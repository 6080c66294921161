#include "strip.h"

#include <math.h>
#include <string.h>

strip strip_make(pen_box box, bool upright)
{
    const pen_box whole = {round(box.x), round(box.y), fmax(round(box.width), 1.0),
                           fmax(round(box.height), 1.0)};
    return (strip){whole, upright};
}

double strip_length(const strip *of)
{
    return of->upright ? of->box.height : of->box.width;
}

/* ---- Values and colours ---- */

/* Position in the range, 0..1; the middle if the range is a single value. */
static double position_of(const annotate_bar *bar, double value)
{
    const double *range = bar->scale.range;
    return range[1] > range[0] ? base_scale_position(&bar->scale, value) : 0.5;
}

double strip_place(const strip *of, const annotate_bar *bar, double value)
{
    const double position = position_of(bar, value);
    return of->upright ? of->box.y + (1.0 - position) * of->box.height
                       : of->box.x + position * of->box.width;
}

static void color_at(const annotate_bar *bar, double position, double rgb[3])
{
    int n = 0;
    while (n + 2 < bar->ncolors && bar->colors[n + 1][0] <= position) {
        n++;
    }
    const double *a = bar->colors[n], *b = bar->colors[n + 1];
    const double span = b[0] - a[0];
    const double share =
        span > 0.0 ? fmin(fmax((position - a[0]) / span, 0.0), 1.0) : position >= b[0];
    for (int c = 0; c < 3; c++) {
        rgb[c] = (1.0 - share) * a[c + 1] + share * b[c + 1];
    }
}

/* The middle of the band of a position; the range's ends are edges of bands, too. */
static double band_position(const annotate_bar *bar, double position)
{
    double lo = 0.0, hi = 1.0;
    for (int n = 0; n < bar->nlevels; n++) {
        const double edge = position_of(bar, bar->levels[n]);
        if (edge <= position) {
            lo = fmax(lo, edge);
        } else {
            hi = fmin(hi, edge);
        }
    }
    return 0.5 * (lo + hi);
}

/* ---- Drawing ---- */

static void fill_box(const pen *with, pen_box box, const double rgb[3])
{
    cairo_set_antialias(with->cairo, CAIRO_ANTIALIAS_NONE);
    cairo_set_source_rgb(with->cairo, rgb[0], rgb[1], rgb[2]);
    cairo_new_path(with->cairo);
    cairo_rectangle(with->cairo, box.x, box.y, box.width, box.height);
    cairo_fill(with->cairo);
    cairo_set_antialias(with->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

/* Draws lines of pixels across the strip, each in the colour at its middle. Each colour
 * fills the rest of the strip, so that figures have no gaps between lines. */
static void draw_colors(const pen *with, const strip *of, const annotate_bar *bar)
{
    const int length = (int)strip_length(of);
    double last[3] = {-1.0, -1.0, -1.0};
    for (int n = 0; n < length; n++) {
        const pen_box *box = &of->box;
        const double middle = (n + 0.5) / length;
        const double position = of->upright ? 1.0 - middle : middle;
        const pen_box rest = of->upright
                                 ? (pen_box){box->x, box->y + n, box->width, length - n}
                                 : (pen_box){box->x + n, box->y, length - n, box->height};
        double rgb[3];
        const bool bands = bar->levels_are == ANNOTATE_LEVELS_BANDS;
        color_at(bar, bands ? band_position(bar, position) : position, rgb);
        if (memcmp(rgb, last, sizeof last) != 0) {
            fill_box(with, rest, rgb);
            memcpy(last, rgb, sizeof last);
        }
    }
}

static void draw_level(const pen *with, const strip *of, const annotate_bar *bar,
                       double value)
{
    const double first = floor(strip_place(of, bar, value) - 0.5 * with->line + 0.5);
    double rgb[3], line[3];
    color_at(bar, position_of(bar, value), rgb);
    pen_contrast(rgb, line);
    const pen_box *box = &of->box;
    fill_box(with,
             of->upright ? (pen_box){box->x, first, box->width, with->line}
                         : (pen_box){first, box->y, with->line, box->height},
             line);
}

static void draw_frame(const pen *with, pen_box box)
{
    const double out = 0.5 * with->line;
    cairo_new_path(with->cairo);
    cairo_rectangle(with->cairo, box.x - out, box.y - out, box.width + with->line,
                    box.height + with->line);
    pen_stroke(with);
}

void strip_draw(const pen *with, const strip *of, const annotate_bar *bar)
{
    if (!pen_sees(with, of->box.y, of->box.y + of->box.height)) {
        return;
    }
    draw_frame(with, of->box);
    draw_colors(with, of, bar);
    const bool lines = bar->levels_are == ANNOTATE_LEVELS_LINES;
    for (int n = 0; lines && n < bar->nlevels; n++) {
        const double *range = bar->scale.range;
        if (bar->levels[n] > range[0] && bar->levels[n] < range[1]) {
            draw_level(with, of, bar, bar->levels[n]);
        }
    }
}

void strip_draw_swatch(const pen *with, pen_box box, const double color[3])
{
    const strip square = strip_make(box, true);
    draw_frame(with, square.box);
    fill_box(with, square.box, color);
}

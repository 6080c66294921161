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

/* The part of the strip for the range. The rest are tips at its ends, for the colours of
 * values beyond. */
static pen_box inner_box(const strip *of, const annotate_bar *bar)
{
    pen_box box = of->box;
    const double tip = floor(1.3 * fmin(box.width, box.height));
    const double first = bar->has_beyond[0] ? tip : 0.0;
    const double both = first + (bar->has_beyond[1] ? tip : 0.0);
    if (of->upright) {
        box.y += both - first;
        box.height = fmax(box.height - both, 1.0);
    } else {
        box.x += first;
        box.width = fmax(box.width - both, 1.0);
    }
    return box;
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
    const pen_box box = inner_box(of, bar);
    return of->upright ? box.y + (1.0 - position) * box.height
                       : box.x + position * box.width;
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

/* Draws the tips: triangles from the ends of the range to those of the strip. */
static void draw_tips(const pen *with, const strip *of, const annotate_bar *bar)
{
    const pen_box in = inner_box(of, bar), *all = &of->box;
    for (int end = 0; end < 2; end++) {
        const double *rgb = bar->beyond[end];
        const bool is_far =
            of->upright ? end == 0 : end == 1; /* below, or at the right */
        const double base = of->upright ? (is_far ? in.y + in.height : in.y)
                                        : (is_far ? in.x + in.width : in.x);
        const double tip = of->upright ? (is_far ? all->y + all->height : all->y)
                                       : (is_far ? all->x + all->width : all->x);
        const double side = of->upright ? in.x : in.y;
        const double width = of->upright ? in.width : in.height;
        const double across[3] = {side, side + width, side + 0.5 * width};
        if (!bar->has_beyond[end]) {
            continue;
        }
        cairo_new_path(with->cairo);
        for (int n = 0; n < 3; n++) {
            const double along = n < 2 ? base : tip;
            cairo_line_to(with->cairo, of->upright ? across[n] : along,
                          of->upright ? along : across[n]);
        }
        cairo_close_path(with->cairo);
        cairo_set_source_rgb(with->cairo, rgb[0], rgb[1], rgb[2]);
        cairo_fill_preserve(with->cairo);
        pen_stroke(with);
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
    const strip inner = {inner_box(of, bar), of->upright};
    draw_tips(with, of, bar);
    draw_frame(with, inner.box);
    draw_colors(with, &inner, bar);
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

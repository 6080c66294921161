#include "curve.h"

#include <math.h>
#include <string.h>

/* Those of the pages (base/style/common.css), for light grounds and for dark ones. M.
 * Okabe, K. Ito: Color universal design, 2008, darkened for white paper. */
enum { COLORS = 7 };
static const double palette[2][COLORS][3] = {{{0.0, 0.447, 0.698},
                                              {0.835, 0.369, 0.0},
                                              {0.0, 0.62, 0.451},
                                              {0.69, 0.322, 0.541},
                                              {0.725, 0.522, 0.0},
                                              {0.165, 0.624, 0.839},
                                              {0.42, 0.42, 0.42}},
                                             {{0.31, 0.659, 0.91},
                                              {0.941, 0.549, 0.29},
                                              {0.235, 0.78, 0.604},
                                              {0.878, 0.561, 0.753},
                                              {0.902, 0.698, 0.235},
                                              {0.525, 0.816, 0.961},
                                              {0.659, 0.659, 0.659}}};

/* Measures in letter sizes. */
static const double width = 0.12, dot_radius = 0.16;

/* A curve with fewer places shows them as dots. */
enum { MOST_DOTS = 40 };

/* A curve with more places than this is thinned: a column of half a pixel keeps its
 * first, least, greatest and last value. */
enum { MOST_EXACT = 4000 };

plot_stroke plot_stroke_of(const pen *with, int n, int count, bool is_ordered)
{
    const double(*colors)[3] = palette[with->text[0] + with->text[1] > 1.0];
    plot_stroke out = {.is_dashed = !is_ordered && n / COLORS % 2 == 1};
    const double part = count > 1 ? (double)n / (count - 1) : 1.0;
    for (int c = 0; c < 3; c++) {
        const double light = 0.6 * with->ground[c] + 0.4 * colors[0][c];
        const double strong = 0.35 * with->text[c] + 0.65 * colors[0][c];
        out.color[c] = is_ordered && count > 1 ? (1.0 - part) * light + part * strong
                                               : colors[n % COLORS][c];
    }
    return out;
}

void plot_stroke_set(const pen *with, const plot_stroke *stroke)
{
    const double dashes[2] = {0.5 * with->font, 0.3 * with->font};
    cairo_set_dash(with->cairo, dashes, stroke->is_dashed ? 2 : 0, 0.0);
    cairo_set_line_cap(with->cairo, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(with->cairo, width * with->font);
    cairo_set_source_rgb(with->cairo, stroke->color[0], stroke->color[1],
                         stroke->color[2]);
}

/* A path in the making. */
typedef struct path {
    const pen *with;
    bool has_point; /* the line goes on from there */
    bool is_alone;  /* one point so far */
    double last[2];
} path;

/* Ends a line. A single point has a dot. */
static void end_line(path *p)
{
    if (p->has_point && p->is_alone) {
        cairo_new_sub_path(p->with->cairo);
        cairo_arc(p->with->cairo, p->last[0], p->last[1], 0.5 * width * p->with->font,
                  0.0, 6.28318530717958648);
    }
    p->has_point = false;
}

static void add_point(path *p, double x, double y)
{
    if (p->has_point) {
        cairo_line_to(p->with->cairo, x, y);
    } else {
        cairo_move_to(p->with->cairo, x, y);
    }
    p->is_alone = !p->has_point;
    p->has_point = true;
    p->last[0] = x;
    p->last[1] = y;
}

/* What a column of pixels keeps of a long curve. */
typedef struct column {
    double number;
    int count;
    double x[4], y[4]; /* first, least, greatest, last */
} column;

static void end_column(column *of, path *p)
{
    const bool rises = of->x[1] <= of->x[2];
    const int order[4] = {0, rises ? 1 : 2, rises ? 2 : 1, 3};
    for (int n = 0; n < 4 && of->count > 0; n++) {
        if (n == 0 || of->x[order[n]] > of->x[order[n - 1]]) {
            add_point(p, of->x[order[n]], of->y[order[n]]);
        }
    }
    of->count = 0;
}

static void add_to_column(column *of, path *p, double x, double y)
{
    if (of->count > 0 && floor(2.0 * x) != of->number) {
        end_column(of, p);
    }
    of->number = floor(2.0 * x);
    for (int n = 0; n < 4; n++) {
        const bool takes = of->count == 0 || n == 3 || (n == 1 && y < of->y[1]) ||
                           (n == 2 && y > of->y[2]);
        of->x[n] = takes ? x : of->x[n];
        of->y[n] = takes ? y : of->y[n];
    }
    of->count++;
}

static void draw_dots(const pen *with, const plot *what, const plot_axis axes[2],
                      const int quantity_and_curve[2])
{
    for (int64_t n = 0; n < what->count; n++) {
        const double value =
            what->value(what->context, quantity_and_curve[0], quantity_and_curve[1], n);
        if (isfinite(value)) {
            cairo_new_sub_path(with->cairo);
            cairo_arc(with->cairo, plot_axis_place(&axes[0], what->x[n]),
                      plot_axis_place(&axes[1], value), dot_radius * with->font, 0.0,
                      6.28318530717958648);
        }
    }
    cairo_fill(with->cairo);
}

void plot_curve_draw(const pen *with, const plot *what, const plot_axis axes[2],
                     const int quantity_and_curve[2], const plot_stroke *stroke)
{
    path p = {.with = with};
    column columns = {0};
    plot_stroke_set(with, stroke);
    cairo_new_path(with->cairo);
    for (int64_t n = 0; n < what->count; n++) {
        const double value =
            what->value(what->context, quantity_and_curve[0], quantity_and_curve[1], n);
        const double x = plot_axis_place(&axes[0], what->x[n]);
        const double y = plot_axis_place(&axes[1], value);
        if (!isfinite(value)) {
            end_column(&columns, &p);
            end_line(&p);
        } else if (what->count > MOST_EXACT) {
            add_to_column(&columns, &p, x, y);
        } else {
            add_point(&p, x, y);
        }
    }
    end_column(&columns, &p);
    end_line(&p);
    cairo_stroke(with->cairo);
    if (what->count <= MOST_DOTS) {
        draw_dots(with, what, axes, quantity_and_curve);
    }
}

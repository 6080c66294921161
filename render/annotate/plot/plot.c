#include "plot.h"

#include "axis.h"
#include "curve.h"
#include "legend.h"
#include "render/annotate/draw.h"
#include "render/annotate/pen.h"
#include "share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Size of letters in pixels of 1/96 inch, and pixels of a PNG for each of these. */
static const double letter = 13.0, png_scale = 2.0, points_per_pixel = 0.75;

/* Measures in letter sizes. The heights of a panel are for one, two and more panels in a
 * column. */
static const double widths[2] = {52.0, 76.0}, heights[3] = {27.0, 16.0, 12.0},
                    margin = 1.0, tick = 0.4, text_gap = 0.35, panel_gap = 1.5;

enum { MOST_IN_COLUMN = 5, TITLE = 512 };

/* A panel: some quantities. */
typedef struct panel {
    int count;
    const char **names; /* [count], of quantities */
    int *quantities;    /* [count] */
    double range[2];
    plot_legend legend; /* without lines: none */
    plot_axis axes[2];
    double top; /* of the panel, with its legend */
} panel;

/* A plot in the making. */
typedef struct drawing {
    const plot *what;
    pen with;
    double width, height; /* pixels */
    double each;          /* height of a panel; 0: the usual one */
    int npanels, ncolumns, nrows;
    panel *panels;
    const char **names;  /* of all panels, [what->nquantities] */
    int *quantities;     /* the same */
    double left, inside; /* from a column's edge to the frame; the frame's width */
} drawing;

static bool is_inset(const drawing *d)
{
    return d->each > 0.0;
}

/* ---- Panels ------------------------------------------------------------------------ */

/* Puts quantities into panels. */
static status make_panels(drawing *d)
{
    const plot *what = d->what;
    const size_t count = (size_t)what->nquantities;
    plot_member *members = calloc(count + 1, sizeof *members);
    d->panels = calloc(count + 1, sizeof *d->panels);
    d->names = calloc(count + 1, sizeof *d->names);
    d->quantities = calloc(count + 1, sizeof *d->quantities);
    if (!members || !d->panels || !d->names || !d->quantities) {
        free(members);
        return base_fail_memory(count * sizeof *d->panels, "a plot");
    }
    d->npanels = plot_share(what, members);
    int first = 0;
    for (int p = 0; p < d->npanels; p++) {
        panel *of = &d->panels[p];
        *of = (panel){.names = d->names + first,
                      .quantities = d->quantities + first,
                      .range = {INFINITY, -INFINITY}};
        for (int n = 0; n < what->nquantities; n++) {
            if (members[n].panel == p) {
                of->names[of->count] = what->quantities[n];
                of->quantities[of->count++] = n;
                of->range[0] = fmin(of->range[0], members[n].range[0]);
                of->range[1] = fmax(of->range[1], members[n].range[1]);
            }
        }
        first += of->count;
    }
    free(members);
    d->ncolumns = d->npanels > MOST_IN_COLUMN && !is_inset(d) ? 2 : 1;
    d->nrows = (d->npanels + d->ncolumns - 1) / d->ncolumns;
    return STATUS_OK;
}

static bool has_values(const panel *of)
{
    return of->range[0] <= of->range[1];
}

/* Its curves: quantities, or the curves of one. */
static int count_curves(const drawing *d, const panel *of)
{
    return of->count > 1 ? of->count : d->what->ncurves;
}

/* ---- Layout ------------------------------------------------------------------------ */

static double panel_height(const drawing *d)
{
    return is_inset(d) ? d->each
                       : heights[d->nrows < 3 ? d->nrows - 1 : 2] * d->with.font;
}

/* The axes without places, and the space at their left. */
static void make_axes(drawing *d)
{
    const plot *what = d->what;
    const double font = d->with.font, column = d->width / d->ncolumns;
    const double across[2] = {what->x[0], what->x[what->count - 1]};
    const double nothing[2] = {0.0, 1.0};
    double labels = 0.0;
    for (int p = 0; p < d->npanels; p++) {
        panel *of = &d->panels[p];
        of->axes[1] = plot_axis_make(has_values(of) ? of->range : nothing, 0.05,
                                     (int)(panel_height(d) / (2.0 * font)));
        labels = fmax(labels, pen_widest(&d->with, &of->axes[1].ticks));
    }
    d->left = margin * font + PEN_LINE * font + labels + (tick + text_gap) * font;
    d->inside = column - d->left - (margin + 0.5) * font;
    for (int p = 0; p < d->npanels; p++) {
        plot_axis *axis = &d->panels[p].axes[0];
        int most = (int)(d->inside / (5.0 * font));
        *axis = plot_axis_make(across, 0.0, most);
        const int place = p / d->nrows; /* of its column */
        axis->from = place * column + d->left;
        axis->to = axis->from + d->inside;
        while (most > 2 &&
               (axis->ticks.count - 1) * (pen_widest(&d->with, &axis->ticks) + font) >
                   d->inside) {
            plot_axis_thin(axis, --most);
        }
    }
}

/* Makes the legends. That of several curves stands above the first panel alone. */
static void make_legends(drawing *d)
{
    for (int p = 0; p < d->npanels; p++) {
        panel *of = &d->panels[p];
        const bool is_shared = of->count > 1;
        if (is_shared || (p == 0 && d->what->ncurves > 1)) {
            of->legend = plot_legend_make(&d->with, count_curves(d, of),
                                          is_shared ? of->names : d->what->curves,
                                          !is_shared && d->what->is_ordered, d->inside);
        }
    }
}

/* Places the panels, those of a row beside each other, and finds the plot's height. */
static void place_panels(drawing *d)
{
    const double font = d->with.font;
    double y = margin * font + (d->what->title ? 1.8 * font : 0.0);
    for (int row = 0; row < d->nrows; row++) {
        int lines = 0;
        for (int p = row; p < d->npanels; p += d->nrows) {
            const int its = d->panels[p].legend.lines;
            lines = its > lines ? its : lines;
        }
        const double top = y + (lines * PEN_LINE + 0.2) * font;
        for (int p = row; p < d->npanels; p += d->nrows) {
            panel *of = &d->panels[p];
            of->axes[1].to = top;
            of->axes[1].from = top + panel_height(d);
            of->top = top - (of->legend.lines * PEN_LINE + 0.2) * font;
        }
        d->height = top + panel_height(d);
        y = d->height + panel_gap * font;
    }
    d->height = ceil(d->height + (tick + text_gap + 2.0 * PEN_LINE + margin) * font);
}

/* ---- Drawing ----------------------------------------------------------------------- */

static void set_text_color(const pen *with, double opacity)
{
    cairo_set_dash(with->cairo, NULL, 0, 0.0);
    cairo_set_source_rgba(with->cairo, with->text[0], with->text[1], with->text[2],
                          opacity);
}

static void draw_line(const pen *with, const double from[2], const double to[2],
                      double opacity)
{
    set_text_color(with, opacity);
    cairo_set_line_width(with->cairo, 0.06 * with->font);
    cairo_new_path(with->cairo);
    cairo_move_to(with->cairo, from[0], from[1]);
    cairo_line_to(with->cairo, to[0], to[1]);
    cairo_stroke(with->cairo);
}

/* Lines of the grid, ticks and labels of one of the axes. */
static void draw_ticks(const pen *with, const plot_axis axes[2], int along,
                       bool has_labels)
{
    const plot_axis *axis = &axes[along], *other = &axes[1 - along];
    const double out = (along ? -tick : tick) * with->font;
    for (int n = 0; n < axis->ticks.count; n++) {
        const double at = plot_axis_place(axis, axis->ticks.values[n]);
        double from[2], to[2];
        from[along] = to[along] = at;
        from[1 - along] = other->from;
        to[1 - along] = other->to;
        draw_line(with, from, to, 0.13);
        to[1 - along] = other->from + out;
        draw_line(with, from, to, 0.8);
        const char *text = axis->ticks.texts[n];
        const double width = pen_text_width(with, with->font, text);
        const double capital = with->capital * with->font;
        if (has_labels) {
            const double beyond =
                to[1 - along] + (along ? -1.0 : 1.0) * text_gap * with->font;
            pen_text(with, with->font, along ? beyond - width : at - 0.5 * width,
                     along ? at + 0.5 * capital : beyond + capital, text, with->text);
        }
    }
}

static void draw_frame(const pen *with, const plot_axis axes[2])
{
    set_text_color(with, 0.8);
    cairo_set_line_width(with->cairo, 0.06 * with->font);
    cairo_new_path(with->cairo);
    cairo_rectangle(with->cairo, axes[0].from, axes[1].to, axes[0].to - axes[0].from,
                    axes[1].from - axes[1].to);
    cairo_stroke(with->cairo);
}

/* A text that is centred at a place, upwards or across, and not longer than `most`. */
static void draw_name(const pen *with, const double at[2], double most, bool is_upright,
                      const char *text)
{
    const double size = pen_text_fit(with, with->font, most, text);
    const double width = pen_text_width(with, size, text);
    cairo_save(with->cairo);
    cairo_translate(with->cairo, at[0], at[1]);
    cairo_rotate(with->cairo, is_upright ? -1.57079632679489662 : 0.0);
    pen_text(with, size, -0.5 * width, 0.0, text, with->text);
    cairo_restore(with->cairo);
}

static void draw_names(const drawing *d, const panel *of, bool is_last)
{
    const pen *with = &d->with;
    const plot_axis *axes = of->axes;
    char name[TITLE];
    annotate_ticks_title(of->count == 1 ? of->names[0] : NULL,
                         d->what->units ? d->what->units[of->quantities[0]] : NULL,
                         axes[1].ticks.exponent, name, sizeof name);
    const double upright[2] = {axes[0].from - d->left + (margin + 0.8) * with->font,
                               0.5 * (axes[1].from + axes[1].to)};
    draw_name(with, upright, axes[1].from - axes[1].to, true, name);
    if (is_last) {
        annotate_ticks_title(d->what->across, NULL, axes[0].ticks.exponent, name,
                             sizeof name);
        const double below[2] = {0.5 * (axes[0].from + axes[0].to),
                                 axes[1].from +
                                     (tick + text_gap + 0.9 + PEN_LINE) * with->font};
        draw_name(with, below, d->inside, false, name);
    }
}

static void draw_panel(const drawing *d, int p)
{
    const panel *of = &d->panels[p];
    const pen *with = &d->with;
    const bool is_last = p % d->nrows == d->nrows - 1 || p == d->npanels - 1;
    const int curves = count_curves(d, of);
    draw_ticks(with, of->axes, 0, is_last);
    if (has_values(of)) {
        draw_ticks(with, of->axes, 1, true);
    }
    draw_frame(with, of->axes);
    draw_names(d, of, is_last);
    if (of->legend.lines > 0) {
        const double at[2] = {of->axes[0].from, of->top + 0.8 * with->font};
        plot_legend_draw(with, &of->legend, at, d->inside);
    }
    for (int n = 0; n < curves && has_values(of); n++) {
        const bool is_shared = of->count > 1;
        const int which[2] = {of->quantities[is_shared ? n : 0], is_shared ? 0 : n};
        const plot_stroke stroke =
            plot_stroke_of(with, n, curves, !is_shared && d->what->is_ordered);
        plot_curve_draw(with, d->what, of->axes, which, &stroke);
    }
    if (!has_values(of)) {
        const double middle[2] = {0.5 * (of->axes[0].from + of->axes[0].to),
                                  0.5 * (of->axes[1].from + of->axes[1].to)};
        draw_name(with, middle, d->inside, false, "no values");
    }
}

static void draw_all(const drawing *d)
{
    const pen *with = &d->with;
    if (d->what->title) {
        const double size =
            pen_text_fit(with, with->font, d->width - d->left - 2.0 * margin * with->font,
                         d->what->title);
        pen_text(with, size, d->left, (margin + 0.9) * with->font, d->what->title,
                 with->text);
    }
    for (int p = 0; p < d->npanels; p++) {
        draw_panel(d, p);
    }
}

/* ---- Files ------------------------------------------------------------------------- */

/* A pen for a plot on a surface, with letters of the plot's size. */
static pen make_pen(cairo_t *cairo, const plot *what)
{
    enum { SIDE = 512 };
    annotate_style style = what->style;
    const double size = style.size > 0.0 ? style.size : 1.0;
    style.size = 1.0;
    const double usual = pen_make(cairo, SIDE, SIDE, 0, SIDE, &style).font;
    style.size = size * letter / usual;
    pen made = pen_make(cairo, SIDE, SIDE, 0, SIDE, &style);
    made.row0 = -INFINITY; /* all of it is drawn at once */
    made.row1 = INFINITY;
    return made;
}

/* Finds places for panels, axes and legends. */
static void lay_out(drawing *d)
{
    make_axes(d);
    make_legends(d);
    place_panels(d);
}

static status check(const plot *what)
{
    return what->nquantities <= PLOT_MOST
               ? STATUS_OK
               : base_fail(STATUS_USAGE,
                           "a plot has at most %d fields, and %d are asked for: choose "
                           "some (--fields)",
                           (int)PLOT_MOST, what->nquantities);
}

static void clear(drawing *d)
{
    free(d->panels);
    free(d->names);
    free(d->quantities);
}

status plot_draw_inset(const void *what, const pen *with, const double box[4])
{
    static const double smaller = 0.85, narrowest = 18.0, lowest = 10.0; /* letters */
    drawing d = {.what = what, .with = *with, .width = box[2], .each = 1.0};
    status s = check(d.what);
    s = s == STATUS_OK ? make_panels(&d) : s;
    if (s == STATUS_OK) {
        d.with.font = fmin(smaller * with->font,
                           fmin(box[2] / narrowest, box[3] / (lowest + 3.0 * d.nrows)));
        d.with.row0 = -INFINITY;
        d.with.row1 = INFINITY;
        d.with.taken = NULL;
        lay_out(&d); /* all but the panels takes its height */
        d.each = fmax((box[3] - d.height) / d.nrows + 1.0, 2.0 * d.with.font);
        lay_out(&d);
        cairo_save(with->cairo);
        cairo_translate(with->cairo, box[0], box[1]);
        draw_all(&d);
        cairo_restore(with->cairo);
    }
    clear(&d);
    return s;
}

/* Makes the layout with a surface that is not drawn on. */
static status make_drawing(const plot *what, drawing *d)
{
    cairo_surface_t *trial = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cairo = cairo_create(trial);
    *d = (drawing){.what = what, .with = make_pen(cairo, what)};
    status s = make_panels(d);
    if (s == STATUS_OK) {
        d->width = round(widths[d->ncolumns - 1] * d->with.font);
        lay_out(d);
        s = annotate_check_cairo(cairo_status(cairo));
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(trial);
    return s;
}

/* Draws on a surface, which is finished and destroyed. */
static status draw_on(drawing *d, cairo_surface_t *surface, double scale, FILE *png)
{
    cairo_t *cairo = cairo_create(surface);
    cairo_scale(cairo, scale, scale);
    d->with = make_pen(cairo, d->what);
    cairo_set_source_rgb(cairo, d->with.ground[0], d->with.ground[1], d->with.ground[2]);
    cairo_paint(cairo);
    draw_all(d);
    cairo_show_page(cairo);
    cairo_status_t state = cairo_status(cairo);
    cairo_destroy(cairo);
    if (png && state == CAIRO_STATUS_SUCCESS) {
        state = cairo_surface_write_to_png_stream(surface, annotate_write_bytes, png);
    }
    cairo_surface_finish(surface);
    state = state == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : state;
    cairo_surface_destroy(surface);
    return annotate_check_cairo(state);
}

status plot_write(const plot *what, plot_format format, FILE *file)
{
    drawing d = {0};
    status s = check(what);
    s = s == STATUS_OK ? make_drawing(what, &d) : s;
    if (s == STATUS_OK && format == PLOT_PNG) {
        cairo_surface_t *surface =
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(png_scale * d.width),
                                       (int)ceil(png_scale * d.height));
        s = draw_on(&d, surface, png_scale, file);
    } else if (s == STATUS_OK) {
        cairo_surface_t *surface =
            annotate_vector_surface(file, format == PLOT_SVG, points_per_pixel * d.width,
                                    points_per_pixel * d.height);
        s = draw_on(&d, surface, points_per_pixel, NULL);
    }
    clear(&d);
    return s;
}

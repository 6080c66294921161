#include "panel.h"

#include <math.h>

/* Measures in letter sizes, and the panel's opacity. */
static const double padding = 0.6, corner = 0.35, opacity = 0.78;

/* Whether all points lie on one side of the line through two of them, and all corners of
 * the box on the other. */
static bool line_separates(const annotate_hull *hull, int a, int b, const pen_box *box)
{
    const double *p = hull->points[a], *q = hull->points[b];
    const double nx = p[1] - q[1], ny = q[0] - p[0], at = nx * p[0] + ny * p[1];
    double most = -INFINITY, least = INFINITY, box_most = -INFINITY, box_least = INFINITY;
    for (int n = 0; n < hull->count; n++) {
        const double d = nx * hull->points[n][0] + ny * hull->points[n][1];
        most = fmax(most, d);
        least = fmin(least, d);
    }
    for (int n = 0; n < 4; n++) {
        const int column = n % 2, row = n / 2;
        const double d =
            nx * (box->x + column * box->width) + ny * (box->y + row * box->height);
        box_most = fmax(box_most, d);
        box_least = fmin(box_least, d);
    }
    const double slack = 1e-9 * (fabs(at) + 1.0);
    return (most <= at + slack && box_least > at) ||
           (least >= at - slack && box_most < at);
}

static bool sides_separate(const annotate_hull *hull, const pen_box *box)
{
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (int n = 0; n < hull->count; n++) {
        for (int c = 0; c < 2; c++) {
            lo[c] = fmin(lo[c], hull->points[n][c]);
            hi[c] = fmax(hi[c], hull->points[n][c]);
        }
    }
    return hi[0] < box->x || lo[0] > box->x + box->width || hi[1] < box->y ||
           lo[1] > box->y + box->height;
}

/* Whether a box meets the hull of the points: no line along a side of either separates
 * them. */
static bool meets(const annotate_hull *hull, const pen_box *box)
{
    if (hull->is_all || hull->count == 0) {
        return hull->is_all;
    }
    bool is_apart = sides_separate(hull, box);
    for (int a = 0; a < hull->count; a++) {
        for (int b = 0; b < a; b++) {
            is_apart = is_apart || line_separates(hull, a, b, box);
        }
    }
    return !is_apart;
}

/* Adds a rectangle with round corners. */
static void add_rounded(cairo_t *cairo, const pen_box *box, double radius)
{
    const double quarter = 1.57079632679489661923;
    const double x[4] = {box->x + box->width - radius, box->x + box->width - radius,
                         box->x + radius, box->x + radius};
    const double y[4] = {box->y + radius, box->y + box->height - radius,
                         box->y + box->height - radius, box->y + radius};
    cairo_new_path(cairo);
    for (int n = 0; n < 4; n++) {
        cairo_arc(cairo, x[n], y[n], radius, (n - 1) * quarter, n * quarter);
    }
    cairo_close_path(cairo);
}

void panel_draw(const pen *with, annotate_panel panel, pen_box around)
{
    const double by = padding * with->font;
    const pen_box box = {round(around.x - by), round(around.y - by),
                         round(around.width + 2.0 * by), round(around.height + 2.0 * by)};
    pen_take(with, around);
    const bool is_wanted =
        panel == ANNOTATE_PANEL_ON ||
        (panel == ANNOTATE_PANEL_AUTO && with->scene != NULL && meets(with->scene, &box));
    if (!is_wanted || !pen_sees(with, box.y, box.y + box.height)) {
        return;
    }
    add_rounded(with->cairo, &box, corner * with->font);
    cairo_set_source_rgba(with->cairo, with->ground[0], with->ground[1], with->ground[2],
                          opacity);
    cairo_fill(with->cairo);
}

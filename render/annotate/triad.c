#include "triad.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Measures of an arrow, in letter sizes. */
static const double arm_length = 3.3, head_length = 1.0, head_radius = 0.34,
                    shaft_width = 0.24, letter_distance = 0.8, rim = 0.9;

static const double colors[3][3] = {
    {0.89, 0.24, 0.22}, {0.20, 0.68, 0.27}, {0.27, 0.49, 0.96}};

/* One axis as seen by the viewer; lengths are relative to the arm. */
typedef struct arm {
    int axis;
    double x, y;  /* place of its tip in the picture, y downwards */
    double depth; /* depth of the tip behind the origin */
    double seen;  /* length in the picture */
} arm;

static arm make_arm(const annotate_triad *triad, int axis)
{
    arm made = {axis, triad->right.v[axis], -triad->up.v[axis], triad->forward.v[axis],
                0.0};
    made.seen = hypot(made.x, made.y);
    return made;
}

/* Sorts from the farthest to the nearest tip. All arms begin at the origin, so this is
 * the order for drawing. */
static void sort_arms(arm arms[3])
{
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < 2; n++) {
            if (arms[n].depth < arms[n + 1].depth) {
                const arm nearer = arms[n];
                arms[n] = arms[n + 1];
                arms[n + 1] = nearer;
            }
        }
    }
}

static double unit_of(const pen *with, const annotate_triad *triad)
{
    return with->font * (triad->size > 0.0 ? triad->size : 1.0);
}

double triad_edge(const pen *with, const annotate_triad *triad)
{
    return 2.0 * (arm_length + rim) * unit_of(with, triad);
}

/* ---- One arrow, in letter sizes around the origin ---- */

static void set_shade(cairo_t *cairo, int axis, double shade)
{
    const double *c = colors[axis];
    cairo_set_source_rgb(cairo, shade * c[0], shade * c[1], shade * c[2]);
}

/* Adds the outline of a cone: the ellipse of its base, and the two tangents from the tip.
 * With the ellipse scaled to the unit circle and the tip at (a, 0), the tangents touch it
 * at the angles ±acos(1/a). A tip inside the circle adds nothing to the outline. */
static void add_cone_path(cairo_t *cairo, const arm *of)
{
    const double flat = head_radius * fmax(fabs(of->depth), 0.02);
    const double tip = head_length * of->seen / flat;
    const double touch = tip > 1.0 ? acos(1.0 / tip) : 0.0;
    const double base = arm_length - head_length;
    cairo_save(cairo);
    cairo_translate(cairo, base * of->x, base * of->y);
    cairo_rotate(cairo, atan2(of->y, of->x));
    cairo_scale(cairo, flat, head_radius);
    cairo_new_path(cairo);
    cairo_arc(cairo, 0.0, 0.0, 1.0, touch, 2.0 * PI - touch);
    if (tip > 1.0) {
        cairo_line_to(cairo, tip, 0.0);
    }
    cairo_close_path(cairo);
    cairo_restore(cairo);
}

static void draw_head(cairo_t *cairo, const arm *of)
{
    add_cone_path(cairo, of);
    set_shade(cairo, of->axis, 1.0);
    cairo_fill(cairo);
    if (of->depth > 0.0) { /* it points away, and its base is visible */
        const arm disc = {of->axis, of->x, of->y, of->depth, 0.0};
        add_cone_path(cairo, &disc);
        set_shade(cairo, of->axis, 0.6);
        cairo_fill(cairo);
    }
}

static void add_shaft_path(cairo_t *cairo, const arm *of)
{
    const double base = arm_length - head_length;
    cairo_new_path(cairo);
    cairo_move_to(cairo, 0.0, 0.0);
    cairo_line_to(cairo, base * of->x, base * of->y);
}

static void draw_shaft(cairo_t *cairo, const arm *of)
{
    add_shaft_path(cairo, of);
    cairo_set_line_width(cairo, shaft_width);
    set_shade(cairo, of->axis, 0.85);
    cairo_stroke(cairo);
}

static void draw_halo(const pen *with, const arm *of)
{
    const double width = 0.16;
    cairo_set_source_rgba(with->cairo, with->halo[0], with->halo[1], with->halo[2], 0.6);
    add_shaft_path(with->cairo, of);
    cairo_set_line_width(with->cairo, shaft_width + width);
    cairo_stroke(with->cairo);
    add_cone_path(with->cairo, of);
    cairo_set_line_width(with->cairo, width);
    cairo_stroke(with->cairo);
}

/* ---- Letters ---- */

/* Direction from an arm's tip to its letter: along the arm; for an arm seen end-on, away
 * from the other two. */
static void letter_direction(const arm arms[3], int n, double out[2])
{
    const arm *first = &arms[(n + 1) % 3], *second = &arms[(n + 2) % 3];
    out[0] = arms[n].seen > 0.2 ? arms[n].x : -(first->x + second->x);
    out[1] = arms[n].seen > 0.2 ? arms[n].y : -(first->y + second->y);
    const double length = hypot(out[0], out[1]);
    out[0] = length > 0.0 ? out[0] / length : 0.0;
    out[1] = length > 0.0 ? out[1] / length : -1.0;
}

static void draw_letter(const pen *with, const arm arms[3], int n, double unit,
                        const double origin[2])
{
    static const char *const letters[] = {"x", "y", "z"};
    const char *letter = letters[arms[n].axis];
    double way[2];
    letter_direction(arms, n, way);
    const double x =
        origin[0] + unit * (arm_length * arms[n].x + letter_distance * way[0]);
    const double y =
        origin[1] + unit * (arm_length * arms[n].y + letter_distance * way[1]);
    const double small_letter = 0.55; /* height of an x in letter sizes */
    pen_text(with, unit, x - 0.5 * pen_text_width(with, unit, letter),
             y + 0.5 * small_letter * unit, letter, colors[arms[n].axis]);
}

static void draw_arm(const pen *with, const arm *of, double unit, const double origin[2])
{
    cairo_save(with->cairo);
    cairo_translate(with->cairo, origin[0], origin[1]);
    cairo_scale(with->cairo, unit, unit);
    cairo_set_line_cap(with->cairo, CAIRO_LINE_CAP_ROUND);
    draw_halo(with, of);
    if (of->depth > 0.0) {
        draw_head(with->cairo, of);
        draw_shaft(with->cairo, of);
    } else {
        draw_shaft(with->cairo, of);
        draw_head(with->cairo, of);
    }
    cairo_restore(with->cairo);
}

void triad_draw(const pen *with, const annotate_triad *triad, pen_box square)
{
    if (!pen_sees(with, square.y, square.y + square.height)) {
        return;
    }
    const double unit = unit_of(with, triad);
    const double origin[2] = {square.x + 0.5 * square.width,
                              square.y + 0.5 * square.height};
    arm arms[3];
    for (int axis = 0; axis < 3; axis++) {
        arms[axis] = make_arm(triad, axis);
    }
    sort_arms(arms);
    for (int n = 0; n < 3; n++) {
        draw_arm(with, &arms[n], unit, origin);
    }
    for (int n = 0; n < 3; n++) {
        draw_letter(with, arms, n, unit, origin);
    }
}

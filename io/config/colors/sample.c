#include "colormap_parts.h"

#include "color_space.h"
#include "polyline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest errors of linear interpolation: for colours a quarter of an 8-bit count. */
static const double color_tolerance = 0.25 / 255.0, opacity_tolerance = 5e-4;

/* ---- Colours ---- */

typedef void color_mix(const double first[3], const double last[3], double fraction,
                       double rgb[3]);

/* The ends of a curve of colours: rows of a colour map. */
typedef struct color_ends {
    color_mix *mix;
    const double *first, *last;
} color_ends;

static void evaluate_color(const void *context, double fraction, double *rgb)
{
    const color_ends *ends = context;
    ends->mix(ends->first + 1, ends->last + 1, fraction, rgb);
}

/* The interpolation of a space that is not linear in RGB; else NULL. */
static color_mix *mix_of(colormap_space space)
{
    switch (space) {
    case COLORMAP_HSV:
        return io_color_mix_hsv;
    case COLORMAP_HSV_WRAPPED:
        return io_color_mix_hsv_wrapped;
    case COLORMAP_LAB:
        return io_color_mix_lab;
    case COLORMAP_DIVERGING:
        return io_color_mix_diverging;
    case COLORMAP_RGB:
    case COLORMAP_STEP:
        break;
    }
    return NULL;
}

/* Adds points between two points of a map without steps. */
static void add_between(io_polyline *line, colormap_space space, const double *first,
                        const double *last)
{
    if (mix_of(space) && last[0] > first[0]) {
        const color_ends ends = {mix_of(space), first, last};
        const io_curve curve = {evaluate_color, &ends, first[0], last[0],
                                color_tolerance};
        io_polyline_add_curve(line, &curve);
    }
}

/* 0 at the first colour, 1 at the last. */
static double scale_position(const colormap_file *file, double position)
{
    const double first = file->colors[0][0];
    return (position - first) / (file->colors[file->ncolors - 1][0] - first);
}

/* A point of the map, its position scaled. */
static void get_point(const colormap_file *file, int n, double point[4])
{
    memcpy(point, file->colors[n], 4 * sizeof *point);
    point[0] = scale_position(file, point[0]);
}

/* VTK's steps: between two points the colour is that of the second. */
static void add_steps(io_polyline *line, const colormap_file *file)
{
    for (int n = 1; n < file->ncolors; n++) {
        double first[4], last[4];
        get_point(file, n - 1, first);
        get_point(file, n, last);
        io_polyline_add(line, first[0], last + 1);
        io_polyline_add(line, last[0], last + 1);
    }
}

static void add_curves(io_polyline *line, const colormap_file *file)
{
    for (int n = 0; n < file->ncolors; n++) {
        double previous[4], point[4];
        get_point(file, n, point);
        if (n > 0) {
            get_point(file, n - 1, previous);
            add_between(line, file->space, previous, point);
        }
        io_polyline_add(line, point[0], point + 1);
    }
}

double (*io_colormap_sample_colors(const colormap_file *file, int *count))[4]
{
    io_polyline line = {.width = 3};
    if (file->space == COLORMAP_STEP) {
        add_steps(&line, file);
    } else {
        add_curves(&line, file);
    }
    *count = line.count;
    return (double(*)[4])line.rows;
}

/* ---- Opacities ---- */

/* Bends the fraction so that one half is reached at the midpoint. */
static double bend_to_midpoint(double fraction, double midpoint)
{
    const double middle = fmin(fmax(midpoint, 1e-5), 1.0 - 1e-5);
    return fraction < middle ? 0.5 * fraction / middle
                             : 0.5 + 0.5 * (fraction - middle) / (1.0 - middle);
}

/*
 * VTK's definition (vtkPiecewiseFunction::GetValue, VTK 9): a straight line for sharpness
 * below 0.01, a step above 0.99. In between it is a cubic Hermite curve whose end slopes
 * are 1 − sharpness times that of the line. Its fraction is drawn away from the ends by
 * the power 1 + 10 sharpness.
 */
double io_colormap_opacity_between(const colormap_node *first, const colormap_node *last,
                                   double fraction)
{
    const double a = first->alpha, b = last->alpha, sharpness = first->sharpness;
    double s = bend_to_midpoint(fraction, first->midpoint);
    if (sharpness > 0.99) {
        return s < 0.5 ? a : b;
    }
    if (sharpness < 0.01) {
        return (1.0 - s) * a + s * b;
    }
    const double power = 1.0 + 10.0 * sharpness;
    s = s < 0.5 ? 0.5 * pow(2.0 * s, power) : 1.0 - 0.5 * pow(2.0 * (1.0 - s), power);
    const double s2 = s * s, s3 = s2 * s;
    const double slope = (1.0 - sharpness) * (b - a);
    const double alpha = (2.0 * s3 - 3.0 * s2 + 1.0) * a + (3.0 * s2 - 2.0 * s3) * b +
                         (s3 - 2.0 * s2 + s) * slope + (s3 - s2) * slope;
    return fmin(fmax(alpha, fmin(a, b)), fmax(a, b));
}

typedef struct opacity_ends {
    const colormap_node *first, *last;
    double from, to; /* the part of the way between the nodes */
} opacity_ends;

static void evaluate_opacity(const void *context, double fraction, double *alpha)
{
    const opacity_ends *ends = context;
    const double way = (1.0 - fraction) * ends->from + fraction * ends->to;
    *alpha = io_colormap_opacity_between(ends->first, ends->last, way);
}

/* Adds one half of the way between two nodes. The halves have the same shape, mirrored
 * and scaled. */
static void add_half(io_polyline *line, const opacity_ends *ends)
{
    const double first = ends->first->position;
    const double span = ends->last->position - first;
    const io_curve curve = {evaluate_opacity, ends, first + ends->from * span,
                            first + ends->to * span, opacity_tolerance};
    io_polyline_add_curve(line, &curve);
}

/* Adds the points between two nodes: two halves, or a jump, at the midpoint. */
static void add_between_nodes(io_polyline *line, const colormap_node *first,
                              const colormap_node *last)
{
    if (!(last->position > first->position)) {
        return;
    }
    const double midpoint = fmin(fmax(first->midpoint, 1e-5), 1.0 - 1e-5);
    const double middle = first->position + midpoint * (last->position - first->position);
    if (first->sharpness > 0.99) {
        io_polyline_add(line, middle, &first->alpha);
        io_polyline_add(line, middle, &last->alpha);
        return;
    }
    const double half = io_colormap_opacity_between(first, last, midpoint);
    add_half(line, &(opacity_ends){first, last, 0.0, midpoint});
    if (first->sharpness >= 0.01 || first->midpoint != 0.5) {
        io_polyline_add(line, middle, &half);
    }
    add_half(line, &(opacity_ends){first, last, midpoint, 1.0});
}

double (*io_colormap_sample_opacities(const colormap_file *file, int *count))[2]
{
    io_polyline line = {.width = 1};
    colormap_node previous = {0};
    for (int i = 0; i < file->nnodes; i++) {
        colormap_node node = file->nodes[i];
        node.position = scale_position(file, node.position);
        if (i > 0) {
            add_between_nodes(&line, &previous, &node);
        }
        io_polyline_add(&line, node.position, &node.alpha);
        previous = node;
    }
    io_polyline cut = io_polyline_cut(&line);
    free(line.rows);
    *count = cut.count;
    return (double(*)[2])cut.rows;
}

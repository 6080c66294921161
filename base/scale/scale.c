#include "scale.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

base_scale base_scale_make(base_scale_kind kind, double threshold, const double range[2])
{
    const double part = 1e-3;
    return (base_scale){.kind = kind,
                        .threshold = threshold > 0.0
                                         ? threshold
                                         : part * fmax(fabs(range[0]), fabs(range[1])),
                        .range = {range[0], range[1]}};
}

double base_scale_forward(const base_scale *scale, double value)
{
    switch (scale->kind) {
    case BASE_SCALE_LOG:
        return value > 0.0 ? log(value) : -INFINITY;
    case BASE_SCALE_SYMLOG:
        return copysign(log1p(fabs(value) / scale->threshold), value);
    default:
        return value;
    }
}

double base_scale_backward(const base_scale *scale, double u)
{
    switch (scale->kind) {
    case BASE_SCALE_LOG:
        return exp(u);
    case BASE_SCALE_SYMLOG:
        return copysign(scale->threshold * expm1(fabs(u)), u);
    default:
        return u;
    }
}

double base_scale_position(const base_scale *scale, double value)
{
    const double lo = base_scale_forward(scale, scale->range[0]);
    const double hi = base_scale_forward(scale, scale->range[1]);
    return (base_scale_forward(scale, value) - lo) / (hi - lo);
}

double base_scale_value(const base_scale *scale, double position)
{
    const double lo = base_scale_forward(scale, scale->range[0]);
    const double hi = base_scale_forward(scale, scale->range[1]);
    if (position == 0.0 || position == 1.0) {
        return scale->range[(int)position]; /* without rounding */
    }
    return base_scale_backward(scale, lo + position * (hi - lo));
}

double base_scale_middle(const base_scale *scale, double lower, double upper)
{
    const double a = base_scale_forward(scale, lower);
    const double b = base_scale_forward(scale, upper);
    if (scale->kind == BASE_SCALE_LINEAR || !isfinite(a)) {
        return isfinite(a) ? 0.5 * lower + 0.5 * upper : upper;
    }
    return base_scale_backward(scale, 0.5 * a + 0.5 * b);
}

/* ---- Control points ---------------------------------------------------------------- */

/* The fraction of the range at which a position of the scale lies. */
static double flat_position(const base_scale *scale, double position)
{
    return (base_scale_value(scale, position) - scale->range[0]) /
           (scale->range[1] - scale->range[0]);
}

/* Adds the point at `share` of the way from one control point to the next. */
static void add_point(const base_scale *scale, const double *from, const double *to,
                      double share, base_scale_points *out)
{
    if (out->rows != NULL) {
        double *row = out->rows + (size_t)out->count * (size_t)out->width;
        for (int n = 0; n < out->width; n++) {
            row[n] = share == 1.0 ? to[n] : (1.0 - share) * from[n] + share * to[n];
        }
        row[0] = flat_position(scale, row[0]);
    }
    out->count++;
}

/*
 * Adds points between `from` and `to`, up to `to`, at equal distances on the scale. The
 * line from one to the next in the values bends against that on the scale by at most
 * du²/8 in u, if |d²v/du²| <= |dv/du|. That makes dc du / (8 n²) for n points, a
 * distance of du, and a change by dc.
 */
static void add_piece(const base_scale *scale, double tolerance, const double *from,
                      const double *to, base_scale_points *out)
{
    const double lo = base_scale_forward(scale, scale->range[0]);
    const double hi = base_scale_forward(scale, scale->range[1]);
    const double du = (to[0] - from[0]) * (hi - lo);
    double dc = 0.0;
    for (int n = 1; n < out->width; n++) {
        dc = fmax(dc, fabs(to[n] - from[n]));
    }
    const int pieces = (int)fmax(ceil(sqrt(dc * du / (8.0 * tolerance))), 1.0);
    for (int n = 1; n <= pieces; n++) {
        add_point(scale, from, to, (double)n / pieces, out);
    }
}

/* The same, with a point at the value 0, where the symmetric scale bends the other way.
 */
static void add_bent_piece(const base_scale *scale, double tolerance, const double *from,
                           const double *to, base_scale_points *out)
{
    const double zero = base_scale_position(scale, 0.0);
    if (scale->kind != BASE_SCALE_SYMLOG || !(from[0] < zero && zero < to[0])) {
        add_piece(scale, tolerance, from, to, out);
        return;
    }
    double middle[8];
    const double share = (zero - from[0]) / (to[0] - from[0]);
    for (int n = 0; n < out->width; n++) {
        middle[n] = (1.0 - share) * from[n] + share * to[n];
    }
    middle[0] = zero;
    add_piece(scale, tolerance, from, middle, out);
    add_piece(scale, tolerance, middle, to, out);
}

static void add_all(const base_scale *scale, double tolerance,
                    const base_scale_points *points, base_scale_points *out)
{
    for (int n = 0; n < points->count; n++) {
        const double *point = points->rows + (size_t)n * (size_t)points->width;
        const bool is_apart = n > 0 && point[0] > point[-points->width];
        if (scale->kind == BASE_SCALE_LINEAR || !is_apart) {
            add_point(scale, point, point, 1.0, out);
        } else {
            add_bent_piece(scale, tolerance, point - points->width, point, out);
        }
    }
}

status base_scale_flatten(const base_scale *scale, double tolerance,
                          const base_scale_points *points, base_scale_points *out)
{
    base_scale_points made = {.width = points->width}; /* counted first: no rows */
    add_all(scale, tolerance, points, &made);
    const size_t bytes = (size_t)made.count * (size_t)made.width * sizeof *made.rows;
    made.rows = malloc(bytes);
    if (made.rows == NULL) {
        return base_fail_memory(bytes, "a scale of colours");
    }
    made.count = 0;
    add_all(scale, tolerance, points, &made);
    *out = made;
    return STATUS_OK;
}

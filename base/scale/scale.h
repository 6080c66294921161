/* Scales of colours: from the values of a field to positions 0..1 in a colour map. */
#ifndef BASE_SCALE_SCALE_H
#define BASE_SCALE_SCALE_H

#include "base/status.h"

typedef enum base_scale_kind {
    BASE_SCALE_LINEAR,
    BASE_SCALE_LOG,   /* ln v, for values above 0 */
    BASE_SCALE_SYMLOG /* sgn v ln(1 + |v| / threshold): linear around 0, logarithmic far
                         from it. J. B. W. Webber: A bi-symmetric log transformation for
                         wide-range data. Meas. Sci. Technol. 24 (2013), 027001 */
} base_scale_kind;

/* A scale over a range of values; zero except for the range is a linear one. */
typedef struct base_scale {
    base_scale_kind kind;
    double threshold; /* symlog: above 0 */
    double range[2];  /* values at positions 0 and 1, lo < hi; log: lo > 0 */
} base_scale;

/* A scale over a range. threshold 0: 1/1000 of the greatest magnitude in the range. */
base_scale base_scale_make(base_scale_kind kind, double threshold, const double range[2]);

/* The coordinate u of a value on the scale, and the value at a coordinate. Both ascend.
 * The logarithm of values up to 0 is -INFINITY. */
double base_scale_forward(const base_scale *scale, double value);
double base_scale_backward(const base_scale *scale, double u);

/* The position of a value, 0 and 1 at the ends of the range, and the value at a
 * position. */
double base_scale_position(const base_scale *scale, double value);
double base_scale_value(const base_scale *scale, double position);

/* The value in the middle between two values on the scale; that of the greater one if the
 * scale lacks the lesser one. */
double base_scale_middle(const base_scale *scale, double lower, double upper);

/* Control points ([count][width]): a position, ascending (equal ones jump), and width - 1
 * numbers each. */
typedef struct base_scale_points {
    int width, count;
    double *rows;
} base_scale_points;

/*
 * Turns control points that are linear on the scale, at positions on it, into points that
 * are linear in the values, at fractions of the range. Between them, straight lines
 * differ from the given ones by at most `tolerance`. A linear scale copies. out->rows is
 * malloc'ed. Local. Errors: STATUS_MEMORY.
 */
status base_scale_flatten(const base_scale *scale, double tolerance,
                          const base_scale_points *points, base_scale_points *out);

#endif

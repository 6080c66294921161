/* Piecewise linear approximation of curves: few points, with a bound on the error. */
#ifndef IO_CONFIG_COLORS_POLYLINE_H
#define IO_CONFIG_COLORS_POLYLINE_H

#include <stdbool.h>
#include <stdint.h>

/* The most values of a point beside its position. */
enum { IO_POLYLINE_VALUES = 3 };

/* A growing list of rows: a position and `width` values. */
typedef struct io_polyline {
    int width, count;
    int64_t capacity;
    double *rows; /* [count][1 + width], malloc'ed */
    bool failed;  /* memory was short; rows is then NULL and stays so */
} io_polyline;

/* A curve between two points, evaluated at a fraction (0..1) of the way. */
typedef struct io_curve {
    void (*evaluate)(const void *context, double fraction, double *values);
    const void *context;
    double from, to;  /* positions of its ends */
    double tolerance; /* the largest error of linear interpolation */
} io_curve;

/* Adds a point. */
void io_polyline_add(io_polyline *line, double position, const double *values);

/*
 * Adds points between the ends of a curve, without the ends, so that linear interpolation
 * errs by at most the tolerance. Points are at multiples of 1/4096. The curve is probed
 * at eight places of each piece and is assumed to have no finer detail.
 */
void io_polyline_add_curve(io_polyline *line, const io_curve *curve);

/*
 * Cuts the line to positions from 0 to 1. Beyond its first and last point the line has
 * their values. At a jump on the cut, the inner value counts.
 */
io_polyline io_polyline_cut(const io_polyline *line);

#endif

/* Curves as straight pieces: few points, and a bound on what lies between them. */
#ifndef IO_CONFIG_COLORS_POLYLINE_H
#define IO_CONFIG_COLORS_POLYLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Most values that a point may have beside its position. */
enum { IO_POLYLINE_VALUES = 3 };

/* Rows of a position and `width` values, growing. */
typedef struct io_polyline {
    int width, count;
    int64_t capacity;
    double *rows; /* [count][1 + width], malloc'ed */
    bool failed;  /* memory was short; rows is NULL and stays so */
} io_polyline;

/* The values of a curve at a fraction (0..1) of the way from one point to the next. */
typedef struct io_curve {
    void (*evaluate)(const void *context, double fraction, double *values);
    const void *context;
    double from, to;  /* positions of its ends */
    double tolerance; /* how far straight lines may be from it */
} io_curve;

/* Adds a point. */
void io_polyline_add(io_polyline *line, double position, const double *values);

/*
 * Adds what lies between the ends of a curve, without them: points so close that straight
 * lines stay within the tolerance, at fractions that are multiples of 1/4096. The curve
 * is probed at eight places of each piece and is taken to have no finer detail.
 */
void io_polyline_add_curve(io_polyline *line, const io_curve *curve);

/*
 * The part at positions from 0 to 1, cut there. Before the first and after the last point
 * of the line the end values hold. At a jump on the cut, what lies inside counts.
 */
io_polyline io_polyline_cut(const io_polyline *line);

#endif

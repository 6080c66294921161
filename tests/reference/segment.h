/* The emission-absorption integral along a segment with a linear scalar, exact but for
 * rounding. It shares nothing with render/transfer. */
#ifndef REFERENCE_SEGMENT_H
#define REFERENCE_SEGMENT_H

#include "reference/reference.h"

/*
 * Adds a segment behind what a ray has passed so far: along `length` (0 or more, in the
 * grid's units) the scalar goes from s0 to s1. The segment is cut at the points of the
 * transfer function, however close these are. Between them Gauss's rule with three
 * points takes parts of small optical depth. Local.
 */
void reference_segment_add(reference_pixel *pixel, const reference_transfer *transfer,
                           const double scalar[2], double length);

#endif

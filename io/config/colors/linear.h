/* Colours as displayed (sRGB) and in linear light. */
#ifndef IO_CONFIG_COLORS_LINEAR_H
#define IO_CONFIG_COLORS_LINEAR_H

#include "base/status.h"

/* Converts a displayed colour, 0..1, to linear light. */
void io_color_linearise(double rgb[3]);

/*
 * Converts the points of a map ([*count]: position, r, g, b; ascending), which are linear
 * in between as displayed, to points that are linear in light. *points is malloc'ed and
 * replaced. The light errs by at most 2e-4. Local. Errors: STATUS_MEMORY; both then stay.
 */
status io_colors_linearise(int *count, double (**points)[4]);

#endif

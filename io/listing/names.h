/* Names by which people call coordinates and fields. */
#ifndef IO_LISTING_NAMES_H
#define IO_LISTING_NAMES_H

#include "paths.h"

#include <stdbool.h>

enum { NAMES_SIZE = 64 };

/*
 * Whether a name is that of a coordinate: x, CoordinateX, x_grid, … Then *axis is 0, 1
 * or 2, and `rest`, which the three of a grid have in common, is the name without the
 * letter.
 */
bool names_find_axis(path_part name, int *axis, char rest[NAMES_SIZE]);

/* Whether a name is that of all coordinates in one array: xyz, points, coordinates, … */
bool names_is_points(path_part name);

/* Whether a name is that of blanking: iblank, blanking, … */
bool names_is_iblank(path_part name);

/*
 * Finds what karman calls a field of this name: density, momentum_x, pressure, …, or else
 * the name itself with nothing but letters, digits and underscores. `component`, of
 * `ncomponents`, is -1 without components.
 */
void names_find_field(path_part name, int component, int ncomponents,
                      char out[NAMES_SIZE]);

/* The name as it is, with underscores for what is neither letter nor digit. */
void names_keep(path_part name, char out[NAMES_SIZE]);

#endif

/* Common names of coordinates and fields. */
#ifndef IO_SOURCES_LISTING_NAMES_H
#define IO_SOURCES_LISTING_NAMES_H

#include "paths.h"

#include <stdbool.h>

enum { NAMES_SIZE = 64 };

/*
 * Whether a name is that of a coordinate: x, CoordinateX, x_grid, … If so, *axis becomes
 * 0, 1 or 2, and `rest` the name without the letter, the same for all three of a grid.
 */
bool names_find_axis(path_part name, int *axis, char rest[NAMES_SIZE]);

/* Whether a name is that of one array with all coordinates: xyz, points, coordinates,
 * … */
bool names_is_points(path_part name);

/* Whether a name is that of blanking: iblank, blanking, … */
bool names_is_iblank(path_part name);

/*
 * Finds karman's name for a field: density, momentum_x, pressure, …, or else the name
 * itself with all but letters, digits and underscores removed. `component`, of
 * `ncomponents`, is -1 without components.
 */
void names_find_field(path_part name, int component, int ncomponents,
                      char out[NAMES_SIZE]);

/* The name with underscores for all but letters and digits. */
void names_keep(path_part name, char out[NAMES_SIZE]);

#endif

/* One hexahedral cell as the trilinear map of its corners. */
#ifndef REFERENCE_CELL_H
#define REFERENCE_CELL_H

#include "base/vec.h"

#include <stdbool.h>

/* Parameters may exceed 0..1 by this much and still count as inside, so that no point
 * between two cells is outside both. */
#define REFERENCE_CELL_TOLERANCE 1e-9

/* Weights of the corners c[di + 2 dj + 4 dk] at parameters u. */
void reference_cell_weights(const double u[3], double weight[8]);

/*
 * Whether `point` is inside the cell with these corners; if so, sets u to its parameters.
 * One Newton search starts at *u if `guess` is set, else in the middle. `thorough`: if
 * that search fails, more searches start from each octant of the cell. The maps of
 * strongly warped cells have further roots outside the cell that attract the search.
 */
bool reference_cell_find(const vec3 corner[8], vec3 point, bool guess, bool thorough,
                         double u[3]);

/* The gradient in space, at parameters u, of a scalar that is trilinear between its
 * values at the corners. */
vec3 reference_cell_gradient(const vec3 corner[8], const double scalar[8],
                             const double u[3]);

#endif

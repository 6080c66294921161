/* The O-grid around a cylinder. */
#ifndef EXAMPLES_SOLVER_GRID_CYLINDER_H
#define EXAMPLES_SOLVER_GRID_CYLINDER_H

#include "grid.h"

/*
 *        far field          i runs clockwise, seen from +z, from the seam downstream of
 *        . - - - .          the cylinder; j from its wall to the far field; k along its
 *      .     _     .        axis, which is z.
 *      .    (_)----. seam
 *      .           .
 *        ' - - - '
 */
typedef struct solver_cylinder {
    double radius;
    double far;        /* radius of the far field */
    double span;       /* length along z; periodic */
    int64_t cells[3];  /* ni around, nj outwards, nk along the span */
    double stretching; /* ratio of the lengths of neighbouring cells, outer to inner */
} solver_cylinder;

/* Makes the block "cylinder", and joins its faces. Local. */
bool solver_cylinder_create(const solver_cylinder *cylinder, solver_grid **out);

#endif

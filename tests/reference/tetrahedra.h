/*
 * The grid as other programs draw it: each hexahedron is cut into five tetrahedra, and
 * the scalar is linear in each. Everything is in double precision, and each segment is
 * integrated exactly: what is left is the error of the cut alone.
 *
 * Cells with an even sum of indices are cut in one way, the others in its mirror image,
 * so that faces match within a block (vtkDataSetTriangleFilter does the same).
 */
#ifndef REFERENCE_TETRAHEDRA_H
#define REFERENCE_TETRAHEDRA_H

#include "reference/reference.h"

typedef struct reference_tetrahedra reference_tetrahedra;

/* The tetrahedra of a grid with scalars at vertices. `grid` is borrowed and must outlive
 * them. Local. Errors: STATUS_MEMORY. */
status reference_tetrahedra_create(const reference_grid *grid,
                                   reference_tetrahedra **out);
void reference_tetrahedra_destroy(reference_tetrahedra **tetrahedra);

/* What a ray meets. */
typedef struct reference_meeting {
    uint64_t blocks; /* bit n: block n, or n + 64 and so on */
    int runs;        /* pieces of the ray in each block, added up */
} reference_meeting;

/* Follows one ray through all tetrahedra, sorted along it. Of two that overlap, both
 * count. Local; may be called by several threads at once. Errors: STATUS_MEMORY. */
status reference_tetrahedra_render(const reference_tetrahedra *tetrahedra,
                                   const reference_transfer *transfer, reference_ray ray,
                                   reference_pixel *out);

/* Tells what the same ray meets. */
status reference_tetrahedra_meet(const reference_tetrahedra *tetrahedra,
                                 reference_ray ray, reference_meeting *out);

#endif

/*
 * Lengths of rays inside plane grids. In a plane grid, the vertices of all k lie above
 * each other along z, so that a cell is a prism over a quadrilateral. A picture of a
 * uniform medium depends only on these lengths.
 */
#ifndef TESTS_IMAGE_HARD_CHORD_H
#define TESTS_IMAGE_HARD_CHORD_H

#include "reference/reference.h"

/* Lengths of a ray in front of the eye. */
typedef struct hard_chord {
    double sum;    /* over all cells; overlaps count twice */
    double joined; /* of the union of all cells */
} hard_chord;

/* Whether a block is a plane grid with all z ascending: for tests of the tests. */
bool hard_chord_applies(const reference_block *block);

/*
 * The chord of a ray, which must not run along z, through the present cells of a grid.
 * Sides of cells are half-open, so a ray along an edge that two cells share counts once.
 * Local. Errors: STATUS_MEMORY.
 */
status hard_chord_measure(const reference_grid *grid, reference_ray ray, hard_chord *out);

#endif

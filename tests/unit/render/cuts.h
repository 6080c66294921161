/* Pictures that are cut into boxes, for the tests of rendering. */
#ifndef TESTS_UNIT_RENDER_CUTS_H
#define TESTS_UNIT_RENDER_CUTS_H

#include "picture.h"

enum { CUTS_SIDE = 20 }; /* pixels */

/* Draws a grid from a random view, whole and as the boxes of random cuts, and fails if a
 * channel of the boxes' pictures together is farther off than the tolerance. */
void cuts_check(const test_grid *grid, const render_transfer *transfer, uint64_t seed,
                double tolerance, render_style style);

#endif

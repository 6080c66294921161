/* Areas and volumes of cells. The areas of each cell sum up to zero, to rounding. */
#ifndef EXAMPLES_SOLVER_GRID_METRIC_H
#define EXAMPLES_SOLVER_GRID_METRIC_H

#include <stdint.h>

/*
 * The area vector of the quadrilateral a b c d (corners in this order): half the cross
 * product of its diagonals. It equals the sum over the two triangles of either diagonal.
 * So the six faces of a cell of any shape sum up to zero, and a uniform flow remains
 * uniform.
 */
void solver_metric_area(const double a[3], const double b[3], const double c[3],
                        const double d[3], double area[3]);

/*
 * The volume of a cell with corners [i + 2 j + 4 k]; negative in a left-handed one. By
 * the divergence theorem it is a third of the sum over faces of (middle of the face) .
 * (area). Both cells at a face use the same middle, so volumes sum up to the whole.
 */
double solver_metric_volume(const double corners[8][3]);

#endif

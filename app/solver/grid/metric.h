/* Areas and volumes of cells, such that every cell is closed to rounding. */
#ifndef APP_SOLVER_GRID_METRIC_H
#define APP_SOLVER_GRID_METRIC_H

#include <stdint.h>

/*
 * The area vector of the quadrilateral a b c d (in this order around it): half the cross
 * product of its diagonals. That is the sum over the two triangles of either diagonal, so
 * the six faces of a cell sum up to zero whatever its shape, and a uniform flow stays
 * one.
 */
void solver_metric_area(const double a[3], const double b[3], const double c[3],
                        const double d[3], double area[3]);

/*
 * The volume of a cell with corners [i + 2 j + 4 k]; negative in a left-handed one.
 * A third of the sum over faces of (middle of the face) . (area), by the divergence
 * theorem: both cells at a face use the same middle, so volumes sum up to the whole.
 */
double solver_metric_volume(const double corners[8][3]);

#endif

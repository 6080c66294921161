/* Inside frame/measure: parts of the volume of cells. */
#ifndef FRAME_MEASURE_CELLS_H
#define FRAME_MEASURE_CELLS_H

#include "grid/brick.h"

/*
 * Adds to each vertex of a brick, [nk+1][nj+1][ni+1], the integral over its present cells
 * of the trilinear function that is 1 there and 0 at other vertices. `sign` turns volumes
 * of left-handed blocks. Returns the number of these cells. Local.
 */
int64_t measure_cells_weigh(const grid_brick *brick, double sign, double *weight);

/* The volumes of present cells, 0 of others: [nk][nj][ni]. Returns their number. Local.
 */
int64_t measure_cells_volumes(const grid_brick *brick, double sign, double *volume);

#endif

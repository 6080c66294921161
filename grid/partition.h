/* Object-space partition: a k-d tree in physical space gives each part one convex box. */
#ifndef GRID_PARTITION_H
#define GRID_PARTITION_H

#include "layout.h"

/*
 * The k-d tree. Its boxes are half-open, do not overlap and fill all of space (the outer
 * ones reach to infinity), so that any ray is cut into pieces that each belong to one
 * part. Coordinates are relative to the layout's origin.
 */
typedef struct grid_partition grid_partition;

/*
 * Cuts space into `nparts` boxes with about equally many present cells each, a brick's
 * cells taken as spread evenly over its bounds. Any nparts >= 1: parts may share a brick,
 * and parts without cells are normal. Deterministic. Local. Errors: STATUS_MEMORY.
 *
 * Bentley 1975 (k-d trees); balanced by cells and cut along the longest side.
 */
status grid_partition_create(const grid_layout *layout, int nparts, grid_partition **out);
/* The same with boxes of about equal weight: weights[number] >= 0 is what a brick is
 * expected to cost ([layout->nbricks]; NULL: its present cells). */
status grid_partition_create_weighted(const grid_layout *layout, int nparts,
                                      const double *weights, grid_partition **out);

void grid_partition_destroy(grid_partition **partition);

int grid_partition_count(const grid_partition *partition);

/* Box of a part, 0 to count - 1; sides may be infinite. */
box3 grid_partition_box(const grid_partition *partition, int part);

/*
 * Parts from front to back: order[0] is nearest to the viewer. With perspective `view` is
 * the eye (relative to the origin), else it is the direction in which all rays run.
 * order: [nparts]. Local.
 */
void grid_partition_order(const grid_partition *partition, vec3 view, bool perspective,
                          int *order);

/*
 * Numbers of the bricks that a rank with this box must hold: those with a present cell
 * whose bounds meet the box. *numbers is malloc'ed, ascending, the caller's. Local.
 * Errors: STATUS_MEMORY.
 */
status grid_partition_bricks(const grid_layout *layout, box3 box, int64_t *count,
                             int64_t **numbers);

#endif

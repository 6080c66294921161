/* Object-space partition for sort-last rendering (domain decomposition): a k-d tree in
 * physical space gives each part one convex box. */
#ifndef GRID_PARTITION_H
#define GRID_PARTITION_H

#include "grid/layout.h"
#include "parts.h"

/* The k-d tree. Its boxes are half-open, do not overlap and fill all of space (the outer
 * ones reach to infinity). So each piece of a ray belongs to exactly one part.
 * Coordinates are relative to the layout's origin. */
typedef struct grid_partition grid_partition;

/* Cuts space into `nparts` boxes with about equal numbers of present cells. A brick's
 * cells count as spread evenly over its bounds. Any nparts >= 1: parts may share a brick,
 * and parts without cells are normal. Deterministic. Local. Errors: STATUS_MEMORY.
 *
 * Bentley 1975 (k-d trees); balanced by cells and cut along the longest side. */
status grid_partition_create(const grid_layout *layout, int nparts, grid_partition **out);
/* The same with groups, and boxes of about equal weight: weights[number] >= 0 is the cost
 * estimate of a brick ([layout->nbricks]; NULL: its present cells). */
status grid_partition_create_weighted(const grid_layout *layout, grid_parts parts,
                                      const double *weights, grid_partition **out);

void grid_partition_destroy(grid_partition **partition);

int grid_partition_count(const grid_partition *partition);

/* Box of a part, 0 to count - 1; sides may be infinite. */
box3 grid_partition_box(const grid_partition *partition, int part);

/* Visibility order of the parts, front to back: order[0] is nearest to the viewer. With
 * perspective `view` is the eye (relative to the origin), else the direction of all rays.
 * order: [nparts]. Local. */
void grid_partition_order(const grid_partition *partition, vec3 view, bool perspective,
                          int *order);

#endif

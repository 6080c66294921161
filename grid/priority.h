/* Priorities: the block to draw among overlapping blocks. */
#ifndef GRID_PRIORITY_H
#define GRID_PRIORITY_H

#include "layout.h"

/* Gives every block of a layout its priority; the brick infos must be filled in. First
 * come the blocks with these names, in this order. The others follow, finer ones first:
 * by mean size of a cell, from the bounds of the bricks. Local; the same on every rank.
 * Errors: STATUS_USAGE for a name that no block has or that occurs twice. */
status grid_layout_rank_blocks(grid_layout *layout, int count, char *const *names);

#endif

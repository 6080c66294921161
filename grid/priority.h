/* Which block is drawn where blocks overlap. */
#ifndef GRID_PRIORITY_H
#define GRID_PRIORITY_H

#include "layout.h"

/*
 * Gives every block of a layout whose bricks are known its priority: first the blocks
 * with these names, in this order, then the others, those with the finer cells (the
 * smaller ones on average, by the bounds of the bricks) before those with coarser ones.
 * Local; the same on every rank. Errors: STATUS_USAGE for a name that no block has or
 * that stands there twice.
 */
status grid_layout_rank_blocks(grid_layout *layout, int count, char *const *names);

#endif

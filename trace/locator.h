/* Bounds of groups of cells, for the search for points. */
#ifndef TRACE_LOCATOR_H
#define TRACE_LOCATOR_H

#include "cells.h"
#include "grid/boxes/boxes.h"

/* The cells of a brick are searched in groups of up to 4^3. Each group has the bounds of
 * its present cells; lo > hi if none is present. */
typedef struct trace_group {
    float lo[3], hi[3];
} trace_group;

/* The bricks of a store, prepared for searches. */
typedef struct trace_locator {
    const grid_store *store;
    int *order;           /* [nblocks]: blocks by priority */
    box3 *blocks;         /* [nblocks]: bounds of their present cells */
    grid_boxes **bricks;  /* [nblocks]: their bricks, numbered from 0 */
    int64_t *first_group; /* [nbricks of the store + 1] */
    trace_group *groups;  /* [first_group[nbricks]] */
} trace_locator;

/* Makes a locator. The store is borrowed; its geometry must be in memory and must not
 * change. The layout's blocks have priorities. Takes about 2 % of the bricks' memory.
 * Local. Errors: STATUS_MEMORY. */
status trace_locator_create(const grid_store *store, trace_locator **out);
void trace_locator_destroy(trace_locator **locator);

const grid_store *trace_locator_store(const trace_locator *locator);

/* Range [lo, hi) of the cells of a brick that belong to one of its groups. */
void trace_group_cells(const grid_brick_place *place, int64_t group, int lo[3],
                       int hi[3]);

/* The n-th cell of a group, i fastest; false after the last. */
bool trace_group_cell(const grid_brick_place *place, const int lo[3], const int hi[3],
                      int n, trace_cell *cell);

#endif

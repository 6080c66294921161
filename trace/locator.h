/* Bricks as searching for points needs them. */
#ifndef TRACE_LOCATOR_H
#define TRACE_LOCATOR_H

#include "cells.h"

/* Cells of a brick are searched in groups of up to 4^3 that have bounds of their own,
 * those of their present cells; lo > hi where none is present. */
typedef struct trace_group {
    float lo[3], hi[3];
} trace_group;

/* Knows the bricks of a store as searching needs them. */
typedef struct trace_locator {
    const grid_store *store;
    int *order;           /* [nblocks]: blocks, the first in priority first */
    box3 *blocks;         /* [nblocks]: bounds of their present cells */
    int64_t *first_group; /* [nbricks of the store + 1] */
    trace_group *groups;  /* [first_group[nbricks]] */
} trace_locator;

/* The store is borrowed; its geometry must be in memory and stay as it is. The layout's
 * blocks have priorities. Takes some 2 % of the bricks' memory. Local. Errors:
 * STATUS_MEMORY. */
status trace_locator_create(const grid_store *store, trace_locator **out);
void trace_locator_destroy(trace_locator **locator);

const grid_store *trace_locator_store(const trace_locator *locator);

/* Cells [lo, hi) of a brick that belong to one of its groups. */
void trace_group_cells(const grid_brick_place *place, int64_t group, int lo[3],
                       int hi[3]);

/* The n-th cell of a group, i fastest; false after the last. */
bool trace_group_cell(const grid_brick_place *place, const int lo[3], const int hi[3],
                      int n, trace_cell *cell);

#endif

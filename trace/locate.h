/*
 * Which cell is a point in? Walking from cell to cell, as D. N. Kenwright and D. A. Lane
 * (Interactive time-dependent particle tracing using tetrahedral decomposition, IEEE
 * Transactions on Visualization and Computer Graphics 2(2), 1996) describe it, here on
 * hexahedra: where the local coordinates of the point lie outside of a cell, go on to the
 * neighbour that they point to. Where walking does not get there, at the end of a block
 * or in front of a hole, all bricks whose bounds hold the point are searched, those of
 * the first block (grid/priority.h) first.
 *
 * What is visited, and in which order, depends on the point, the cell to start from and
 * the grid, but not on which bricks this rank holds: where it does not hold one that
 * comes next, it says so, and another rank goes on from the same trace_place. Any two
 * ranks that hold a brick see the same bits of it.
 */
#ifndef TRACE_LOCATE_H
#define TRACE_LOCATE_H

#include "cells.h"
#include "locator.h"
#include "map.h"

/* How far a search has come, and in the end where the point is. Plain data: it travels
 * from rank to rank. */
typedef struct trace_place {
    trace_cell cell, from; /* where the walk is, and the cell that it came from */
    double local[3];       /* in the cell, 0 to 1, once it is found */
    double back[3];        /* from the point to where the walk left its block, or zero */
    int64_t walked;        /* cells so far; -1: walking is over */
    int64_t turn,
        brick; /* of the search: which block's turn it is, which of its bricks */
} trace_place;

typedef enum trace_found {
    TRACE_FOUND,
    TRACE_NOWHERE, /* no cell has the point */
    TRACE_AWAY     /* a rank that holds brick *needed must go on */
} trace_found;

/* A search that begins in a cell of the grid. */
trace_place trace_place_from(const trace_cell *cell);

/* A search of the whole grid. */
trace_place trace_place_anywhere(void);

/*
 * Goes on with a search. Blocks that should touch but do not quite (interfaces without
 * matching points on curved walls) leave gaps: where no cell has the point, one of
 * another block than the walk's own is taken that misses it by less than a twentieth of a
 * cell, and the place in it is the nearest. Local; any number of threads.
 */
trace_found trace_locate(const trace_locator *locator, const double x[3],
                         trace_place *place, int64_t *needed);

#endif

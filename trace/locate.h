/*
 * Point location: finds the cell that contains a point. First the search walks from cell
 * to cell, as D. N. Kenwright and D. A. Lane describe it (Interactive time-dependent
 * particle tracing using tetrahedral decomposition, IEEE Transactions on Visualization
 * and Computer Graphics 2(2), 1996), here on hexahedra. If the local coordinates of the
 * point lie outside of a cell, it goes on to the neighbour that they point to. If walking
 * fails, at the end of a block or in front of a hole, all bricks whose bounds contain the
 * point are searched. Blocks are searched by priority (grid/priority.h).
 *
 * The cells visited, and their order, depend on the point, the cell to start from and the
 * grid. They do not depend on the bricks of this rank: if the next brick is missing here,
 * the search says so, and another rank continues it from the same trace_place. Any two
 * ranks that have a brick have the same bits of it.
 */
#ifndef TRACE_LOCATE_H
#define TRACE_LOCATE_H

#include "cells.h"
#include "locator.h"
#include "map.h"

/* State of a search, and in the end the place of the point. Plain data: it travels from
 * rank to rank. */
typedef struct trace_place {
    trace_cell cell, from; /* the present cell of the walk, and the one before */
    double local[3];       /* in the cell, 0 to 1, once found */
    double
        back[3]; /* from the point to the place where the walk left its block, or zero */
    int64_t walked; /* cells so far; -1: the walk is over */
    int64_t turn,
        brick; /* of the search: number of blocks done, and the next brick in the block */
} trace_place;

typedef enum trace_found {
    TRACE_FOUND,
    TRACE_NOWHERE, /* no cell contains the point */
    TRACE_AWAY     /* a rank that has brick *needed must continue */
} trace_found;

/* A search that begins in a given cell. */
trace_place trace_place_from(const trace_cell *cell);

/* A search of the whole grid. */
trace_place trace_place_anywhere(void);

/*
 * Continues a search. Blocks that should touch may leave gaps, as at interfaces without
 * matching points on curved walls. So if no cell contains the point, a cell of another
 * block than the walk's is accepted that misses it by less than a twentieth of a cell.
 * The place is then the nearest one in that cell. Local; any number of threads.
 */
trace_found trace_locate(const trace_locator *locator, const double x[3],
                         trace_place *place, int64_t *needed);

#endif

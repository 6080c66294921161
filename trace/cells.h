/* Cells of the grid by their indices, and the places of their vertices in memory. */
#ifndef TRACE_CELLS_H
#define TRACE_CELLS_H

#include "grid/brick.h"

/* The cell with the lowest vertex (at[0], at[1], at[2]) of a block. */
typedef struct trace_cell {
    int64_t block;
    int64_t at[3];
} trace_cell;

/* The eight vertices of a cell, numbered di + 2 dj + 4 dk: indices into the arrays of
 * the store. */
typedef struct trace_corners {
    int64_t vertex[8];
} trace_corners;

typedef enum trace_look {
    TRACE_PRESENT,
    TRACE_ABSENT,   /* no such cell: blanked, or outside the block */
    TRACE_ELSEWHERE /* its brick is not in this store */
} trace_look;

/* Number of the brick that contains a cell of the grid. Local. */
int64_t trace_cell_brick(const grid_layout *layout, const trace_cell *cell);

/* Finds the vertices of a cell, which must lie within its block. `corners` is set only if
 * the cell is present. All ranks agree on which cells are absent. Local. */
trace_look trace_cell_look(const grid_store *store, const trace_cell *cell,
                           trace_corners *corners);

/* Positions of a cell's vertices, in double precision. Local. */
void trace_corners_get(const grid_store *store, const trace_corners *corners,
                       double xyz[8][3]);

/* The cell at indices (i, j, k) of a brick. Local. */
static inline trace_cell trace_cell_of_brick(const grid_brick_place *place, int i, int j,
                                             int k)
{
    return (trace_cell){place->block,
                        {place->lo[0] + i, place->lo[1] + j, place->lo[2] + k}};
}

static inline bool trace_cell_is_same(const trace_cell *a, const trace_cell *b)
{
    return a->block == b->block && a->at[0] == b->at[0] && a->at[1] == b->at[1] &&
           a->at[2] == b->at[2];
}

#endif

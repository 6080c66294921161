/* Domain decomposition: the cells of a grid are divided into boxes, each owned by one
 * rank. */
#ifndef EXAMPLES_SOLVER_FLOW_DECOMPOSITION_H
#define EXAMPLES_SOLVER_FLOW_DECOMPOSITION_H

#include "grid/grid.h"

/* Cells [lo, lo + n) of a block. */
typedef struct solver_part {
    int block;
    int64_t lo[3], n[3];
    int rank;
    int local; /* its index among the boxes of its rank */
} solver_part;

/* All boxes, the same on every rank, in the order of their blocks. */
typedef struct solver_parts {
    int count;
    solver_part *parts; /* [count] */
    int *first;         /* [nblocks + 1]: first box of each block */
} solver_parts;

/*
 * Cuts the blocks into boxes with about equal numbers of cells, and distributes the boxes
 * to the ranks. Each rank gets at least one box if there are enough cells. Boxes are
 * halved repeatedly across their longest axis, but across i last: long rows suit vector
 * instructions. Local; the same on every rank.
 */
bool solver_parts_create(const solver_grid *grid, int ranks, solver_parts **out);
void solver_parts_destroy(solver_parts **parts);

/* The box with a cell of a block. Local. */
const solver_part *solver_parts_find(const solver_parts *parts, int block,
                                     const int64_t at[3]);

#endif

/* Inside of a flow, for the files that implement it. */
#ifndef APP_SOLVER_FLOW_FLOW_PARTS_H
#define APP_SOLVER_FLOW_FLOW_PARTS_H

#include "flow.h"
#include "halo.h"

typedef struct solver_block_size {
    char name[SOLVER_NAME_SIZE];
    int64_t cells[3];
} solver_block_size;

struct solver_flow {
    MPI_Comm comm;
    solver_gas gas;
    int nblocks;
    solver_block_size *blocks; /* [nblocks] */
    solver_parts *parts;
    int nboxes;
    solver_box *boxes; /* [nboxes] */
    solver_halo *halo;
    double time;
    double step; /* length of the last step */
    int64_t steps;
};

/* rate = what flows out of each cell; primitives and ghosts must be up to date. Local. */
void solver_rate_compute(const solver_gas *gas, solver_box *box);

/*
 * The longest time step that a cell of the box allows at a CFL number of 1, from the
 * primitives; *bad becomes the index of a cell without a positive, finite density or
 * pressure, or -1. Local.
 */
double solver_timestep_find(const solver_gas *gas, const solver_box *box, int64_t *bad);

#endif

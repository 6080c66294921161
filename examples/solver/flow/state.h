/* The private parts of a flow, for the files that implement it. */
#ifndef EXAMPLES_SOLVER_FLOW_STATE_H
#define EXAMPLES_SOLVER_FLOW_STATE_H

#include "gas.h"
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

#endif

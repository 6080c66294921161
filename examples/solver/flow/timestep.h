/* The stability limit of the time step. */
#ifndef EXAMPLES_SOLVER_FLOW_TIMESTEP_H
#define EXAMPLES_SOLVER_FLOW_TIMESTEP_H

#include "box.h"
#include "gas.h"

/*
 * Finds the longest time step for the cells of the box at a CFL number of 1, from the
 * primitives. Sets *bad to the index of a cell without a positive, finite density or
 * pressure, or to -1. Local.
 */
double solver_timestep_find(const solver_gas *gas, const solver_box *box, int64_t *bad);

#endif

/* How long a time step may be. */
#ifndef APP_SOLVER_FLOW_TIMESTEP_H
#define APP_SOLVER_FLOW_TIMESTEP_H

#include "box.h"
#include "gas.h"

/*
 * The longest time step that a cell of the box allows at a CFL number of 1, from the
 * primitives; *bad becomes the index of a cell without a positive, finite density or
 * pressure, or -1. Local.
 */
double solver_timestep_find(const solver_gas *gas, const solver_box *box, int64_t *bad);

#endif

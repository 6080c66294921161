/* Computes the rates of change of cells from the fluxes through their faces. */
#ifndef EXAMPLES_SOLVER_FLOW_RATE_H
#define EXAMPLES_SOLVER_FLOW_RATE_H

#include "box.h"
#include "gas.h"

/* Sets `rate`, the outflow of each cell. Primitives and ghosts must be up to date.
 * Local. */
void solver_rate_compute(const solver_gas *gas, solver_box *box);

#endif

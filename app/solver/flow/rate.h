/* From fluxes through faces to rates of change of cells. */
#ifndef APP_SOLVER_FLOW_RATE_H
#define APP_SOLVER_FLOW_RATE_H

#include "box.h"
#include "gas.h"

/* rate = what flows out of each cell; primitives and ghosts must be up to date. Local. */
void solver_rate_compute(const solver_gas *gas, solver_box *box);

#endif

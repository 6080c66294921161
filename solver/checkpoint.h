/* Flows in HDF5 files of karman's own layout: pictures are made of them, and runs go on
 * from them. */
#ifndef SOLVER_CHECKPOINT_H
#define SOLVER_CHECKPOINT_H

#include "solver/flow.h"

/*
 * Makes a new file with the grid of the flow and no steps: /grid/<block>/x, y, z as
 * float64. It appears under its name when it is complete; one that was there before is
 * replaced. Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY; nothing is left behind.
 */
status solver_checkpoint_create(solver_flow *flow, const char *path);

/*
 * Adds the state as a step: /flow/<steps>/<block>/density, momentum_x, momentum_y,
 * momentum_z and energy, cells in float64, and the attribute time. The step gets its name
 * when it is complete; one of the same name is replaced. An XDMF file of all steps is
 * written beside it. Collective. Errors:
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status solver_checkpoint_add(solver_flow *flow, const char *path);

/*
 * Sets the flow to the last step of a file that solver_checkpoint_add wrote for the same
 * grid, with its time and number of steps: to the last bit what was written, on any
 * number of ranks. Collective. Errors: STATUS_INPUT (no such file, no steps, another
 * grid), STATUS_MEMORY.
 */
status solver_checkpoint_read(solver_flow *flow, const char *path);

#endif

/* Flows in HDF5 files of karman's own layout: pictures are made of them, and runs go on
 * from them. */
#ifndef APP_SOLVER_CHECKPOINT_H
#define APP_SOLVER_CHECKPOINT_H

#include "app/solver/flow/flow.h"

/*
 * Begins a series of checkpoints (series.h): `path` is an index without steps, and the
 * grid of the flow lies beside it as float64. A series that was there before is replaced;
 * the file `kept` (or NULL), from which the flow was read, stays even if it was part of
 * it. Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY; the former series is then whole.
 */
status solver_checkpoint_create(solver_flow *flow, const char *path, const char *kept);

/* Goes on with a series that is there, in which this flow has its last step. Collective.
 * Errors: STATUS_USAGE (a file that holds its steps itself), STATUS_MEMORY. */
status solver_checkpoint_resume(solver_flow *flow, const char *path);

/*
 * Adds the state as a step: a file with /flow/<steps>/<block>/density, momentum_x,
 * momentum_y, momentum_z and energy, cells in float64, and the attribute time, to which
 * the index gets a link. A step of the same number is replaced. An XDMF file of all steps
 * is written beside the index. Whatever happens meanwhile, all former steps stay whole.
 * Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status solver_checkpoint_add(solver_flow *flow, const char *path);

/*
 * Sets the flow to the last step of an index, or of the file of a step, that
 * solver_checkpoint_add wrote for the same grid, with its time and number of steps: to
 * the last bit what was written, on any number of ranks. Collective. Errors: STATUS_INPUT
 * (no such file, no steps, another grid), STATUS_MEMORY.
 */
status solver_checkpoint_read(solver_flow *flow, const char *path);

#endif

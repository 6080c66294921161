/* Checkpoints: flows in HDF5 files of karman's own layout, to make pictures or to restart
 * a run. */
#ifndef EXAMPLES_SOLVER_CHECKPOINT_H
#define EXAMPLES_SOLVER_CHECKPOINT_H

#include "flow/flow.h"

/*
 * Begins a series of checkpoints (series.h): `path` becomes an index without steps, and
 * the flow's grid is written beside it as float64. An earlier series of that name is
 * replaced. The file `kept` (or NULL), from which the flow was read, stays even if it is
 * part of the earlier series. After a failure the earlier series is unchanged.
 * Collective.
 */
bool solver_checkpoint_create(solver_flow *flow, const char *path, const char *kept);

/* Continues an existing series whose last step is this flow's state. SOLVER_USAGE: a file
 * that contains its steps itself. Collective. */
bool solver_checkpoint_resume(solver_flow *flow, const char *path);

/*
 * Adds the state as a step of the series, in a file of its own:
 * /flow/<steps>/<block>/density, momentum_x, momentum_y, momentum_z and energy, at cells
 * in float64, and the attribute time. The index gets a link to it. A step with the same
 * number is replaced. An XDMF file of all steps is written beside the index. A failure or
 * a kill leaves all former steps as they were. Collective.
 */
bool solver_checkpoint_add(solver_flow *flow, const char *path);

/*
 * Sets the flow, its time and its number of steps from a checkpoint: from the last step
 * of an index, or from the file of one step. The checkpoint must be one of
 * solver_checkpoint_add, with the same grid. The values are restored to the last bit, on
 * any number of ranks. Fails if there is no such file, no steps or another grid.
 * Collective.
 */
bool solver_checkpoint_read(solver_flow *flow, const char *path);

#endif

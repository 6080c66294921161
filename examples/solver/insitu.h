/* Draws the flow in situ: a user of libkarman like any other program. */
#ifndef EXAMPLES_SOLVER_INSITU_H
#define EXAMPLES_SOLVER_INSITU_H

#include "examples/solver/flow/flow.h"
#include "monitor.h"

typedef struct solver_insitu solver_insitu;

/*
 * Opens a session with a config of pictures. Describes the flow's blocks and variables,
 * which are not copied. If `goes_on`, the files of an earlier run in the run directory
 * are kept. Orders may set *cfl and *end, which must live as long as the session; `end`
 * is NULL if the run counts steps. Collective. Errors: STATUS_USAGE (the config),
 * STATUS_OUTPUT (the run directory), STATUS_MEMORY.
 */
status solver_insitu_open(solver_flow *flow, const char *config, bool goes_on,
                          double *cfl, double *end, solver_insitu **out);
void solver_insitu_close(solver_insitu **insitu);

/* Draws the pictures that are due and carries out orders. Returns false if the run is to
 * end. NULL is fine: returns true. Collective. */
bool solver_insitu_step(solver_insitu *insitu, const solver_flow *flow);

/* Saves the particles of pictures with a checkpoint of this state; goes on with them
 * after a restart from one. NULL is fine. Failures are warnings. Collective. */
void solver_insitu_save(solver_insitu *insitu, const solver_flow *flow);
void solver_insitu_restore(solver_insitu *insitu, const solver_flow *flow);

/* Publishes a sample, rank 0's. NULL is fine. Local. */
void solver_insitu_publish(solver_insitu *insitu, const solver_sample *sample);

#endif

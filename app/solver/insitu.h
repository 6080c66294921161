/* The flow draws itself while it is computed: a program that links libkarman, as others
 * would. */
#ifndef APP_SOLVER_INSITU_H
#define APP_SOLVER_INSITU_H

#include "app/solver/flow/flow.h"
#include "monitor.h"

typedef struct solver_insitu solver_insitu;

/*
 * Opens a session with a config of pictures, and describes the flow's blocks and
 * variables, which stay where they are. `goes_on`: what an earlier run left in the run
 * directory is kept. Orders may set *cfl and *end (NULL: steps are
 * counted), which must live as long. Collective. Errors: STATUS_USAGE (the config),
 * STATUS_OUTPUT (the run directory), STATUS_MEMORY.
 */
status solver_insitu_open(solver_flow *flow, const char *config, bool goes_on,
                          double *cfl, double *end, solver_insitu **out);
void solver_insitu_close(solver_insitu **insitu);

/* Draws what is due and takes orders; false: the run is to end. NULL goes on.
 * Collective. */
bool solver_insitu_step(solver_insitu *insitu, const solver_flow *flow);

/* Publishes a sample, rank 0's. NULL is fine. Local. */
void solver_insitu_publish(solver_insitu *insitu, const solver_sample *sample);

#endif

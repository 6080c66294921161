/* A whole run: from a config to its last step. */
#ifndef APP_SOLVER_RUN_H
#define APP_SOLVER_RUN_H

#include "config.h"

/*
 * Makes grid and flow, steps to the end, takes samples, writes checkpoints, and prints on
 * rank 0 how it goes and how often vortices were shed. Collective. Errors: as those of
 * what it does.
 */
status solver_run(MPI_Comm comm, const solver_config *config);

#endif

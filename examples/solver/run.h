/* A whole run: from a config to its last step. */
#ifndef EXAMPLES_SOLVER_RUN_H
#define EXAMPLES_SOLVER_RUN_H

#include "config.h"

/*
 * Makes grid and flow, and steps to the end of the run. It takes samples, writes
 * checkpoints and draws pictures. Rank 0 prints the progress and the Strouhal number.
 * Collective. Errors: those of its parts.
 */
status solver_run(MPI_Comm comm, const solver_config *config);

#endif

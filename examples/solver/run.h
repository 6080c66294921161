/* A whole run: from a config to its last step. */
#ifndef EXAMPLES_SOLVER_RUN_H
#define EXAMPLES_SOLVER_RUN_H

#include "config.h"

/*
 * Makes grid and flow, and steps to the end of the run. It takes samples, writes
 * checkpoints and draws pictures. Rank 0 prints the progress and the Strouhal number.
 * Returns false after solver_fail (failure.h), on every rank. Collective.
 */
bool solver_run(MPI_Comm comm, const solver_config *config);

#endif

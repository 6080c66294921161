/* Collectives on the ranks of a job. */
#ifndef MESSAGES_RUN_RUN_H
#define MESSAGES_RUN_RUN_H

#include "messages/collective/describe/problem.h"

#include <mpi.h>

/* Elements of a vector, at most: 512 MiB. */
enum { COLLECTIVES_MOST_RUN = 1 << 26 };

/*
 * Runs the algorithms that are asked for, of one operation, and MPI's own collective, in
 * turns; checks their results; prints their times on rank 0. problem->problem.size is the
 * size of the communicator. Collective. Errors, the same on all ranks: STATUS_INTERNAL if
 * a result is wrong; STATUS_MEMORY.
 */
status collectives_run_beside(MPI_Comm comm, const collectives_problem *problem);

#endif

/* A collective on one rank: its memory, its rounds, and their time. */
#ifndef MESSAGES_RUN_EXECUTE_H
#define MESSAGES_RUN_EXECUTE_H

#include "messages/collective/schedule.h"

#include <mpi.h>

typedef struct collectives_execution {
    MPI_Comm comm;
    int rank;
    const collective_operation *operation;
    const collective_algorithm *algorithm; /* NULL: MPI's own collective */
    collective_problem problem;
    collective_schedule schedule; /* of all ranks; empty for MPI's own */
    int vectors;                  /* of the memory */
    uint64_t *memory;             /* [vectors][count] */
    uint64_t *arrived; /* of one round, as the ops of the rank have them; for MPI's own
                         [count + size] */
    MPI_Request *requests; /* of one round */
} collectives_execution;

/* Makes an execution of an algorithm; NULL: of MPI's own collective. The caller clears
 * it, also after a failure. Local. Errors: STATUS_MEMORY. */
status collectives_execution_make(MPI_Comm comm, const collective_operation *operation,
                                  const collective_algorithm *algorithm,
                                  const collective_problem *problem,
                                  collectives_execution *out);
void collectives_execution_clear(collectives_execution *e);

/* Runs once, and checks the result. *seconds: of the slowest rank, the same on all.
 * Collective. Errors, the same on all ranks: STATUS_INTERNAL if a result is wrong. */
status collectives_execution_time(collectives_execution *e, double *seconds);

/* "binomial", or "MPI's own". */
const char *collectives_execution_name(const collectives_execution *e);

/* Runs MPI's own collective. Collective. */
void collectives_execution_run_own(collectives_execution *e);

#endif

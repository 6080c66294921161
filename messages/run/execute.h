/* A collective on one rank: its memory, and its rounds. Private to the run. */
#ifndef MESSAGES_RUN_EXECUTE_H
#define MESSAGES_RUN_EXECUTE_H

#include "messages/collective/schedule.h"

#include <mpi.h>

typedef struct collectives_execution {
    MPI_Comm comm;
    int rank;
    const collective_operation *operation;
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

/* Fills the memory with the inputs of the rank. Local. */
void collectives_execution_fill(collectives_execution *e);

/* Whether the memory has the promised result. Local. */
bool collectives_execution_is_right(const collectives_execution *e);

/* Runs all rounds, or MPI's own collective. Collective. */
void collectives_execution_run(collectives_execution *e);
void collectives_execution_run_own(collectives_execution *e);

#endif

/* Particles on many ranks: each goes to a rank that holds the brick that it needs next.
 */
#ifndef TRACE_EXCHANGE_H
#define TRACE_EXCHANGE_H

#include "particle.h"

#include <mpi.h>

/* The particles that a rank has just now; all zero at first. */
typedef struct trace_crowd {
    int64_t count, capacity;
    trace_particle *items;
} trace_crowd;

/* Adds a particle. Local. Errors: STATUS_MEMORY. */
status trace_crowd_add(trace_crowd *crowd, const trace_particle *particle);
void trace_crowd_clear(trace_crowd *crowd);

/*
 * For each brick of the layout the lowest rank whose store holds it, -1 where no present
 * cell lies in it. *holders: malloc'ed, [nbricks], the caller's, the same on every rank.
 * Collective. Errors: STATUS_MEMORY; STATUS_INTERNAL where nobody holds a brick that has
 * cells.
 */
status trace_exchange_holders(MPI_Comm comm, const grid_store *store, int **holders);

/*
 * Takes all particles of all ranks to where they arrive or end: rank by rank, as far as
 * each can, then those that need bricks of other ranks travel, until none does. Records
 * stay on the rank that made them. What becomes of a particle does not depend on the
 * number of ranks. Every rank takes part in as many rounds as the busiest particle
 * changes ranks. Collective. Errors: STATUS_MEMORY.
 */
status trace_exchange_run(MPI_Comm comm, const int *holders, const trace_rule *rule,
                          trace_crowd *crowd, trace_records *records);

/*
 * Gathers `count` items of `size` bytes from every rank, in the order of ranks, on all.
 * *all: malloc'ed, the caller's. Collective. Errors: STATUS_MEMORY, also for more than
 * 2^31 - 1 items.
 */
status trace_exchange_gather(MPI_Comm comm, size_t size, int64_t count, const void *items,
                             int64_t *total, void **all);

#endif

/* Exchange of particles: each travels to a rank that has the brick it needs next. */
#ifndef TRACE_EXCHANGE_H
#define TRACE_EXCHANGE_H

#include "particle.h"

#include <mpi.h>

/* The particles on a rank at present; all zero at first. Those that make short steps have
 * lanes, which have their states. */
typedef struct trace_crowd {
    int64_t count, capacity;
    trace_particle *items;
    trace_lanes_all lanes; /* lanes beyond `count` are empty */
    double time;           /* of the states in lanes */
    int64_t ended;         /* how many of them had ended after trace_exchange_run */
} trace_crowd;

/* Adds a particle, without a lane. Local. Errors: STATUS_MEMORY. */
status trace_crowd_add(trace_crowd *crowd, const trace_particle *particle);
void trace_crowd_clear(trace_crowd *crowd);

/* The present state of particle n, wherever it is. Local. */
trace_particle trace_crowd_get(const trace_crowd *crowd, int64_t n);

/* Drops particles that have ended; others may change places. Returns their number.
 * Local. */
int64_t trace_crowd_drop_ended(trace_crowd *crowd);

/*
 * Finds for each brick of the layout its holder: the lowest rank whose store has it, or
 * -1 if it has no present cell. The list *holders, [nbricks], is malloc'ed, the caller's,
 * the same on every rank. Collective. Errors: STATUS_MEMORY; STATUS_INTERNAL if no rank
 * has a brick with cells.
 */
status trace_exchange_holders(MPI_Comm comm, const grid_store *store, int **holders);

/*
 * Advances all particles of all ranks until they arrive or end. In each round every rank
 * advances its particles as far as its bricks reach. Then particles that need bricks of
 * other ranks travel. Rounds end when no particle travels, so there are as many as the
 * busiest particle needs; every rank takes part in all of them. Records stay on the rank
 * that made them. The result of a particle does not depend on the number of ranks or
 * threads. If no particle travels, one small reduction is all that ranks do together.
 * Collective. Errors: STATUS_MEMORY.
 */
status trace_exchange_run(MPI_Comm comm, const int *holders, const trace_rule *rule,
                          trace_crowd *crowd, trace_records *records);

/*
 * Gathers `count` items of `size` bytes from every rank on all ranks, in the order of
 * ranks. *all: malloc'ed, the caller's. Collective. Errors: STATUS_MEMORY, also for more
 * than 2^31 - 1 items.
 */
status trace_exchange_gather(MPI_Comm comm, size_t size, int64_t count, const void *items,
                             int64_t *total, void **all);

#endif

/* Whole numbers of every rank, as many as each has, for rank 0. Private to the timings.
 */
#ifndef IO_TIMINGS_GATHER_H
#define IO_TIMINGS_GATHER_H

#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

/* What rank 0 gets: that of rank r begins at all[begin[r]]. On other ranks all NULL. */
typedef struct io_gathered {
    int ranks;
    int *counts, *begin; /* [ranks] */
    int64_t *all;
} io_gathered;

/*
 * Brings numbers [count] of every rank to rank 0; `what` they are is for messages. *out
 * is to be cleared even after an error. Collective. Errors: STATUS_MEMORY, the same on
 * every rank, also where all together are more than a message can hold.
 */
status io_gather(MPI_Comm comm, int64_t count, const int64_t *numbers, const char *what,
                 io_gathered *out);

void io_gathered_clear(io_gathered *from);

#endif

/* Gathering of integers on rank 0, a different number from each rank. Private to the
 * timings. */
#ifndef IO_TIMINGS_GATHER_H
#define IO_TIMINGS_GATHER_H

#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

/* The gathered numbers on rank 0: those of rank r begin at all[begin[r]]. On other ranks
 * all NULL. */
typedef struct io_gathered {
    int ranks;
    int *counts, *begin; /* [ranks] */
    int64_t *all;
} io_gathered;

/*
 * Gathers numbers [count] of every rank on rank 0. `what`: their name in messages. The
 * caller clears *out even after an error. Collective. Errors: STATUS_MEMORY, the same on
 * every rank, also if the total exceeds the size of a message.
 */
status io_gather(MPI_Comm comm, int64_t count, const int64_t *numbers, const char *what,
                 io_gathered *out);

void io_gathered_clear(io_gathered *from);

#endif

/* Records sent from every rank to every other one. */
#ifndef IO_LOAD_EXCHANGE_H
#define IO_LOAD_EXCHANGE_H

#include "base/parallel/parallel.h"

#include <stddef.h>

/*
 * Sends records of `size` bytes, which lie in the order of the ranks that they go to:
 * to[ranks] of them to each. *received: malloc'ed, those of rank 0 first; from[ranks]:
 * how many came from each. Collective. Errors: STATUS_MEMORY.
 */
status io_exchange(MPI_Comm comm, size_t size, const void *records, const int64_t *to,
                   void **received, int64_t *from);

/* The sum of a list of counts. Local. */
int64_t io_exchange_total(int ranks, const int64_t *counts);

#endif

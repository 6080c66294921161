/* Shares: which rank reads which bricks of a layout. */
#ifndef IO_LOAD_SHARE_H
#define IO_LOAD_SHARE_H

#include "grid/layout.h"

#include <mpi.h>

/* A rank's share of all bricks of the layout: [*first, *end). Shares are consecutive, and
 * nearly of one size. Large ones have whole rows of bricks along i, which lie together in
 * files: the parts of a row would each read most of it. Local. */
void io_load_share(MPI_Comm comm, int rank, const grid_layout *layout, int64_t *first,
                   int64_t *end);

/* The numbers from first to end - 1, malloc'ed. Local. Errors: STATUS_MEMORY. */
status io_load_numbers(int64_t first, int64_t end, int64_t **numbers);

#endif

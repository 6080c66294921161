/* Starts: the seeds that lie in cells of the grid. */
#ifndef TRACE_STARTS_H
#define TRACE_STARTS_H

#include "locate.h"
#include "seeds.h"

#include <mpi.h>

/* A seed in a cell. */
typedef struct trace_start {
    int64_t number; /* among all seeds */
    trace_cell cell;
    double x[3]; /* relative to the layout's origin */
} trace_start;

/* All starts, by number; all zero at first. */
typedef struct trace_starts {
    int64_t nseeds; /* including seeds outside of all cells */
    int64_t count;
    trace_start *items; /* [count] */
} trace_starts;

/*
 * Finds the seeds in the grid, whose bricks are distributed over the ranks. Warns if
 * points or parts of a line lie in no cell, or most of a plane or a box. holders: from
 * trace_exchange_holders. The same on every rank. Collective. Errors: STATUS_USAGE (none
 * lies in a cell; those of trace_seeds_list), STATUS_MEMORY.
 */
status trace_starts_find(MPI_Comm comm, const trace_locator *locator, const int *holders,
                         const trace_seeds *seeds, trace_starts *out);
void trace_starts_clear(trace_starts *starts);

#endif

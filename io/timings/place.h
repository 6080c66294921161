/* The machine of a run: nodes, cores, and differences of the ranks' clocks. */
#ifndef IO_TIMINGS_PLACE_H
#define IO_TIMINGS_PLACE_H

#include <mpi.h>

/* The same on all ranks, except `node` and the offset. */
typedef struct io_place {
    int nodes, cores;    /* of all nodes together, as the operating system counts them */
    int node;            /* number of this rank's node, from 0 on */
    double clock_offset; /* seconds that this rank's base_clock is ahead of rank 0's */
    double clock_error;  /* seconds: the offset of no rank errs by more; 0: one clock */
} io_place;

/* Counts nodes and cores, and measures clock offsets. Ranks on the node of rank 0 share
 * its clock. Collective. */
io_place io_place_find(MPI_Comm comm);

/*
 * Seconds by which `clock` of this rank is ahead of that of rank 0, measured by messages
 * to and fro. The error is at most half of the shortest round trip (F. Cristian,
 * "Probabilistic clock synchronization", Distributed Computing 3, 1989): *error. The
 * ranks that set `asks` measure one after the other; the others get 0. Collective.
 */
double io_place_clock_offset(MPI_Comm comm, int asks, double (*clock)(void),
                             double *error);

#endif

/* Where the ranks of a run are: nodes, cores, and how their clocks differ. */
#ifndef IO_TIMINGS_PLACE_H
#define IO_TIMINGS_PLACE_H

#include <mpi.h>

/* The same on all ranks, but for the offset. */
typedef struct io_place {
    int nodes, cores;    /* of all nodes together, as the operating system counts them */
    double clock_offset; /* seconds that this rank's base_clock is ahead of rank 0's */
} io_place;

/* Finds it out. Ranks on the node of rank 0 share its clock; the others measure.
 * Collective. */
io_place io_place_find(MPI_Comm comm);

/*
 * Seconds by which `clock` of this rank is ahead of that of rank 0, measured by messages
 * to and fro: half of the shortest way is the most that it is wrong by (F. Cristian,
 * "Probabilistic clock synchronization", Distributed Computing 3, 1989). The ranks that
 * set `asks` do so one after the other, the others get 0. Collective.
 */
double io_place_clock_offset(MPI_Comm comm, int asks, double (*clock)(void));

#endif

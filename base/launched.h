/*
 * The place that an MPI launcher has given this process, read from the environment: for
 * work that needs no MPI, and for the time before MPI_Init. Initialising MPI opens
 * sockets on the network, and fails on machines without one.
 */
#ifndef BASE_LAUNCHED_H
#define BASE_LAUNCHED_H

/* Rank of this process among those that were launched together; 0 where no launcher says
 * otherwise. Local. */
int base_launched_rank(void);

/* How many processes were launched together; 1 where no launcher says so. Local. */
int base_launched_size(void);

#endif

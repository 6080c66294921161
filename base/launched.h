/*
 * The place of this process among those that an MPI launcher started, read from the
 * environment. It serves work that needs no MPI, and the time before MPI_Init:
 * initialising MPI opens network sockets, and fails on machines without a network.
 */
#ifndef BASE_LAUNCHED_H
#define BASE_LAUNCHED_H

#include <stdbool.h>

/* Rank of this process among those that were launched together; 0 if no launcher gives
 * one. Local. */
int base_launched_rank(void);

/* Number of processes that were launched together; 1 if no launcher gives it. Local. */
int base_launched_size(void);

/* Number of these processes on this node; 1 if no launcher gives it. Local. */
int base_launched_on_node(void);

/* Whether standard output ends at a terminal. Open MPI gives ranks terminals of its own,
 * behind which the output of its launcher may be a file. Local. */
bool base_launched_at_terminal(void);

#endif

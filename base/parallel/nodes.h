/* The nodes that ranks run on. Ranks of a node share its memory. */
#ifndef BASE_PARALLEL_NODES_H
#define BASE_PARALLEL_NODES_H

#include <mpi.h>
#include <stdbool.h>

/* Makes the communicator of the ranks of comm on this rank's node; the caller frees it.
 * Collective. */
void parallel_split_nodes(MPI_Comm comm, MPI_Comm *node);

/* The number of ranks of comm on this rank's node. Collective. */
int parallel_node_size(MPI_Comm comm);

/* Finds the node of each rank: the lowest rank on it. node: of parallel_split_nodes;
 * numbers: [ranks of comm]. The same on all ranks. Collective. */
void parallel_number_nodes(MPI_Comm comm, MPI_Comm node, int *numbers);

/*
 * The socket to which this process is bound: the number of the package that all
 * processors belong to on which its first thread may run. Below 0: there are several, or
 * the system does not tell. cpus: the folder of the processors; NULL: that of Linux,
 * /sys/devices/system/cpu. Local.
 */
int parallel_find_socket(const char *cpus);

/* Finds the socket of each rank on its node, as parallel_find_socket. sockets: [ranks of
 * comm]; node: of parallel_split_nodes. The same on all ranks. Collective. */
void parallel_number_sockets(MPI_Comm comm, MPI_Comm node, int *sockets);

/* For tests: nodes have sockets of so many ranks, in blocks; 0: those of the system. */
extern int parallel_test_socket_size;

/* For tests: cut nodes into smaller ones of `size` ranks, 0: not at all. `dealt`: deal
 * ranks to them in turn, like cards. */
extern int parallel_test_node_size;
extern bool parallel_test_node_dealt;

#endif

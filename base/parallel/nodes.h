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

/* For tests: cut nodes into smaller ones of `size` ranks, 0: not at all. `dealt`: deal
 * ranks to them in turn, like cards. */
extern int parallel_test_node_size;
extern bool parallel_test_node_dealt;

#endif

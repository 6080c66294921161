/* The settings of UCX, over which MPICH sends messages between nodes. */
#ifndef BASE_PARALLEL_TRANSPORT_H
#define BASE_PARALLEL_TRANSPORT_H

/*
 * Makes UCX send messages below 1 MiB without waiting for the receiver's answer
 * (UCX_RNDV_THRESH), where that pays: over TCP, where the answer takes a round trip and
 * spares no copy. Cards with remote direct memory access (RDMA) keep UCX's own threshold.
 *
 * cards: the folder in which the system lists such cards, PARALLEL_RDMA_CARDS. A variable
 * that is set stays as it is. To be called before MPI_Init, by programs only. Local.
 */
void parallel_set_transport(const char *cards);

#define PARALLEL_RDMA_CARDS "/sys/class/infiniband"

#endif

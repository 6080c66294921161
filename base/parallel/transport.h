/* The settings of UCX, over which MPICH sends messages between nodes, and of hwloc, by
 * which it finds cards. */
#ifndef BASE_PARALLEL_TRANSPORT_H
#define BASE_PARALLEL_TRANSPORT_H

#include <stdbool.h>

/*
 * Makes UCX send messages below 1 MiB without waiting for the receiver's answer
 * (UCX_RNDV_THRESH), where that pays: over TCP, where the answer takes a round trip and
 * spares no copy. Cards with remote direct memory access (RDMA) keep UCX's own threshold.
 *
 * cards: the folder in which the system lists such cards, PARALLEL_RDMA_CARDS. A variable
 * that is set stays as it is. To be called before MPI_Init, by programs only. Local.
 */
void parallel_set_transport(const char *cards);

/*
 * Makes MPI start sooner in a process that is alone, which saves it 25 to 40 ms: UCX
 * looks for no other processes (UCX_TLS=self), and hwloc neither for network cards
 * (HWLOC_COMPONENTS=-linuxio,-pci) nor for graphics cards, whose libraries it would load
 * (HWLOC_PLUGINS_PATH=/dev/null). Variables that are set stay as they are.
 *
 * A process is alone if no variable of its environment (a list as `environ`) may come
 * from a launcher. Returns whether it is. To be called before MPI_Init, by programs only.
 * Local.
 */
bool parallel_start_alone(char *const *environment);

/* Takes back what parallel_start_alone has set: children and signatures of the machine
 * see the user's variables alone. To be called after MPI_Init. Local. */
void parallel_forget_alone(void);

#define PARALLEL_RDMA_CARDS "/sys/class/infiniband"

#endif

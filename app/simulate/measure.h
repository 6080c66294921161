/* Measures the machine on which the ranks run, for the simulator. */
#ifndef APP_SIMULATE_MEASURE_H
#define APP_SIMULATE_MEASURE_H

#include "base/status.h"

#include <mpi.h>

/*
 * Measures messages between nodes and within one, the ports of a node, the time to blend
 * a pixel, and cores; writes a machine file (docs/user/simulate.md), and prints its
 * values on rank 0. Takes some seconds. If all ranks lie on one node, its messages stand
 * for those between nodes.
 *
 * Messages: a ping-pong gives the latency, and streams of messages in one direction the
 * time of a port for each size (R. Hockney, "The communication challenge for MPP",
 * Parallel Computing 20, 1994). The least of several times counts, as other programs only
 * add.
 *
 * Collective. Errors, the same on all ranks: STATUS_USAGE if there is one rank alone;
 * STATUS_OUTPUT; STATUS_MEMORY.
 */
status simulate_measure(MPI_Comm comm, const char *path);

#endif

/* Measures the machine on which the ranks run, for the simulator. */
#ifndef MESSAGES_SIMULATE_MEASURE_H
#define MESSAGES_SIMULATE_MEASURE_H

#include "base/status.h"
#include "messages/model/machine.h"

#include <jansson.h>
#include <mpi.h>

/*
 * Measures messages between nodes and within one, the ports of a node, the time to blend
 * a pixel, and cores. Takes some seconds. If all ranks lie on one node, its messages
 * stand for those between nodes. On rank 0: *machine, and in *about an object on the
 * measurement, a new reference. The others get NULL.
 *
 * Messages: a ping-pong gives the latency, and streams of messages in one direction the
 * time of a port for each size (R. Hockney, "The communication challenge for MPP",
 * Parallel Computing 20, 1994). The least of several times counts, as other programs only
 * add.
 *
 * Collective. Errors, the same on all ranks: STATUS_USAGE if there is one rank alone;
 * STATUS_MEMORY.
 */
status simulate_measure(MPI_Comm comm, simulate_machine *machine, json_t **about);

/* The same into a machine file (docs/user/simulate.md); prints the values on rank 0.
 * Collective. Errors: also STATUS_OUTPUT. */
status simulate_measure_file(MPI_Comm comm, const char *path);

/* Prints the most important values as a line that begins with `name`. Local. */
void simulate_measure_print(const char *name, const simulate_machine *machine);

#endif

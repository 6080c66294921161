/* The commands of the program: one file cmd_NAME.c each. */
#ifndef APP_CMD_H
#define APP_CMD_H

#include "base/status.h"

#include <mpi.h>

/*
 * Runs a command. argv[0] is its full name for messages ("karman info"), the rest its
 * arguments. Collective: returns the same status on every rank; the message of a failure
 * is held by base_fail and printed by main.
 */
status cmd_info(MPI_Comm comm, int argc, char **argv);
status cmd_schedule(MPI_Comm comm, int argc, char **argv);
status cmd_render(MPI_Comm comm, int argc, char **argv);
status cmd_compare(MPI_Comm comm, int argc, char **argv);
status cmd_steer(MPI_Comm comm, int argc, char **argv);
status cmd_live(MPI_Comm comm, int argc, char **argv);

#endif

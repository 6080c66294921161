/* karman tune --show and --check. */
#ifndef MESSAGES_TUNE_SHOW_H
#define MESSAGES_TUNE_SHOW_H

#include "base/status.h"

#include <mpi.h>

/* Prints the rules of a file as a table for each machine. Local. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status tune_show(const char *path);

/* Prints on rank 0 which rules a job with this config and these ranks would follow, or
 * why it follows none. Collective. Errors, the same on all ranks: those of
 * frame_config_load. */
status tune_check(MPI_Comm comm, const char *config);

#endif

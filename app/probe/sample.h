/* Values of fields at points, as tables. */
#ifndef APP_PROBE_SAMPLE_H
#define APP_PROBE_SAMPLE_H

#include "base/status.h"
#include "io/config/config.h"
#include "request.h"

#include <mpi.h>

/*
 * Prints a row for each point, and step of the config's data: place, cell, values. Rank 0
 * writes. Points outside of the grid have no values, and are named in a warning.
 * Collective. Errors: those of the config and its data, STATUS_USAGE (a point, a field),
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status app_sample(MPI_Comm comm, const app_sample_request *request,
                  const io_config *config);

#endif

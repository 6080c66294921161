/* The work of `karman convert` after parsing the command line. */
#ifndef APP_CONVERT_CONVERT_H
#define APP_CONVERT_CONVERT_H

#include "base/status.h"
#include "request.h"

#include <mpi.h>

/*
 * Writes the data of a config as an HDF5 file of karman's own layout, and an XDMF file.
 * Each rank reads and writes boxes of a bounded size. The file appears under its name
 * when it is whole. Rank 0 prints a line about it. Collective. Errors, the same on every
 * rank, after which nothing is left of the file: STATUS_USAGE (the file exists, or is the
 * input), STATUS_INPUT, STATUS_OUTPUT, STATUS_MEMORY.
 */
status app_convert(MPI_Comm comm, const app_convert_request *request);

/* The same for an open source, which has no views. */
struct io_source;
status app_convert_of(MPI_Comm comm, struct io_source *source,
                      const app_convert_request *request);

#endif

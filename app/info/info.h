/* The work of `karman info` after parsing the command line. */
#ifndef APP_INFO_INFO_H
#define APP_INFO_INFO_H

#include "base/status.h"
#include "ranges.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct app_info_request {
    const char *file; /* HDF5, or a config whose name ends in .yaml or .yml */
    bool json;
    app_info_ranges ranges;
} app_info_request;

/*
 * Prints the contents of a file to standard output, on rank 0 alone. For karman's own
 * layout these are blocks, steps and fields with their ranges; for another layout data
 * sets, and the data section for a config. Collective. Errors: as io_source_open, the
 * same on every rank; then nothing is printed.
 */
status app_info_print(MPI_Comm comm, const app_info_request *request);

#endif

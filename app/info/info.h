/* The work of `karman info` behind its command line. */
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
 * Prints to standard output, on rank 0 alone, what a file holds: of karman's own layout
 * blocks, steps and fields with their ranges; of another layout its data sets, and the
 * data section that a config needs. Collective. Errors: as io_source_open, the same on
 * every rank; nothing is printed then.
 */
status app_info_print(MPI_Comm comm, const app_info_request *request);

#endif

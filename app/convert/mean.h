/* Means over time, written as a file. */
#ifndef APP_CONVERT_MEAN_H
#define APP_CONVERT_MEAN_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>

typedef struct app_mean_request {
    const io_config *config; /* its data, steps and terms */
    const char *fields;      /* names or expressions; NULL: all of the data */
    bool stresses;           /* Reynolds stresses of the velocity, too */
    const char *output;
    bool replaces;
} app_mean_request;

/*
 * Writes mean, rms, minimum and maximum over the steps as an HDF5 file of one step. Work
 * that was interrupted goes on. Collective. Errors: those of app_convert; STATUS_INPUT:
 * blocks come or go; STATUS_USAGE: a field has derivatives.
 */
status app_mean(MPI_Comm comm, const app_mean_request *request);

#endif

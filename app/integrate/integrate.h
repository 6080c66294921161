/* Integrals over volumes, planes, faces and walls, as tables. */
#ifndef APP_INTEGRATE_H
#define APP_INTEGRATE_H

#include "base/status.h"
#include "io/config/config.h"
#include "request.h"

#include <mpi.h>

/*
 * Prints a row for each step of the config's data and place. Places are those of the
 * data, without transforms and copies, which are taken out of the config. Rank 0 writes.
 * Collective. Errors: those of the config and its data, STATUS_USAGE (a place, a field),
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status app_integrate(MPI_Comm comm, const app_integrate_request *request,
                     io_config *config);

#endif

/* Data that are explored in a browser: `karman view`. Rank 0 serves the page; all ranks
 * draw what it asks for. */
#ifndef RUN_VIEW_H
#define RUN_VIEW_H

#include "base/status.h"
#include "request.h"

#include <mpi.h>

/*
 * Loads the data, prints the address of the page on rank 0, and carries out orders until
 * SIGINT, SIGTERM or SIGHUP, or until nobody has given one for long. Collective. Errors:
 * those of frame_job_create and live_server_start.
 */
status view_run(MPI_Comm comm, const view_request *request);

#endif

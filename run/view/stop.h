/* Stops on all ranks: the server's thread stops rank 0 (base_stop_set), which tells the
 * others while they draw. */
#ifndef RUN_VIEW_STOP_H
#define RUN_VIEW_STOP_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct view_stop {
    MPI_Comm comm;
    int rank, ranks;
    bool is_told;          /* the others know; this rank knows it from rank 0 */
    MPI_Request *requests; /* [ranks] of rank 0 */
} view_stop;

/* Errors: STATUS_MEMORY. Local. */
status view_stop_create(MPI_Comm comm, view_stop *out);
void view_stop_clear(view_stop *stop);

/* Around a drawing: in between, pauses pass a stop on. Collective. */
void view_stop_begin(view_stop *stop);
void view_stop_end(view_stop *stop);

#endif

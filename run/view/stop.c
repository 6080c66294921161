#include "stop.h"

#include "base/parallel/parallel.h"
#include "base/system.h"

#include <stdlib.h>

enum { TAG = 0x5354 };

status view_stop_create(MPI_Comm comm, view_stop *out)
{
    *out = (view_stop){
        .comm = comm, .rank = parallel_rank(comm), .ranks = parallel_size(comm)};
    out->requests = malloc((size_t)out->ranks * sizeof(MPI_Request));
    return out->requests ? STATUS_OK : base_fail_memory(0, "a view");
}

void view_stop_clear(view_stop *stop)
{
    free(stop->requests);
    stop->requests = NULL;
}

/* Rank 0 tells the others once. */
static void tell(view_stop *stop)
{
    if (!base_is_stopped()) {
        return;
    }
    for (int r = 1; r < stop->ranks; r++) {
        MPI_Isend(NULL, 0, MPI_BYTE, r, TAG, stop->comm, &stop->requests[r]);
    }
    stop->is_told = true;
}

static void listen(view_stop *stop)
{
    int there = 0;
    MPI_Iprobe(0, TAG, stop->comm, &there, MPI_STATUS_IGNORE);
    if (there) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, stop->comm, MPI_STATUS_IGNORE);
        stop->is_told = true;
        base_stop_set(true);
    }
}

/* base_pause_work */
static void look(void *context)
{
    view_stop *stop = context;
    if (stop->is_told) {
        return;
    }
    if (stop->rank == 0) {
        tell(stop);
    } else {
        listen(stop);
    }
}

void view_stop_begin(view_stop *stop)
{
    stop->is_told = false;
    if (stop->rank != 0) {
        base_stop_set(false);
    }
    if (stop->ranks > 1) {
        base_pause_watch(look, stop);
    }
}

void view_stop_end(view_stop *stop)
{
    base_pause_watch(NULL, NULL);
    int told = stop->is_told;
    parallel_bcast(&told, 1, MPI_INT, 0, stop->comm);
    if (told && stop->rank == 0) {
        for (int r = 1; r < stop->ranks; r++) {
            parallel_wait(&stop->requests[r]);
        }
    } else if (told && !stop->is_told) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, stop->comm, MPI_STATUS_IGNORE);
    }
}

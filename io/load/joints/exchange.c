#include "exchange.h"

#include <stdlib.h>

int64_t io_exchange_total(int ranks, const int64_t *counts)
{
    int64_t sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
        sum += counts[rank];
    }
    return sum;
}

/* Counts and places of one direction, as MPI wants them: out[2][ranks]. */
static void place(int ranks, const int64_t *counts, int *out)
{
    int64_t sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
        out[rank] = parallel_count(counts[rank]);
        out[ranks + rank] = parallel_count(sum);
        sum += counts[rank];
    }
}

static void send_all(MPI_Comm comm, size_t size, const void *records, const int *out,
                     void *received, const int *in)
{
    const int ranks = parallel_size(comm);
    MPI_Datatype record;
    MPI_Request request;
    MPI_Type_contiguous(parallel_count((int64_t)size), MPI_BYTE, &record);
    MPI_Type_commit(&record);
    MPI_Ialltoallv(records, out, out + ranks, record, received, in, in + ranks, record,
                   comm, &request);
    parallel_wait(&request);
    MPI_Type_free(&record);
}

status io_exchange(MPI_Comm comm, size_t size, const void *records, const int64_t *to,
                   void **received, int64_t *from)
{
    const int ranks = parallel_size(comm);
    MPI_Request request;
    MPI_Ialltoall(to, 1, MPI_INT64_T, from, 1, MPI_INT64_T, comm, &request);
    parallel_wait(&request);
    const size_t bytes = (size_t)(io_exchange_total(ranks, from) + 1) * size;
    int *counts = malloc(4 * (size_t)ranks * sizeof *counts);
    void *all = malloc(bytes);
    status s = counts && all ? STATUS_OK
                             : base_fail_memory(bytes, "the vertices that blocks share");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        place(ranks, to, counts);
        place(ranks, from, counts + 2 * ranks);
        send_all(comm, size, records, counts, all, counts + 2 * ranks);
        *received = all;
    } else {
        free(all);
    }
    free(counts);
    return s;
}

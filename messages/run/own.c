/* MPI's own collectives, on the same memory. */
#include "base/parallel/parallel.h"
#include "execute.h"
#include "messages/collective/operations.h"

#include <string.h>

/* The blocks of all ranks. */
typedef struct blocks {
    int counts[COLLECTIVE_MOST_RANKS], begins[COLLECTIVE_MOST_RANKS];
    int same[COLLECTIVE_MOST_RANKS];  /* the count of the own one, for each rank */
    int apart[COLLECTIVE_MOST_RANKS]; /* the places of that of each rank, in a row */
} blocks;

static blocks find_blocks(const collectives_execution *e)
{
    blocks b;
    const collective_problem *problem = &e->problem;
    for (int rank = 0; rank < problem->size; rank++) {
        b.begins[rank] = (int)collective_block_begin(problem, rank);
        b.counts[rank] = (int)collective_block_begin(problem, rank + 1) - b.begins[rank];
    }
    for (int rank = 0; rank < problem->size; rank++) {
        b.same[rank] = b.counts[e->rank];
        b.apart[rank] = rank * b.counts[e->rank];
    }
    return b;
}

/* Collectives with a root. False: it is another one. */
static bool start_rooted(collectives_execution *e, const blocks *b, MPI_Request *request)
{
    const collective_operation *of = e->operation;
    const int root = e->problem.root, count = (int)e->problem.count, rank = e->rank;
    uint64_t *all = e->memory, *own = all + b->begins[rank];
    void *in_place = rank == root ? MPI_IN_PLACE : own;
    if (of == &collective_broadcast) {
        MPI_Ibcast(all, count, MPI_UINT64_T, root, e->comm, request);
    } else if (of == &collective_scatter) {
        MPI_Iscatterv(all, b->counts, b->begins, MPI_UINT64_T, in_place, b->counts[rank],
                      MPI_UINT64_T, root, e->comm, request);
    } else if (of == &collective_gather) {
        MPI_Igatherv(in_place, b->counts[rank], MPI_UINT64_T, all, b->counts, b->begins,
                     MPI_UINT64_T, root, e->comm, request);
    } else if (of == &collective_reduce) {
        MPI_Ireduce(rank == root ? MPI_IN_PLACE : all, all, count, MPI_UINT64_T, MPI_SUM,
                    root, e->comm, request);
    } else {
        return false;
    }
    return true;
}

static void start(collectives_execution *e, const blocks *b, MPI_Request *request)
{
    const collective_operation *of = e->operation;
    const int count = (int)e->problem.count;
    uint64_t *all = e->memory;
    if (of == &collective_reduce_scatter) {
        MPI_Ireduce_scatter(all, e->arrived, b->counts, MPI_UINT64_T, MPI_SUM, e->comm,
                            request);
    } else if (of == &collective_allgather) {
        MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_UINT64_T, all, b->counts, b->begins,
                        MPI_UINT64_T, e->comm, request);
    } else if (of == &collective_allreduce) {
        MPI_Iallreduce(MPI_IN_PLACE, all, count, MPI_UINT64_T, MPI_SUM, e->comm, request);
    } else if (of == &collective_alltoall) {
        MPI_Ialltoallv(all + (int64_t)e->rank * count, b->counts, b->begins, MPI_UINT64_T,
                       e->arrived, b->same, b->apart, MPI_UINT64_T, e->comm, request);
    } else if (of == &collective_scan) {
        MPI_Iscan(MPI_IN_PLACE, all, count, MPI_UINT64_T, MPI_SUM, e->comm, request);
    } else if (!start_rooted(e, b, request)) {
        MPI_Ibarrier(e->comm, request);
    }
}

void collectives_execution_run_own(collectives_execution *e)
{
    const blocks b = find_blocks(e);
    const size_t bytes = (size_t)b.counts[e->rank] * sizeof *e->memory;
    MPI_Request request;
    start(e, &b, &request);
    parallel_wait(&request);
    /* MPI puts these elsewhere: to their places, where they are checked. */
    if (e->operation == &collective_reduce_scatter) {
        memcpy(e->memory + b.begins[e->rank], e->arrived, bytes);
    }
    for (int rank = 0; e->operation == &collective_alltoall && rank < e->problem.size;
         rank++) {
        memcpy(e->memory + rank * e->problem.count + b.begins[e->rank],
               e->arrived + b.apart[rank], bytes);
    }
}

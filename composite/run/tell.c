/*
 * Ranks tell each other small things: their inputs before a frame, and their outcome
 * after it.
 *
 * If each rank has a core, a collective operation of MPI takes log2(ranks) hops, each of
 * them by all ranks at once. On crowded nodes ranks take turns, and the number of
 * messages counts: ranks log2(ranks) in all. There rank 0 collects from all, and answers
 * each: 2 (ranks - 1) messages, and two hops.
 */
#include "executor.h"

#include "base/parallel/parallel.h"

#include <string.h>

/* Beyond so many ranks the messages of rank 0 take longer than the hops. */
enum { MOST_STAR = 32 };

static bool is_star(const composite_executor *executor)
{
    return executor->node.is_crowded && executor->size <= MOST_STAR;
}

static int tag_of(const composite_executor *executor)
{
    return executor->most_tag + 1;
}

static void wait_for(int count, MPI_Request *requests)
{
    for (int i = 0; i < count; i++) {
        parallel_wait(&requests[i]);
    }
}

/* Rank 0 of the star: bytes of each rank; all: [ranks][bytes]. */
static void collect(const composite_executor *executor, int bytes, char *all)
{
    MPI_Request requests[MOST_STAR];
    const int others = executor->size - 1;
    for (int i = 0; i < others; i++) {
        MPI_Irecv(all + (size_t)(i + 1) * (size_t)bytes, bytes, MPI_BYTE, i + 1,
                  tag_of(executor), executor->comm, &requests[i]);
    }
    wait_for(others, requests);
    for (int i = 0; i < others; i++) {
        MPI_Isend(all, executor->size * bytes, MPI_BYTE, i + 1, tag_of(executor),
                  executor->comm, &requests[i]);
    }
    wait_for(others, requests);
}

static void tell_root(const composite_executor *executor, const void *mine, int bytes,
                      void *all)
{
    MPI_Request requests[2];
    MPI_Isend(mine, bytes, MPI_BYTE, 0, tag_of(executor), executor->comm, &requests[0]);
    MPI_Irecv(all, executor->size * bytes, MPI_BYTE, 0, tag_of(executor), executor->comm,
              &requests[1]);
    wait_for(2, requests);
}

void composite_tell(const composite_executor *executor, const void *mine, int bytes,
                    void *all)
{
    MPI_Request request;
    if (!is_star(executor)) {
        MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, executor->comm,
                       &request);
        parallel_wait(&request);
    } else if (executor->rank == 0) {
        memcpy(all, mine, (size_t)bytes);
        collect(executor, bytes, all);
    } else {
        tell_root(executor, mine, bytes, all);
    }
}

status composite_agree(const composite_executor *executor, status local)
{
    status all[MOST_STAR];
    if (!is_star(executor)) {
        return parallel_agree(executor->comm, local);
    }
    composite_tell(executor, &local, (int)sizeof local, all);
    for (int rank = 0; rank < executor->size; rank++) {
        if (all[rank] != STATUS_OK) {
            return parallel_agree(executor->comm, local); /* on the message as well */
        }
    }
    return STATUS_OK;
}

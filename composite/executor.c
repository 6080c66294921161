#include "composite/executor.h"

#include "base/parallel.h"

#include <sched.h>
#include <stdlib.h>

static const char *const PURPOSE = "the messages of compositing";

/* What gathering needs before it knows how much there is to gather: one request, and on
 * rank 0 account of the pieces of all ranks. */
static status reserve_counts(composite_executor *executor)
{
    composite_memory *memory = &executor->memory;
    const int64_t ranks = executor->rank == 0 ? executor->size : 0;
    status s = composite_requests_reserve(&executor->requests, memory, 1);
    s = s == STATUS_OK ? composite_memory_grow(memory, &executor->rank_counts,
                                               &executor->counts_capacity, ranks,
                                               sizeof *executor->rank_counts, PURPOSE)
                       : s;
    return s == STATUS_OK ? composite_memory_grow(memory, &executor->rank_offsets,
                                                  &executor->offsets_capacity, ranks,
                                                  sizeof *executor->rank_offsets, PURPOSE)
                          : s;
}

status composite_executor_create(MPI_Comm comm, composite_executor **out)
{
    composite_executor *executor = calloc(1, sizeof *executor);
    status s = executor ? STATUS_OK : base_fail_memory(sizeof *executor, "an executor");
    s = parallel_agree(comm, s);
    if (!executor || s != STATUS_OK) {
        free(executor);
        return s;
    }
    MPI_Comm_dup(comm, &executor->comm);
    executor->rank = parallel_rank(executor->comm);
    executor->size = parallel_size(executor->comm);
    composite_executor_limit_messages(executor, COMPOSITE_SEGMENT, COMPOSITE_CHUNK);
    executor->plan.memory = &executor->memory;
    s = parallel_agree(comm, reserve_counts(executor));
    if (s != STATUS_OK) {
        composite_executor_destroy(&executor);
        return s;
    }
    *out = executor;
    return STATUS_OK;
}

void composite_executor_destroy(composite_executor **executor)
{
    composite_executor *old = *executor;
    if (!old) {
        return;
    }
    MPI_Comm_free(&old->comm);
    composite_plan_clear(&old->plan);
    free(old->pieces);
    free(old->staging);
    free(old->slots);
    free(old->arrived);
    free(old->requests.items);
    free(old->requests.statuses);
    free(old->requests.done);
    free(old->rank_counts);
    free(old->rank_offsets);
    free(old->all);
    free(old);
    *executor = NULL;
}

void composite_executor_fail_allocation(composite_executor *executor, int64_t nth)
{
    executor->memory.until_failure = nth;
}

void composite_executor_limit_messages(composite_executor *executor, int segment,
                                       int64_t chunk)
{
    executor->segment = segment;
    executor->chunk = chunk;
}

status composite_requests_reserve(composite_requests *requests, composite_memory *memory,
                                  int64_t count)
{
    status s = composite_memory_grow(memory, &requests->items, &requests->capacity, count,
                                     sizeof *requests->items, PURPOSE);
    s = s == STATUS_OK ? composite_memory_grow(memory, &requests->statuses,
                                               &requests->status_capacity, count,
                                               sizeof *requests->statuses, PURPOSE)
                       : s;
    return s == STATUS_OK
               ? composite_memory_grow(memory, &requests->done, &requests->done_capacity,
                                       count, sizeof *requests->done, PURPOSE)
               : s;
}

int composite_requests_poll(composite_requests *requests, int64_t count)
{
    enum { POLLS_BEFORE_YIELD = 50 };
    int ndone = 0;
    MPI_Testsome(parallel_count(count), requests->items, &ndone, requests->done,
                 requests->statuses);
    if (ndone != MPI_UNDEFINED && ndone > 0) {
        requests->idle = 0;
        return ndone;
    }
    if (++requests->idle >= POLLS_BEFORE_YIELD) {
        requests->idle = 0;
        sched_yield();
    }
    return 0;
}

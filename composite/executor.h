/* What an executor consists of. Private to the files of the executor and their tests. */
#ifndef COMPOSITE_EXECUTOR_H
#define COMPOSITE_EXECUTOR_H

#include "composite/execute.h"
#include "composite/plan.h"

enum {
    /* Most pixels of a message: with rgba, payload and image fill half a MiB each, and
     * stay together in the second-level cache. */
    COMPOSITE_SEGMENT = 32768,
    /* Most bytes of a message when gathering, far below what MPI can count. */
    COMPOSITE_CHUNK = 64 << 20,
    COMPOSITE_TAG_IMAGE = 1,
    COMPOSITE_TAG_GATHER = 2
};

/* Requests that are under way, and what waiting for them needs. */
typedef struct composite_requests {
    MPI_Request *items;   /* [capacity] */
    MPI_Status *statuses; /* [status_capacity], of those that are done */
    int *done;            /* [done_capacity]: indices */
    int64_t capacity, status_capacity, done_capacity;
    int idle; /* polls in a row that found nothing done */
} composite_requests;

struct composite_executor {
    MPI_Comm comm;
    int rank, size;
    int segment;   /* most pixels of a message of compositing; the same on all ranks */
    int64_t chunk; /* most bytes of one of gathering; likewise */
    composite_memory memory;
    composite_plan plan;
    int64_t pixels;          /* of the last image */
    composite_piece *pieces; /* [npieces], what this rank holds of it */
    int npieces;
    int64_t pieces_capacity;
    float *staging; /* encoded payloads on their way out */
    int64_t staging_capacity;
    float *slots; /* where payloads arrive */
    int64_t slots_capacity;
    int64_t *arrived; /* [slots]: bytes, or -1 while under way */
    int64_t arrived_capacity;
    composite_requests requests;
    int *rank_counts;     /* [size] on rank 0: pieces of each rank, in int64 */
    int *rank_offsets;    /* [size] on rank 0 */
    composite_piece *all; /* on rank 0: pieces of all ranks, rank by rank */
    int64_t counts_capacity, offsets_capacity, all_capacity;
};

/* Lets the n-th allocation from now on fail on this rank, once; 0: none. For tests. */
void composite_executor_fail_allocation(composite_executor *executor, int64_t nth);

/* Makes messages hold at most `segment` pixels, and `chunk` bytes when gathering, the
 * same on all ranks. For tests. */
void composite_executor_limit_messages(composite_executor *executor, int segment,
                                       int64_t chunk);

/* Makes room for `count` requests. Errors: STATUS_MEMORY. */
status composite_requests_reserve(composite_requests *requests, composite_memory *memory,
                                  int64_t count);

/*
 * Tests the first `count` requests once. Returns how many are done now, with their
 * indices and statuses at the front of requests->done and requests->statuses. After some
 * tests in a row that found nothing, gives the processor to other ranks: there may be
 * more of them than cores.
 */
int composite_requests_poll(composite_requests *requests, int64_t count);

#endif

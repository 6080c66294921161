/* Bringing the finished pixels to rank 0: every piece travels once, straight to its
 * place. */
#include "composite/executor.h"

#include "base/parallel.h"

#include <string.h>

enum {
    PIECE_WORDS = 2 /* int64 of a composite_piece */
};

/* One call of composite_gather. */
typedef struct gathering {
    composite_executor *executor;
    int64_t pixel_bytes;
    int64_t nrequests;
    composite_counters counters;
} gathering;

static void sum_counts(composite_executor *executor, int64_t *total)
{
    *total = 0;
    for (int rank = 0; rank < executor->size; rank++) {
        executor->rank_offsets[rank] = parallel_count(*total);
        *total += executor->rank_counts[rank];
    }
}

/* Rank 0 learns how many pieces there are, and all get the memory that they need.
 * Collective. */
static status reserve(gathering *all)
{
    composite_executor *executor = all->executor;
    const int mine = executor->npieces * PIECE_WORDS;
    int64_t pieces = executor->npieces;
    MPI_Igather(&mine, 1, MPI_INT, executor->rank_counts, 1, MPI_INT, 0, executor->comm,
                &executor->requests.items[0]);
    parallel_wait(&executor->requests.items[0]);
    status s = STATUS_OK;
    if (executor->rank == 0) {
        int64_t words;
        sum_counts(executor, &words);
        pieces = words / PIECE_WORDS;
        s = composite_memory_grow(&executor->memory, &executor->all,
                                  &executor->all_capacity, pieces, sizeof *executor->all,
                                  "the gathered picture");
    }
    /* Each piece is one message, and one more for every chunk that it fills. */
    int64_t messages = pieces + executor->pixels * all->pixel_bytes / executor->chunk;
    s = s == STATUS_OK
            ? composite_requests_reserve(&executor->requests, &executor->memory, messages)
            : s;
    return parallel_agree(executor->comm, s);
}

static void gather_layout(composite_executor *executor)
{
    MPI_Igatherv(executor->pieces, executor->npieces * PIECE_WORDS, MPI_INT64_T,
                 executor->all, executor->rank_counts, executor->rank_offsets,
                 MPI_INT64_T, 0, executor->comm, &executor->requests.items[0]);
    parallel_wait(&executor->requests.items[0]);
}

static MPI_Request *next_request(gathering *all)
{
    return &all->executor->requests.items[all->nrequests++];
}

static void send_piece(gathering *all, const unsigned char *data, int64_t bytes)
{
    const int64_t chunk = all->executor->chunk;
    for (int64_t sent = 0; sent < bytes; sent += chunk) {
        int64_t count = bytes - sent < chunk ? bytes - sent : chunk;
        MPI_Isend(data + sent, parallel_count(count), MPI_BYTE, 0, COMPOSITE_TAG_GATHER,
                  all->executor->comm, next_request(all));
        all->counters.messages_sent++;
        all->counters.bytes_sent += count;
    }
}

static void receive_piece(gathering *all, int rank, unsigned char *data, int64_t bytes)
{
    const int64_t chunk = all->executor->chunk;
    for (int64_t received = 0; received < bytes; received += chunk) {
        int64_t count = bytes - received < chunk ? bytes - received : chunk;
        MPI_Irecv(data + received, parallel_count(count), MPI_BYTE, rank,
                  COMPOSITE_TAG_GATHER, all->executor->comm, next_request(all));
    }
}

static void receive_all(gathering *all, unsigned char *whole)
{
    const composite_executor *executor = all->executor;
    for (int rank = 1; rank < executor->size; rank++) {
        const composite_piece *piece =
            executor->all + executor->rank_offsets[rank] / PIECE_WORDS;
        for (int i = 0; i < executor->rank_counts[rank] / PIECE_WORDS; i++) {
            receive_piece(all, rank, whole + piece[i].pix0 * all->pixel_bytes,
                          piece[i].npix * all->pixel_bytes);
        }
    }
}

/* Sends this rank's pieces, or puts them in their place at rank 0. */
static void deliver_own(gathering *all, const unsigned char *part, unsigned char *whole)
{
    const composite_executor *executor = all->executor;
    for (int i = 0; i < executor->npieces; i++) {
        const composite_piece *piece = &executor->pieces[i];
        int64_t bytes = piece->npix * all->pixel_bytes;
        if (executor->rank == 0) {
            memcpy(whole + piece->pix0 * all->pixel_bytes, part, (size_t)bytes);
        } else {
            send_piece(all, part, bytes);
        }
        part += bytes;
    }
}

status composite_gather(composite_executor *executor, int bytes_per_pixel,
                        const void *part, void *whole, composite_counters *counters)
{
    gathering all = {.executor = executor, .pixel_bytes = bytes_per_pixel};
    status s = reserve(&all);
    if (s != STATUS_OK) {
        return s;
    }
    gather_layout(executor);
    if (executor->rank == 0) {
        receive_all(&all, whole);
    }
    deliver_own(&all, part, whole);
    for (int64_t left = all.nrequests; left > 0;) {
        left -= composite_requests_poll(&executor->requests, all.nrequests);
    }
    counters->messages_sent += all.counters.messages_sent;
    counters->bytes_sent += all.counters.bytes_sent;
    return STATUS_OK;
}

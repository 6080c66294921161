/* Gathering of the strips of all ranks on rank 0. */
#include "png_strip.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

/* The most bytes of a message: MPI counts with int. */
enum { TAG = 0x504e, MESSAGE_BYTES = 1 << 30, FIELDS = sizeof(io_png_strip) / 8 };

_Static_assert(sizeof(io_png_strip) == 8 * 4, "a strip is int64_t and no padding");

/* Sizes of a rank's strips. */
typedef struct share {
    int64_t count, bytes;
} share;

/* State of rank 0 while strips arrive. */
typedef struct arrival {
    int size;
    share *shares;         /* [size] */
    int *counts, *offsets; /* [size]: values of strips, for MPI */
    int nrequests;
    MPI_Request *requests;
    io_png_strips all;
} arrival;

static void arrival_close(arrival *a)
{
    free(a->shares);
    free(a->counts);
    free(a->offsets);
    free(a->requests);
    io_png_strips_clear(&a->all);
}

static int64_t messages_of(int64_t bytes)
{
    return (bytes + MESSAGE_BYTES - 1) / MESSAGE_BYTES;
}

/* Allocates memory for the strips of all ranks, once `shares` is filled in. */
static status make_room(arrival *a)
{
    int64_t messages = 0;
    for (int r = 0; r < a->size; r++) {
        a->offsets[r] = parallel_count(FIELDS * a->all.count);
        a->counts[r] = parallel_count(FIELDS * a->shares[r].count);
        a->all.count += a->shares[r].count;
        a->all.bytes += a->shares[r].bytes;
        messages += messages_of(a->shares[r].bytes);
    }
    a->all.items = malloc((size_t)a->all.count * sizeof *a->all.items + 1);
    a->all.data = malloc((size_t)a->all.bytes + 1);
    a->requests = malloc((size_t)messages * sizeof(MPI_Request) + 1);
    return a->all.items && a->all.data && a->requests
               ? STATUS_OK
               : base_fail_memory((size_t)a->all.bytes, "a compressed picture");
}

/* Allocates rank 0's tables; other ranks need none. */
static status arrival_open(MPI_Comm comm, arrival *a)
{
    *a = (arrival){.size = parallel_rank(comm) == 0 ? parallel_size(comm) : 0};
    const size_t size = (size_t)a->size + 1;
    a->shares = calloc(size, sizeof *a->shares);
    a->counts = calloc(size, sizeof *a->counts);
    a->offsets = calloc(size, sizeof *a->offsets);
    return a->shares && a->counts && a->offsets
               ? STATUS_OK
               : base_fail_memory(size * sizeof *a->shares, "collecting a picture");
}

static void gather_shares(MPI_Comm comm, const io_png_strips *mine, arrival *a)
{
    const share own = {mine->count, mine->bytes};
    MPI_Request request;
    MPI_Igather(&own, 2, MPI_INT64_T, a->shares, 2, MPI_INT64_T, 0, comm, &request);
    parallel_wait(&request);
}

static void gather_items(MPI_Comm comm, const io_png_strips *mine, arrival *a)
{
    MPI_Request request;
    MPI_Igatherv(mine->items, parallel_count(FIELDS * mine->count), MPI_INT64_T,
                 a->all.items, a->counts, a->offsets, MPI_INT64_T, 0, comm, &request);
    parallel_wait(&request);
}

static int message_bytes(int64_t left)
{
    return (int)(left < MESSAGE_BYTES ? left : MESSAGE_BYTES);
}

static void send_data(MPI_Comm comm, const io_png_strips *mine)
{
    for (int64_t at = 0; at < mine->bytes; at += MESSAGE_BYTES) {
        MPI_Request request;
        MPI_Isend(mine->data + at, message_bytes(mine->bytes - at), MPI_BYTE, 0, TAG,
                  comm, &request);
        parallel_wait(&request);
    }
}

/* On rank 0: all ranks may send at once, each to its own place. */
static void receive_data(MPI_Comm comm, const io_png_strips *mine, arrival *a)
{
    int64_t begin = mine->bytes;
    if (begin > 0) {
        memcpy(a->all.data, mine->data, (size_t)begin);
    }
    for (int r = 1; r < a->size; r++) {
        const int64_t bytes = a->shares[r].bytes;
        for (int64_t at = 0; at < bytes; at += MESSAGE_BYTES) {
            MPI_Irecv(a->all.data + begin + at, message_bytes(bytes - at), MPI_BYTE, r,
                      TAG, comm, &a->requests[a->nrequests++]);
        }
        begin += bytes;
    }
    for (int m = 0; m < a->nrequests; m++) {
        parallel_wait(&a->requests[m]);
    }
}

static int by_number(const void *a, const void *b)
{
    const io_png_strip *first = a, *second = b;
    return (first->number > second->number) - (first->number < second->number);
}

/* Converts the strips' offsets in their rank's data to offsets in all data. */
static void put_in_order(arrival *a)
{
    int64_t begin = 0;
    io_png_strip *strip = a->all.items;
    for (int r = 0; r < a->size; r++) {
        for (int64_t n = 0; n < a->shares[r].count; n++, strip++) {
            strip->offset += begin;
        }
        begin += a->shares[r].bytes;
    }
    qsort(a->all.items, (size_t)a->all.count, sizeof *a->all.items, by_number);
}

/* Moves the data. It cannot fail. */
static void move(MPI_Comm comm, const io_png_strips *mine, arrival *a)
{
    gather_items(comm, mine, a);
    if (parallel_rank(comm) != 0) {
        send_data(comm, mine);
        return;
    }
    receive_data(comm, mine, a);
    put_in_order(a);
}

status io_png_strips_collect(MPI_Comm comm, io_png_strips *strips)
{
    arrival a;
    status s = parallel_agree(comm, arrival_open(comm, &a));
    if (s == STATUS_OK) {
        gather_shares(comm, strips, &a);
        s = parallel_agree(comm, make_room(&a));
    }
    if (s == STATUS_OK) {
        move(comm, strips, &a);
    }
    io_png_strips_clear(strips);
    if (s == STATUS_OK && a.size > 0) {
        *strips = a.all;
        a.all = (io_png_strips){0};
    }
    arrival_close(&a);
    return s;
}

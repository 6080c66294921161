#include "pixels.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>

enum { TAG = 0x5058, CONVERTED_AT_ONCE = 1 << 14 /* pixels */ };

/* The ranges of all ranks, on rank 0. */
typedef struct arrival {
    int *counts, *offsets; /* [ranks]: values of ranges, for MPI */
    int64_t nranges;
    io_png_range *ranges; /* [nranges], rank after rank */
} arrival;

static void clear(arrival *a)
{
    free(a->counts);
    free(a->offsets);
    free(a->ranges);
}

/* Writes pixels of a range into bytes, by several threads. */
static void convert(const io_png_share *share, io_png_range range, int threads,
                    uint8_t *bytes)
{
    const int64_t size = io_png_pixel_bytes(share->format);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t at = 0; at < range.npix; at += CONVERTED_AT_ONCE) {
        const int64_t left = range.npix - at;
        share->pixels(share->context, range.pix0 + at,
                      left < CONVERTED_AT_ONCE ? left : CONVERTED_AT_ONCE,
                      bytes + at * size);
    }
}

static status reserve(const io_png_share *share, int ranks, arrival *a, uint8_t **pixels)
{
    const size_t bytes = (size_t)share->width * (size_t)share->height *
                         (size_t)io_png_pixel_bytes(share->format);
    a->counts = calloc((size_t)ranks, sizeof *a->counts);
    a->offsets = calloc((size_t)ranks, sizeof *a->offsets);
    *pixels = malloc(bytes + 1);
    return a->counts && a->offsets && *pixels ? STATUS_OK
                                              : base_fail_memory(bytes, "a picture");
}

/* Collective. Errors: STATUS_MEMORY, on rank 0. */
static status gather_ranges(MPI_Comm comm, const io_png_share *share, arrival *a)
{
    const int ranks = parallel_size(comm);
    const int mine = parallel_count(2 * (int64_t)share->count);
    MPI_Request request;
    MPI_Igather(&mine, 1, MPI_INT, a->counts, 1, MPI_INT, 0, comm, &request);
    parallel_wait(&request);
    int64_t values = 0;
    for (int r = 0; a->counts && r < ranks; r++) {
        a->offsets[r] = parallel_count(values);
        values += a->counts[r];
    }
    a->nranges = values / 2;
    a->ranges = malloc(((size_t)a->nranges + 1) * sizeof *a->ranges);
    status s = a->ranges ? STATUS_OK : base_fail_memory((size_t)values * 8, "a picture");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        MPI_Igatherv(share->ranges, mine, MPI_INT64_T, a->ranges, a->counts, a->offsets,
                     MPI_INT64_T, 0, comm, &request);
        parallel_wait(&request);
    }
    return s;
}

/* Rank 0 receives the ranges of the others, one by one in their order. */
static void receive(MPI_Comm comm, const io_png_share *share, const arrival *a,
                    uint8_t *pixels)
{
    const int64_t size = io_png_pixel_bytes(share->format);
    int64_t n = a->counts[0] / 2;
    for (int rank = 1; rank < parallel_size(comm); rank++) {
        for (int i = 0; i < a->counts[rank] / 2; i++, n++) {
            MPI_Request request;
            MPI_Irecv(pixels + a->ranges[n].pix0 * size,
                      parallel_count(a->ranges[n].npix * size), MPI_BYTE, rank, TAG, comm,
                      &request);
            parallel_wait(&request);
        }
    }
}

static status send(MPI_Comm comm, const io_png_share *share, int threads)
{
    const int64_t size = io_png_pixel_bytes(share->format);
    int64_t most = 1;
    for (int n = 0; n < share->count; n++) {
        most = share->ranges[n].npix > most ? share->ranges[n].npix : most;
    }
    uint8_t *bytes = malloc((size_t)(most * size));
    const status s = parallel_agree(
        comm, bytes ? STATUS_OK : base_fail_memory((size_t)(most * size), "a picture"));
    for (int n = 0; s == STATUS_OK && n < share->count; n++) {
        MPI_Request request;
        convert(share, share->ranges[n], threads, bytes);
        MPI_Isend(bytes, parallel_count(share->ranges[n].npix * size), MPI_BYTE, 0, TAG,
                  comm, &request);
        parallel_wait(&request);
    }
    free(bytes);
    return s;
}

static status collect(MPI_Comm comm, const io_png_share *share, int threads,
                      const arrival *a, uint8_t *pixels)
{
    const int64_t size = io_png_pixel_bytes(share->format);
    const status s = parallel_agree(comm, STATUS_OK);
    for (int n = 0; s == STATUS_OK && n < share->count; n++) {
        convert(share, share->ranges[n], threads, pixels + share->ranges[n].pix0 * size);
    }
    if (s == STATUS_OK) {
        receive(comm, share, a, pixels);
    }
    return s;
}

status io_pixels_gather(MPI_Comm comm, status failed, const io_png_share *share,
                        int threads, uint8_t **pixels)
{
    const bool is_first = parallel_rank(comm) == 0;
    arrival a = {0};
    status s = failed;
    *pixels = NULL;
    if (s == STATUS_OK && is_first) {
        s = reserve(share, parallel_size(comm), &a, pixels);
    }
    s = parallel_agree(comm, s);
    s = s == STATUS_OK ? gather_ranges(comm, share, &a) : s;
    if (s == STATUS_OK) {
        s = is_first ? collect(comm, share, threads, &a, *pixels)
                     : send(comm, share, threads);
    }
    clear(&a);
    if (s != STATUS_OK) {
        free(*pixels);
        *pixels = NULL;
    }
    return s;
}

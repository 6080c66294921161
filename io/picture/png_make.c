/*
 * Compression of a picture whose pixels are on many ranks.
 *
 * Every rank learns which pixels the others have. From that it derives which rank
 * deflates which strips, and which ranks send pixels to which. A rank deflates
 * *stretches*: consecutive strips that begin in its pixels. With three ranks:
 *
 *     strips    |0      |1      |2      |3      |4      |
 *     pixels    aaaaaaaaaaaaabbbbbbbbbbbbbcccccccccccccc
 *     deflated  aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbcccccccc
 *
 * Here a receives the first few pixels of b, and b those of c. A rank also receives the
 * row above each of its stretches. In runs of many ranks, most only send their pixels.
 */
#include "base/array.h"
#include "png_strip.h"

#include "base/parallel/parallel.h"

#include <stdbool.h>
#include <stdlib.h>

enum { TAG = 0x504d, CONVERTED_AT_ONCE = 1 << 14 /* pixels */ };

/* Pixels [pix0, pix1), and the rank that has them. */
typedef struct holding {
    int64_t pix0, pix1;
    int rank;
} holding;

/* Strips [first, end) and the rank that deflates them from the pixels [pix0, pix1). */
typedef struct stretch {
    int64_t first, end;
    int64_t pix0, pix1;
    int rank;
} stretch;

/* Pixels of a holding for a stretch, if this rank has or receives them. */
typedef struct part {
    int64_t pix0, pix1;
    int peer; /* this rank itself: nothing is sent */
    bool is_sent;
    uint8_t *bytes; /* [pix1 - pix0][pixel_bytes] */
} part;

struct io_png_maker {
    MPI_Comm comm;
    int rank, ranks;
    const io_png_share *share; /* while pixels move */
    int width, height, threads;
    int64_t pixel_bytes;
    int *counts, *offsets; /* [ranks]: values of ranges, for MPI */
    int64_t nholdings;
    io_png_range *ranges; /* [nholdings], rank after rank */
    holding *holdings;    /* [nholdings], ascending */
    int64_t nparts;
    part *parts;
    int64_t npixels; /* of all parts */
    int64_t nrows;
    int64_t
        *begins; /* [nrows]: number of pixels of parts before each strip of this rank */
    io_png_rows *rows;     /* [nrows] */
    uint8_t *bytes;        /* of all parts; those of a stretch are contiguous */
    MPI_Request *requests; /* [nparts] */
};

typedef struct io_png_maker maker;

static void maker_close(maker *m)
{
    free(m->counts);
    free(m->offsets);
    free(m->ranges);
    free(m->holdings);
    free(m->parts);
    free(m->begins);
    free(m->rows);
    free(m->bytes);
    free(m->requests);
}

/* ---- Distribution of the pixels ---------------------------------------------------- */

static status make_tables(maker *m)
{
    const size_t ranks = (size_t)m->ranks;
    m->counts = malloc(ranks * sizeof *m->counts);
    m->offsets = malloc(ranks * sizeof *m->offsets);
    return m->counts && m->offsets
               ? STATUS_OK
               : base_fail_memory(ranks * sizeof *m->counts, "compressing a picture");
}

/* Collective. */
static void exchange_counts(maker *m)
{
    const int mine = parallel_count(2 * (int64_t)m->share->count);
    MPI_Request request;
    MPI_Iallgather(&mine, 1, MPI_INT, m->counts, 1, MPI_INT, m->comm, &request);
    parallel_wait(&request);
    int64_t values = 0;
    for (int r = 0; r < m->ranks; r++) {
        m->offsets[r] = parallel_count(values);
        values += m->counts[r];
    }
    m->nholdings = values / 2;
}

static status make_holdings(maker *m)
{
    const size_t count = (size_t)m->nholdings + 1;
    m->ranges = malloc(count * sizeof *m->ranges);
    m->holdings = malloc(count * sizeof *m->holdings);
    return m->ranges && m->holdings
               ? STATUS_OK
               : base_fail_memory(count * sizeof *m->holdings, "compressing a picture");
}

static int by_pixels(const void *a, const void *b)
{
    const holding *first = a, *second = b;
    return (first->pix0 > second->pix0) - (first->pix0 < second->pix0);
}

/* Collective. */
static void exchange_ranges(maker *m)
{
    _Static_assert(sizeof(io_png_range) == 16, "a range is two int64_t");
    MPI_Request request;
    MPI_Iallgatherv(m->share->ranges, m->counts[m->rank], MPI_INT64_T, m->ranges,
                    m->counts, m->offsets, MPI_INT64_T, m->comm, &request);
    parallel_wait(&request);
    int64_t n = 0;
    for (int r = 0; r < m->ranks; r++) {
        for (int i = 0; i < m->counts[r] / 2; i++, n++) {
            const io_png_range *range = &m->ranges[n];
            m->holdings[n] = (holding){range->pix0, range->pix0 + range->npix, r};
        }
    }
    qsort(m->holdings, (size_t)m->nholdings, sizeof *m->holdings, by_pixels);
}

/* Fails unless each pixel is on exactly one rank. The same on all ranks. */
static status check_holdings(const maker *m)
{
    int64_t next = 0, n = 0;
    while (n < m->nholdings && m->holdings[n].pix0 == next &&
           m->holdings[n].pix1 > next) {
        next = m->holdings[n++].pix1;
    }
    if (n == m->nholdings && next == (int64_t)m->width * m->height) {
        return STATUS_OK;
    }
    return base_fail(STATUS_INTERNAL,
                     "a picture of %d x %d pixels cannot be compressed: its pixels do "
                     "not lie each on one rank, from pixel %lld on",
                     m->width, m->height, (long long)next);
}

/* ---- Plan of the messages ---------------------------------------------------------- */

/* Number of pixels above strip `number`; beyond the last strip, all pixels of the
 * picture. */
static int64_t pixels_before(const maker *m, int64_t number)
{
    const int64_t row = number * io_png_strip_rows(m->width);
    const int64_t height = m->height;
    return (row < height ? row : height) * m->width;
}

/* The first holding, from n on, that ends after the pixel. */
static int64_t find_holding(const maker *m, int64_t n, int64_t pixel)
{
    while (m->holdings[n].pix1 <= pixel) {
        n++;
    }
    return n;
}

/* The stretch that begins with strip `first`. *n: the holding of its first pixel; moved
 * on to that of the next stretch. */
static stretch find_stretch(const maker *m, int64_t first, int64_t *n)
{
    const int64_t strips = io_png_strip_count(m->width, m->height);
    const int64_t above = first > 0 ? m->width : 0;
    stretch found = {.first = first, .end = first + 1, .rank = m->holdings[*n].rank};
    for (; found.end < strips; found.end++) {
        *n = find_holding(m, *n, pixels_before(m, found.end));
        if (m->holdings[*n].rank != found.rank) {
            break;
        }
    }
    found.pix0 = pixels_before(m, first) - above;
    found.pix1 = pixels_before(m, found.end);
    return found;
}

static status add_part(maker *m, part p)
{
    m->npixels += p.pix1 - p.pix0;
    return base_array_add(m->parts, m->nparts, p, "compressing a picture");
}

/* Adds the parts of a stretch that this rank has or receives. n: the holding of the first
 * pixel of its first strip. */
static status add_parts(maker *m, const stretch *to, int64_t n)
{
    status s = STATUS_OK;
    while (m->holdings[n].pix0 > to->pix0) {
        n--; /* to the row above */
    }
    for (; s == STATUS_OK && n < m->nholdings && m->holdings[n].pix0 < to->pix1; n++) {
        const holding *h = &m->holdings[n];
        if (h->rank == m->rank || to->rank == m->rank) {
            s = add_part(m, (part){.pix0 = h->pix0 > to->pix0 ? h->pix0 : to->pix0,
                                   .pix1 = h->pix1 < to->pix1 ? h->pix1 : to->pix1,
                                   .peer = h->rank == m->rank ? to->rank : h->rank,
                                   .is_sent = to->rank != m->rank});
        }
    }
    return s;
}

/* Lists the strips of a stretch of this rank. Its parts are added next. */
static void add_rows(maker *m, const stretch *own)
{
    for (int64_t number = own->first; number < own->end; number++) {
        m->rows[m->nrows] = (io_png_rows){.number = number, .format = m->share->format};
        m->begins[m->nrows++] = m->npixels + pixels_before(m, number) - own->pix0;
    }
}

/* Lists strips and parts. Every rank does so in the same order, so that the messages
 * between two ranks match. */
static status list_parts(maker *m)
{
    const int64_t strips = io_png_strip_count(m->width, m->height);
    m->rows = malloc((size_t)strips * sizeof *m->rows);
    m->begins = malloc((size_t)strips * sizeof *m->begins);
    status s = m->rows && m->begins ? STATUS_OK
                                    : base_fail_memory((size_t)strips * sizeof *m->rows,
                                                       "strips of a picture");
    int64_t n = 0;
    for (int64_t first = 0; s == STATUS_OK && first < strips;) {
        const int64_t begin = n;
        const stretch found = find_stretch(m, first, &n);
        if (found.rank == m->rank) {
            add_rows(m, &found);
        }
        s = add_parts(m, &found, begin);
        first = found.end;
    }
    return s;
}

/* Assigns memory to the parts in order, so that the parts of a stretch of this rank are
 * contiguous. */
static status make_room(maker *m)
{
    const size_t bytes = (size_t)(m->pixel_bytes * m->npixels) + 1;
    m->bytes = malloc(bytes);
    m->requests = malloc(((size_t)m->nparts + 1) * sizeof(MPI_Request));
    if (!m->bytes || !m->requests) {
        return base_fail_memory(bytes, "a picture");
    }
    uint8_t *next = m->bytes;
    for (int64_t p = 0; p < m->nparts; p++) {
        m->parts[p].bytes = next;
        next += m->pixel_bytes * (m->parts[p].pix1 - m->parts[p].pix0);
    }
    for (int64_t n = 0; n < m->nrows; n++) {
        m->rows[n].pixels = m->bytes + m->pixel_bytes * m->begins[n];
    }
    return STATUS_OK;
}

/* Local. */
static status plan(maker *m)
{
    status s = check_holdings(m);
    s = s == STATUS_OK ? list_parts(m) : s;
    return s == STATUS_OK ? make_room(m) : s;
}

/* ---- Moving pixels ----------------------------------------------------------------- */

/* Bytes of a part to send: fewer than those of a strip and the row above it. */
static int part_bytes(const maker *m, const part *p)
{
    return parallel_count(m->pixel_bytes * (p->pix1 - p->pix0));
}

static void convert(const maker *m, const part *to)
{
    const io_png_share *share = m->share;
    const int64_t pixels = to->pix1 - to->pix0;
    const int64_t batches = (pixels + CONVERTED_AT_ONCE - 1) / CONVERTED_AT_ONCE;
#pragma omp parallel for num_threads(m->threads) if (m->threads > 1 && batches > 1)
    for (int64_t b = 0; b < batches; b++) {
        const int64_t begin = b * CONVERTED_AT_ONCE;
        const int64_t left = pixels - begin;
        share->pixels(share->context, to->pix0 + begin,
                      left < CONVERTED_AT_ONCE ? left : CONVERTED_AT_ONCE,
                      to->bytes + m->pixel_bytes * begin);
    }
}

static void receive_parts(maker *m)
{
    for (int64_t n = 0; n < m->nparts; n++) {
        const part *p = &m->parts[n];
        m->requests[n] = MPI_REQUEST_NULL;
        if (p->peer != m->rank && !p->is_sent) {
            MPI_Irecv(p->bytes, part_bytes(m, p), MPI_BYTE, p->peer, TAG, m->comm,
                      &m->requests[n]);
        }
    }
}

static void send_parts(maker *m)
{
    for (int64_t n = 0; n < m->nparts; n++) {
        const part *p = &m->parts[n];
        if (p->is_sent) {
            convert(m, p);
            MPI_Isend(p->bytes, part_bytes(m, p), MPI_BYTE, p->peer, TAG, m->comm,
                      &m->requests[n]);
        }
    }
}

/* Moves all parts to their places; cannot fail. Collective. */
static void move_parts(maker *m)
{
    receive_parts(m);
    send_parts(m);
    for (int64_t n = 0; n < m->nparts; n++) {
        if (m->parts[n].peer == m->rank) {
            convert(m, &m->parts[n]);
        }
    }
    for (int64_t n = 0; n < m->nparts; n++) {
        parallel_wait(&m->requests[n]);
    }
}

/* ---- The calls --------------------------------------------------------------------- */

/* Plans the work of each rank; all ranks fail together. Collective. */
static status prepare(maker *m, status failed)
{
    status s = make_tables(m);
    s = parallel_agree(m->comm, failed != STATUS_OK ? failed : s);
    if (s != STATUS_OK) {
        return s;
    }
    exchange_counts(m);
    s = parallel_agree(m->comm, make_holdings(m));
    if (s != STATUS_OK) {
        return s;
    }
    exchange_ranges(m);
    return parallel_agree(m->comm, plan(m));
}

status io_png_strips_begin(MPI_Comm comm, status failed, const io_png_share *share,
                           int threads, io_png_maker **out)
{
    maker m = {.comm = comm,
               .rank = parallel_rank(comm),
               .ranks = parallel_size(comm),
               .share = share,
               .width = share->width,
               .height = share->height,
               .pixel_bytes = io_png_pixel_bytes(share->format),
               .threads = threads};
    *out = malloc(sizeof **out);
    if (failed == STATUS_OK && !*out) {
        failed = base_fail_memory(sizeof **out, "compressing a picture");
    }
    status s = prepare(&m, failed);
    if (s != STATUS_OK) {
        maker_close(&m);
        free(*out);
        *out = NULL;
        return s;
    }
    move_parts(&m);
    m.share = NULL;
    **out = m;
    return STATUS_OK;
}

status io_png_strips_finish(io_png_maker **made, status failed, io_png_strips *strips)
{
    maker *m = *made;
    *strips = (io_png_strips){0};
    status s = failed;
    if (s == STATUS_OK) {
        s = io_png_strips_deflate(m->width, m->height, m->nrows, m->rows, m->threads,
                                  strips);
    }
    s = parallel_agree(m->comm, s);
    if (s != STATUS_OK) {
        io_png_strips_clear(strips);
    }
    maker_close(m);
    free(m);
    *made = NULL;
    return s;
}

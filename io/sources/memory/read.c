/* Reads of memory sources. All ranks tell each other their boxes, then send each other
 * the values. All ranks know all boxes and all parts, so each derives the messages by
 * itself. */
#include "base/parallel/parallel.h"
#include "pack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Boxes ------------------------------------------------------------------------- */

static int64_t box_count(const io_box *box)
{
    return box->n[0] * box->n[1] * box->n[2];
}

/* Number of values that rank `from` has for rank `to`. */
static int64_t count_values(const memory_read *read, int from, int to)
{
    const memory_state *state = read->state;
    int64_t count = 0;
    for (int p = state->first[from]; p < state->first[from + 1]; p++) {
        const io_box both = memory_intersect(read, &state->extents[p], &state->boxes[to]);
        count += box_count(&both);
    }
    return count;
}

/* ---- Packing ----------------------------------------------------------------------- */

/* Packs a box of a part's values, i fastest; returns the end of the output. */
static char *pack(const memory_read *read, const io_memory_part *part, const io_box *box,
                  char *out)
{
    const io_memory_array *array = memory_array_of(read, part);
    for (int64_t k = 0; k < box->n[2]; k++) {
        for (int64_t j = 0; j < box->n[1]; j++) {
            memory_put_values(read, array, memory_row_of(part, array, box, j, k),
                              box->n[0], out);
            out += (size_t)box->n[0] * read->size;
        }
    }
    return out;
}

static void pack_for(const memory_read *read, int to, char *out)
{
    const memory_state *state = read->state;
    const memory_extent *extents = state->extents + state->first[state->rank];
    for (int p = 0; p < state->nparts; p++) {
        const io_box both = memory_intersect(read, &extents[p], &state->boxes[to]);
        out = pack(read, &state->parts[p], &both, out);
    }
}

/* ---- Placing ----------------------------------------------------------------------- */

/* Output of a read on this rank. */
typedef struct memory_target {
    const io_box *wanted;
    uint8_t *filled; /* a bit for each value: the first value written counts */
    char *out;
} memory_target;

/* Index of a row of a box in the target. */
static int64_t target_row(const io_box *wanted, const io_box *box, int64_t j, int64_t k)
{
    return (box->lo[0] - wanted->lo[0]) +
           wanted->n[0] * ((box->lo[1] + j - wanted->lo[1]) +
                           wanted->n[1] * (box->lo[2] + k - wanted->lo[2]));
}

static bool is_filled(const uint8_t *filled, int64_t at)
{
    return filled[at >> 3] >> (at & 7) & 1;
}

/* Marks a value; false if it is marked already. */
static bool fill(const memory_target *target, int64_t at)
{
    if (is_filled(target->filled, at)) {
        return false;
    }
    target->filled[at >> 3] = (uint8_t)(target->filled[at >> 3] | 1u << (at & 7));
    return true;
}

/* Marks n values from `at` on, at least 8, if none of them is marked; false if one may
 * be. */
static bool fill_all(const memory_target *target, int64_t at, int64_t n)
{
    uint8_t *first = target->filled + (at >> 3), *last = target->filled + ((at + n) >> 3);
    const uint8_t head = (uint8_t)(0xffu << (at & 7));
    const uint8_t tail = (uint8_t) ~(0xffu << ((at + n) & 7));
    uint8_t any = (uint8_t)((*first & head) | (*last & tail));
    for (const uint8_t *byte = first + 1; byte < last; byte++) {
        any |= *byte;
    }
    if (any || first == last) {
        return false;
    }
    *first |= head;
    *last |= tail;
    memset(first + 1, 0xff, (size_t)(last - first - 1));
    return true;
}

/* Marks the next run of unfilled values among n from `at` on. The search starts at
 * *first, which becomes the run's first value. Returns the length of the run, 0 at the
 * end. */
static int64_t fill_run(const memory_target *target, int64_t at, int64_t n,
                        int64_t *first)
{
    int64_t i = *first;
    if (i == 0 && n >= 8 && fill_all(target, at, n)) {
        return n;
    }
    while (i < n && is_filled(target->filled, at + i)) {
        i++;
    }
    *first = i;
    while (i < n && fill(target, at + i)) {
        i++;
    }
    return i - *first;
}

/* Writes some of the values received from one part to the target: a box within the box
 * `all` that was sent. */
static void unpack(const memory_read *read, const memory_target *target,
                   const io_box *box, const io_box *all, const char *from)
{
    for (int64_t k = 0; k < box->n[2]; k++) {
        for (int64_t j = 0; j < box->n[1]; j++) {
            const int64_t row = target_row(target->wanted, box, j, k);
            const int64_t first = target_row(all, box, j, k);
            int64_t i = 0, n;
            for (; (n = fill_run(target, row, box->n[0], &i)) > 0; i += n) {
                memcpy(target->out + (size_t)(row + i) * read->size,
                       from + (size_t)(first + i) * read->size, (size_t)n * read->size);
            }
        }
    }
}

/* The same for a part of this rank, directly from its memory. */
static void copy_own(const memory_read *read, const memory_target *target,
                     const io_memory_part *part, const io_box *box)
{
    const io_memory_array *array = memory_array_of(read, part);
    for (int64_t k = 0; k < box->n[2]; k++) {
        for (int64_t j = 0; j < box->n[1]; j++) {
            const int64_t row = target_row(target->wanted, box, j, k);
            const int64_t from = memory_row_of(part, array, box, j, k);
            int64_t i = 0, n;
            for (; (n = fill_run(target, row, box->n[0], &i)) > 0; i += n) {
                memory_put_values(read, array, from + i * array->stride[0], n,
                                  target->out + (size_t)(row + i) * read->size);
            }
        }
    }
}

/* ---- Reading ----------------------------------------------------------------------- */

/* The messages of one read. */
typedef struct memory_exchange {
    int64_t *sent, *received; /* [ranks + 1]: index of each rank's first value */
    char *out, *in;
    const char *kept; /* values received in an earlier read, instead of `in`; or NULL */
    MPI_Request *requests; /* [2 * ranks] */
    uint8_t *filled;       /* a bit for each value that this rank wants */
} memory_exchange;

static void clear(memory_exchange *x)
{
    free(x->sent);
    free(x->received);
    free(x->out);
    free(x->in);
    free(x->requests);
    free(x->filled);
}

/* Allocates the marks of the values that this rank wants. */
static status prepare_marks(const memory_read *read, memory_exchange *x)
{
    const memory_state *state = read->state;
    const size_t wanted = (size_t)box_count(&state->boxes[state->rank]) / 8 + 1;
    x->filled = calloc(wanted, 1);
    return x->filled ? STATUS_OK : base_fail_memory(wanted, "the values of a step");
}

static status prepare(const memory_read *read, memory_exchange *x)
{
    const memory_state *state = read->state;
    const size_t ranks = (size_t)state->ranks;
    *x = (memory_exchange){.sent = malloc((ranks + 1) * sizeof *x->sent),
                           .received = malloc((ranks + 1) * sizeof *x->received),
                           .requests = malloc(2 * ranks * sizeof *x->requests)};
    if (!x->sent || !x->received || !x->requests) {
        return base_fail_memory(ranks * sizeof *x->sent, "the values of a step");
    }
    x->sent[0] = x->received[0] = 0;
    for (int rank = 0; rank < state->ranks; rank++) {
        /* Values on the same rank are not copied twice. */
        const bool other = rank != state->rank;
        x->sent[rank + 1] =
            x->sent[rank] + (other ? count_values(read, state->rank, rank) : 0);
        x->received[rank + 1] =
            x->received[rank] + (other ? count_values(read, rank, state->rank) : 0);
    }
    x->out = malloc((size_t)x->sent[ranks] * read->size + 1);
    x->in = malloc((size_t)x->received[ranks] * read->size + 1);
    return x->out && x->in ? prepare_marks(read, x)
                           : base_fail_memory((size_t)x->received[ranks] * read->size,
                                              "the values of a step");
}

/* Sends every rank the values of its box. Collective. */
static void exchange(MPI_Comm comm, const memory_read *read, memory_exchange *x)
{
    enum { TAG = 71 };
    memory_state *state = read->state;
    int count = 0;
    for (int rank = 0; rank < state->ranks; rank++) {
        const int64_t values = x->received[rank + 1] - x->received[rank];
        if (values > 0) {
            MPI_Irecv(x->in + (size_t)x->received[rank] * read->size,
                      parallel_count(values * (int64_t)read->size), MPI_BYTE, rank, TAG,
                      comm, &x->requests[count++]);
        }
    }
    for (int rank = 0; rank < state->ranks; rank++) {
        const int64_t values = x->sent[rank + 1] - x->sent[rank];
        char *out = x->out + (size_t)x->sent[rank] * read->size;
        if (values > 0) {
            pack_for(read, rank, out);
            state->bytes_sent += values * (int64_t)read->size;
            MPI_Isend(out, parallel_count(values * (int64_t)read->size), MPI_BYTE, rank,
                      TAG, comm, &x->requests[count++]);
        }
    }
    for (int n = 0; n < count; n++) {
        parallel_wait(&x->requests[n]);
    }
    free(x->out);
    x->out = NULL;
}

/* Writes received values to the output: those that parts own, or all; the first parts
 * first. */
static void place_parts(const memory_read *read, const memory_exchange *x,
                        const memory_target *target, bool owned)
{
    const memory_state *state = read->state;
    const int mine = state->first[state->rank], end = state->first[state->rank + 1];
    const char *from = x->kept ? x->kept : x->in;
    for (int p = 0; p < state->first[state->ranks]; p++) {
        const memory_extent *part = &state->extents[p];
        const io_box all = memory_intersect(read, part, target->wanted);
        const io_box box = owned ? memory_intersect_own(read, part, target->wanted) : all;
        if (p >= mine && p < end) {
            copy_own(read, target, &state->parts[p - mine], &box);
        } else {
            unpack(read, target, &box, &all, from);
            from += (size_t)box_count(&all) * read->size;
        }
    }
}

/* Index of the first value of the output that is not written; their number if all are. */
static int64_t find_missing(const memory_target *target)
{
    const int64_t count = box_count(target->wanted);
    int64_t n = 0;
    while (n < count && is_filled(target->filled, n)) {
        n += (n & 7) == 0 && target->filled[n >> 3] == 0xff ? 8 : 1;
    }
    return n < count ? n : count;
}

/* Refuses a value that no part has. */
static status refuse(const io_source *source, const memory_read *read, int64_t n)
{
    const io_box *wanted = &read->state->boxes[read->state->rank];
    const int64_t i = wanted->lo[0] + n % wanted->n[0];
    const int64_t j = wanted->lo[1] + n / wanted->n[0] % wanted->n[1];
    const int64_t k = wanted->lo[2] + n / (wanted->n[0] * wanted->n[1]);
    return base_fail(STATUS_INPUT,
                     "%s: no rank has the %s (%" PRId64 ", %" PRId64 ", %" PRId64
                     ") of block '%s': its parts must cover it%s",
                     source->path, read->in_cells ? "cell" : "vertex", i, j, k,
                     source->catalog.blocks[read->block].name,
                     read->in_cells ? ". Cells between parts that share no vertices have "
                                      "no value: give the fields in elements one layer "
                                      "more (ghosts_after), or let the parts share the "
                                      "plane between them"
                                    : "");
}

/* Writes all received values to the output. */
static status place(const io_source *source, const memory_read *read, memory_exchange *x,
                    void *out)
{
    const memory_state *state = read->state;
    const memory_target target = {&state->boxes[state->rank], x->filled, out};
    int64_t missing = 0;
    for (int pass = 0; pass < 2 && missing < box_count(target.wanted); pass++) {
        place_parts(read, x, &target, pass == 0);
        missing = find_missing(&target);
    }
    return missing == box_count(target.wanted) ? STATUS_OK
                                               : refuse(source, read, missing);
}

/* Reads values as they are, or coordinates relative to an origin (or NULL). Collective,
 * errors as those of io_memory_read. */
static status read_box(io_source *source, int block, int array, const double *origin,
                       const io_box *box, void *out)
{
    memory_state *state = source->state;
    const memory_read read = memory_read_of(source, block, array, origin);
    MPI_Allgather(box, (int)sizeof *box, MPI_BYTE, state->boxes, (int)sizeof *box,
                  MPI_BYTE, source->comm);
    memory_exchange x = {.kept = NULL};
    const memory_asked asked = {block, array, origin, state->boxes};
    const memory_known known =
        array < 0 ? io_memory_kept_find(state->kept, &asked, &x.kept) : MEMORY_FULL;
    status s = known == MEMORY_IS_KEPT ? prepare_marks(&read, &x) : prepare(&read, &x);
    if (s == STATUS_OK && known == MEMORY_SEEN) {
        s = io_memory_kept_prepare(state->kept, &asked);
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK && known != MEMORY_IS_KEPT) {
        exchange(source->comm, &read, &x);
    }
    if (s == STATUS_OK) {
        s = place(source, &read, &x, out);
        if (known == MEMORY_SEEN) {
            io_memory_kept_put(state->kept, x.in);
            x.in = NULL;
        }
    }
    clear(&x);
    return s;
}

status io_memory_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out)
{
    (void)step;
    return read_box(source, block, array, source->origin, box, out);
}

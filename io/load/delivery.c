#include "delivery.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "joints/exchange.h"
#include "share.h"

#include <stdlib.h>
#include <string.h>

/* A record, as it travels: this, then its bytes, filled up to whole words. */
typedef struct head {
    int64_t number;
    int64_t bytes;
} head;

struct io_delivery {
    io_delivery_plan plan;
    int64_t count;
    int64_t *numbers; /* [count] */
    int64_t *begin;   /* [count + 1]: those who hold each number, in `holders` */
    int *holders;     /* ranks */
    int64_t nrecords;
    head **records; /* [nrecords]: to be sent */
    status status;  /* the first failure, the same on all ranks */
};

enum { WORD = sizeof(int64_t) };

static int64_t words_of(int64_t bytes)
{
    return ((int64_t)sizeof(head) + bytes + WORD - 1) / WORD;
}

/* ---- Plan -------------------------------------------------------------------------- */

/* The rank in whose share a brick is. */
static int rank_of(const io_delivery_plan *plan, int64_t number)
{
    const int ranks = parallel_size(plan->comm);
    int rank = (int)(number * ranks / (plan->layout->nbricks + 1));
    int64_t first, end;
    io_load_share(plan->comm, rank, plan->layout, &first, &end);
    while (number >= end) {
        io_load_share(plan->comm, ++rank, plan->layout, &first, &end);
    }
    while (number < first) {
        io_load_share(plan->comm, --rank, plan->layout, &first, &end);
    }
    return rank;
}

/* Whether all bricks of every rank are in its own share. Collective. */
static bool are_shares(const io_delivery_plan *plan, int64_t count,
                       const int64_t *numbers)
{
    int64_t first, end;
    io_load_share(plan->comm, parallel_rank(plan->comm), plan->layout, &first, &end);
    int are = count == 0 || (numbers[0] >= first && numbers[count - 1] < end), all = 0;
    parallel_allreduce(&are, &all, 1, MPI_INT, MPI_LAND, plan->comm);
    return all;
}

typedef struct request {
    int64_t number;
    int64_t rank;
} request;

static int compare_requests(const void *a, const void *b)
{
    const request *x = a, *y = b;
    return x->number != y->number ? (x->number < y->number ? -1 : 1)
                                  : (x->rank > y->rank) - (x->rank < y->rank);
}

/* Lists the bricks that are asked for, and who asks; requests: [total], sorted. */
static status list_requests(io_delivery *d, int64_t total, const request *requests)
{
    const size_t bytes = ((size_t)total + 1) * sizeof *d->numbers;
    d->numbers = malloc(bytes);
    d->begin = malloc(bytes);
    d->holders = malloc(((size_t)total + 1) * sizeof *d->holders);
    if (!d->numbers || !d->begin || !d->holders) {
        return base_fail_memory(bytes, "the list of bricks");
    }
    for (int64_t n = 0; n < total; n++) {
        if (n == 0 || requests[n].number != requests[n - 1].number) {
            d->begin[d->count] = n;
            d->numbers[d->count++] = requests[n].number;
        }
        d->holders[n] = (int)requests[n].rank;
    }
    d->begin[d->count] = total;
    return STATUS_OK;
}

/* Asks the ranks for the bricks of their shares. Collective. */
static status ask(io_delivery *d, int64_t count, const int64_t *numbers)
{
    const int ranks = parallel_size(d->plan.comm);
    const size_t bytes = (size_t)(count + 1) * sizeof(request);
    request *mine = malloc(bytes), *asked = NULL;
    int64_t *counts = calloc(2 * (size_t)ranks, sizeof *counts);
    status s = mine && counts ? STATUS_OK : base_fail_memory(bytes, "the list of bricks");
    s = parallel_agree(d->plan.comm, s);
    for (int64_t n = 0; s == STATUS_OK && n < count; n++) {
        mine[n] = (request){numbers[n], parallel_rank(d->plan.comm)};
        counts[rank_of(&d->plan, numbers[n])]++;
    }
    if (s == STATUS_OK) {
        s = io_exchange(d->plan.comm, sizeof *mine, mine, counts, (void **)&asked,
                        counts + ranks);
    }
    if (s == STATUS_OK) {
        const int64_t total = io_exchange_total(ranks, counts + ranks);
        qsort(asked, (size_t)total, sizeof *asked, compare_requests);
        s = parallel_agree(d->plan.comm, list_requests(d, total, asked));
    }
    free(mine);
    free(asked);
    free(counts);
    return s;
}

status io_delivery_create(const io_delivery_plan *plan, int64_t count,
                          const int64_t *numbers, io_delivery **out)
{
    *out = NULL;
    if (parallel_size(plan->comm) == 1 || io_source_is_in_memory(plan->source) ||
        are_shares(plan, count, numbers)) {
        return STATUS_OK;
    }
    io_delivery *d = calloc(1, sizeof *d);
    status s = d ? STATUS_OK : base_fail_memory(sizeof *d, "the delivery of bricks");
    s = parallel_agree(plan->comm, s);
    if (s == STATUS_OK) {
        d->plan = *plan;
        s = ask(d, count, numbers);
    }
    if (s != STATUS_OK) {
        io_delivery_destroy(&d);
        return s;
    }
    *out = d;
    return STATUS_OK;
}

/* Forgets the records. */
static void clear_records(io_delivery *d)
{
    for (int64_t n = 0; n < d->nrecords; n++) {
        free(d->records[n]);
    }
    d->nrecords = 0;
}

void io_delivery_destroy(io_delivery **delivery)
{
    io_delivery *d = *delivery;
    if (d) {
        clear_records(d);
        free(d->records);
        free(d->numbers);
        free(d->begin);
        free(d->holders);
        free(d);
    }
    *delivery = NULL;
}

int64_t io_delivery_count(const io_delivery *delivery)
{
    return delivery->count;
}

const int64_t *io_delivery_numbers(const io_delivery *delivery)
{
    return delivery->numbers;
}

/* ---- Records ----------------------------------------------------------------------- */

static status append(io_delivery *d, head *record)
{
    return base_array_add(d->records, d->nrecords, record, "the delivery of bricks");
}

status io_delivery_add(io_delivery *delivery, int64_t number, size_t bytes, void **record)
{
    const size_t size = (size_t)words_of((int64_t)bytes) * WORD;
    head *made = malloc(size);
    status s;
    if (!made) {
        return base_fail_memory(size, "the delivery of a brick");
    }
    *made = (head){number, (int64_t)bytes};
    *record = made + 1;
#pragma omp critical(io_delivery)
    s = append(delivery, made);
    if (s != STATUS_OK) {
        free(made);
    }
    return s;
}

/* The ranks that hold a brick: holders[*first] to holders[*end - 1]. */
static void find_holders(const io_delivery *d, int64_t number, int64_t *first,
                         int64_t *end)
{
    int64_t lo = 0, hi = d->count;
    while (hi - lo > 1) {
        const int64_t middle = lo + (hi - lo) / 2;
        *(d->numbers[middle] <= number ? &lo : &hi) = middle;
    }
    *first = d->begin[lo];
    *end = d->begin[lo + 1];
}

/* Copies the records to the words for each rank, or counts words only (to == NULL).
 * at: [ranks], moves on. */
static void pack(const io_delivery *d, int64_t *at, int64_t *to)
{
    for (int64_t n = 0; n < d->nrecords; n++) {
        const head *record = d->records[n];
        const int64_t words = words_of(record->bytes);
        int64_t first, end;
        find_holders(d, record->number, &first, &end);
        for (int64_t holder = first; holder < end; holder++) {
            int64_t *place = &at[d->holders[holder]];
            if (to) {
                memcpy(to + *place, record, (size_t)words * WORD);
            }
            *place += words;
        }
    }
}

/* Puts all records into `*words`, in the order of ranks; to: [ranks] words for each. */
static status pack_all(const io_delivery *d, int64_t *to, int64_t **words)
{
    const int ranks = parallel_size(d->plan.comm);
    int64_t *at = malloc((size_t)ranks * sizeof *at);
    pack(d, to, NULL);
    const size_t bytes = ((size_t)io_exchange_total(ranks, to) + 1) * WORD;
    *words = malloc(bytes);
    if (!at || !*words) {
        free(at);
        return base_fail_memory(bytes, "the delivery of bricks");
    }
    int64_t sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
        at[rank] = sum;
        sum += to[rank];
    }
    pack(d, at, *words);
    free(at);
    return STATUS_OK;
}

/* Hands the records over that came: `total` words. */
static status hand_over(const io_delivery *d, int64_t total, const int64_t *words)
{
    int64_t count = 0;
    for (int64_t at = 0; at < total; at += words_of(words[at + 1])) {
        count++;
    }
    const size_t bytes = ((size_t)count + 1) * sizeof(int64_t);
    int64_t *begin = malloc(bytes);
    if (!begin) {
        return base_fail_memory(bytes, "the delivery of bricks");
    }
    count = 0;
    for (int64_t at = 0; at < total; at += words_of(words[at + 1])) {
        begin[count++] = at;
    }
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < count; n++) {
        const int64_t *record = words + begin[n];
        d->plan.take(d->plan.context, record[0], record + sizeof(head) / WORD);
    }
    free(begin);
    return STATUS_OK;
}

/* Collective. */
static status send(io_delivery *d)
{
    const int ranks = parallel_size(d->plan.comm);
    int64_t *counts = calloc(2 * (size_t)ranks, sizeof *counts);
    int64_t *words = NULL, *received = NULL;
    status s = counts ? pack_all(d, counts, &words)
                      : base_fail_memory(2 * (size_t)ranks * sizeof *counts,
                                         "the delivery of bricks");
    clear_records(d);
    s = parallel_agree(d->plan.comm, s);
    if (s == STATUS_OK) {
        s = io_exchange(d->plan.comm, WORD, words, counts, (void **)&received,
                        counts + ranks);
    }
    free(words);
    if (s == STATUS_OK) {
        s = parallel_agree(
            d->plan.comm,
            hand_over(d, io_exchange_total(ranks, counts + ranks), received));
    }
    free(received);
    free(counts);
    return s;
}

status io_delivery_send(io_delivery *delivery)
{
    if (delivery->status == STATUS_OK) {
        delivery->status = send(delivery);
    }
    return delivery->status;
}

#include "exchange.h"

#include "base/array.h"
#include "base/parallel/parallel.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Crowds ------------------------------------------------------------------------ */

static status reserve(trace_crowd *crowd, int64_t count)
{
    if (count > crowd->capacity) {
        trace_particle *more =
            base_array_grow(crowd->items, &crowd->capacity, count, sizeof *more);
        if (!more) {
            return base_fail_memory((size_t)count * sizeof *more, "particles");
        }
        crowd->items = more;
    }
    return STATUS_OK;
}

status trace_crowd_add(trace_crowd *crowd, const trace_particle *particle)
{
    status s = reserve(crowd, crowd->count + 1);
    if (s == STATUS_OK) {
        crowd->items[crowd->count++] = *particle;
    }
    return s;
}

void trace_crowd_clear(trace_crowd *crowd)
{
    free(crowd->items);
    *crowd = (trace_crowd){0};
}

/* ---- Bricks ------------------------------------------------------------------------ */

static status check_holders(const grid_layout *layout, int nobody, int *holders)
{
    for (int64_t brick = 0; brick < layout->nbricks; brick++) {
        if (holders[brick] != nobody) {
            continue;
        }
        holders[brick] = -1;
        if (layout->bricks[brick].cells > 0) {
            return base_fail(STATUS_INTERNAL,
                             "no rank holds brick %lld, which particles may come to",
                             (long long)brick);
        }
    }
    return STATUS_OK;
}

status trace_exchange_holders(MPI_Comm comm, const grid_store *store, int **holders)
{
    const int64_t count = store->layout->nbricks;
    const int rank = parallel_rank(comm), nobody = INT_MAX;
    const size_t bytes = ((size_t)count + 1) * sizeof(int);
    int *mine = malloc(bytes), *all = malloc(bytes);
    status s = mine && all ? STATUS_OK : base_fail_memory(bytes, "who holds which brick");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        for (int64_t brick = 0; brick < count; brick++) {
            mine[brick] = store->slot[brick] >= 0 ? rank : nobody;
        }
        parallel_allreduce(mine, all, parallel_count(count), MPI_INT, MPI_MIN, comm);
        s = check_holders(store->layout, nobody, all);
    }
    free(mine);
    if (s != STATUS_OK) {
        free(all);
        return s;
    }
    *holders = all;
    return STATUS_OK;
}

/* ---- Rounds ------------------------------------------------------------------------ */

/* State shared by all rounds. */
typedef struct traffic {
    MPI_Comm comm;
    int size;
    MPI_Datatype type; /* of a particle */
    int *leave,
        *come; /* [size]: number of particles sent to each rank and received from it */
    int *leave_at, *come_at; /* [size]: index of the first of them */
    trace_crowd sent, stay;  /* particles to send, by ranks; particles that stay */
    int *where; /* [capacity]: destination rank of each particle, -1: it stays */
    int64_t capacity;
} traffic;

static status open_traffic(MPI_Comm comm, traffic *t)
{
    *t = (traffic){.comm = comm, .size = parallel_size(comm)};
    t->leave = calloc(4 * (size_t)t->size, sizeof *t->leave);
    status s =
        t->leave ? STATUS_OK : base_fail_memory((size_t)t->size, "particles that travel");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(t->leave);
        return s;
    }
    t->come = t->leave + t->size;
    t->leave_at = t->come + t->size;
    t->come_at = t->leave_at + t->size;
    MPI_Type_contiguous((int)sizeof(trace_particle), MPI_BYTE, &t->type);
    MPI_Type_commit(&t->type);
    return STATUS_OK;
}

static void close_traffic(traffic *t)
{
    MPI_Type_free(&t->type);
    trace_crowd_clear(&t->sent);
    free(t->leave);
    free(t->where);
}

static status reserve_where(traffic *t, int64_t count)
{
    if (count > t->capacity) {
        int *more = base_array_grow(t->where, &t->capacity, count, sizeof *more);
        if (!more) {
            return base_fail_memory((size_t)count * sizeof *more,
                                    "particles that travel");
        }
        t->where = more;
    }
    return STATUS_OK;
}

/* Advances the particles of this rank as far as possible, and finds their next ranks. */
static status advance_all(traffic *t, const int *holders, const trace_rule *rule,
                          trace_crowd *crowd, trace_records *records)
{
    memset(t->leave, 0, (size_t)t->size * sizeof *t->leave);
    status s = reserve_where(t, crowd->count);
    for (int64_t n = 0; n < crowd->count && s == STATUS_OK; n++) {
        int64_t needed = -1;
        bool stays = trace_particle_advance(rule, &crowd->items[n], records, &needed);
        t->where[n] = stays ? -1 : holders[needed];
        if (!stays) {
            t->leave[holders[needed]]++;
        }
    }
    if (s == STATUS_OK && records->failed) {
        s = base_fail_memory((size_t)records->count * sizeof *records->items,
                             "the ways of particles");
    }
    return s;
}

/* Finds the index of each rank's first particle; returns the total. */
static int64_t sum_up(int size, const int *count, int *at)
{
    int64_t sum = 0;
    for (int rank = 0; rank < size; rank++) {
        at[rank] = parallel_count(sum);
        sum += count[rank];
    }
    return sum;
}

/* Moves the particles that leave from the crowd to t->sent, sorted by ranks. */
static void sort_out(traffic *t, trace_crowd *crowd)
{
    int64_t stay = 0;
    for (int64_t n = 0; n < crowd->count; n++) {
        const int to = t->where[n];
        if (to < 0) {
            crowd->items[stay++] = crowd->items[n];
        } else {
            t->sent.items[t->leave_at[to]++] = crowd->items[n];
        }
    }
    crowd->count = stay;
    for (int rank = 0; rank < t->size; rank++) {
        t->leave_at[rank] -= t->leave[rank];
    }
}

/* Sends and receives. All ranks call it if any particle travels. */
static status travel(traffic *t, trace_crowd *crowd)
{
    MPI_Request request;
    MPI_Ialltoall(t->leave, 1, MPI_INT, t->come, 1, MPI_INT, t->comm, &request);
    parallel_wait(&request);
    const int64_t leaving = sum_up(t->size, t->leave, t->leave_at);
    const int64_t coming = sum_up(t->size, t->come, t->come_at);
    status s = reserve(&t->sent, leaving);
    if (s == STATUS_OK) {
        s = reserve(crowd, crowd->count - leaving + coming);
    }
    s = parallel_agree(t->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    sort_out(t, crowd);
    MPI_Ialltoallv(t->sent.items, t->leave, t->leave_at, t->type,
                   crowd->items + crowd->count, t->come, t->come_at, t->type, t->comm,
                   &request);
    parallel_wait(&request);
    crowd->count += coming;
    return STATUS_OK;
}

status trace_exchange_run(MPI_Comm comm, const int *holders, const trace_rule *rule,
                          trace_crowd *crowd, trace_records *records)
{
    traffic t;
    status s = open_traffic(comm, &t);
    if (s != STATUS_OK) {
        return s;
    }
    /* This loop ends: a particle makes a bounded number of steps, each of which visits a
     * bounded number of cells and bricks. */
    for (int64_t travellers = 1; s == STATUS_OK && travellers > 0;) {
        s = parallel_agree(comm, advance_all(&t, holders, rule, crowd, records));
        if (s == STATUS_OK) {
            const int64_t mine = sum_up(t.size, t.leave, t.leave_at);
            parallel_allreduce(&mine, &travellers, 1, MPI_INT64_T, MPI_SUM, comm);
            s = travellers > 0 ? travel(&t, crowd) : STATUS_OK;
        }
    }
    close_traffic(&t);
    return s;
}

/* ---- Gathering --------------------------------------------------------------------- */

static status gather_items(MPI_Comm comm, size_t size, const int *counts, int *at,
                           const void *items, void *all)
{
    MPI_Datatype type;
    MPI_Request request;
    MPI_Type_contiguous(parallel_count((int64_t)size), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    sum_up(parallel_size(comm), counts, at);
    MPI_Iallgatherv(items, counts[parallel_rank(comm)], type, all, counts, at, type, comm,
                    &request);
    parallel_wait(&request);
    MPI_Type_free(&type);
    return STATUS_OK;
}

status trace_exchange_gather(MPI_Comm comm, size_t size, int64_t count, const void *items,
                             int64_t *total, void **all)
{
    const int ranks = parallel_size(comm);
    int64_t sum = 0;
    parallel_allreduce(&count, &sum, 1, MPI_INT64_T, MPI_SUM, comm);
    const size_t bytes = ((size_t)sum + 1) * size;
    int *counts = sum <= INT_MAX ? calloc(2 * (size_t)ranks, sizeof *counts) : NULL;
    void *gathered = counts ? malloc(bytes) : NULL;
    status s = gathered ? STATUS_OK : base_fail_memory(bytes, "the ways of particles");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        MPI_Request request;
        const int mine = (int)count;
        MPI_Iallgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, comm, &request);
        parallel_wait(&request);
        s = gather_items(comm, size, counts, counts + ranks, items, gathered);
    }
    free(counts);
    if (s != STATUS_OK) {
        free(gathered);
        return s;
    }
    *total = sum;
    *all = gathered;
    return STATUS_OK;
}

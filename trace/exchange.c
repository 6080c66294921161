#include "exchange.h"

#include "base/array.h"
#include "base/parallel/parallel.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- Crowds ------------------------------------------------------------------------ */

static status reserve_items(trace_crowd *crowd, int64_t count)
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

static status reserve(trace_crowd *crowd, int64_t count)
{
    status s = reserve_items(crowd, count);
    const int64_t blocks = (crowd->capacity + TRACE_LANES - 1) / TRACE_LANES;
    return s == STATUS_OK ? trace_lanes_reserve(&crowd->lanes, blocks) : s;
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
    trace_lanes_clear(&crowd->lanes);
    *crowd = (trace_crowd){0};
}

static trace_lanes *lanes_of(const trace_crowd *crowd, int64_t n)
{
    return &crowd->lanes.of[n / TRACE_LANES];
}

trace_particle trace_crowd_get(const trace_crowd *crowd, int64_t n)
{
    trace_particle p = crowd->items[n];
    if (trace_lanes_has(&crowd->lanes, n)) {
        trace_lanes_read(lanes_of(crowd, n), (int)(n % TRACE_LANES), crowd->time, &p);
    }
    return p;
}

/* Takes a particle without a lane out: the last one gets its place. */
static void take_out(trace_crowd *crowd, int64_t n)
{
    const int64_t last = --crowd->count;
    if (n < last) {
        crowd->items[n] = crowd->items[last];
    }
    if (trace_lanes_has(&crowd->lanes, last)) {
        trace_lanes_move(lanes_of(crowd, last), (int)(last % TRACE_LANES),
                         lanes_of(crowd, n), (int)(n % TRACE_LANES));
    }
}

int64_t trace_crowd_drop_ended(trace_crowd *crowd)
{
    const int64_t all = crowd->count;
    for (int64_t n = all - 1; n >= 0; n--) {
        if (crowd->items[n].state == TRACE_ENDED) {
            take_out(crowd, n);
        }
    }
    crowd->ended = 0;
    return all - crowd->count;
}

/* Lets all particles leave their lanes. */
static void empty_lanes(trace_crowd *crowd)
{
    for (int64_t n = 0; n < crowd->count; n++) {
        if (trace_lanes_has(&crowd->lanes, n)) {
            trace_lanes_leave(lanes_of(crowd, n), (int)(n % TRACE_LANES), crowd->time,
                              &crowd->items[n]);
        }
    }
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

/* Particles that travel. */
typedef struct traffic {
    MPI_Comm comm;
    int size;
    MPI_Datatype type; /* of a particle */
    int *leave,
        *come; /* [size]: number of particles sent to each rank and received from it */
    int *leave_at, *come_at; /* [size]: index of the first of them */
    trace_crowd sent;        /* particles to send, by ranks */
} traffic;

/* Does nothing if it is open. Collective. */
static status open_traffic(MPI_Comm comm, traffic *t)
{
    if (t->leave) {
        return STATUS_OK;
    }
    *t = (traffic){.comm = comm, .size = parallel_size(comm)};
    t->leave = calloc(4 * (size_t)t->size, sizeof *t->leave);
    status s =
        t->leave ? STATUS_OK : base_fail_memory((size_t)t->size, "particles that travel");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        free(t->leave);
        t->leave = NULL;
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
    if (t->leave) {
        MPI_Type_free(&t->type);
        trace_crowd_clear(&t->sent);
        free(t->leave);
    }
}

/* Particles that are advanced together, and what becomes of them. */
typedef struct journey {
    const int *holders;
    const trace_rule *rule;
    trace_crowd *crowd;
    bool is_short; /* particles may make short steps */
} journey;

typedef struct fates {
    int64_t leaving; /* they must travel */
    int64_t ended;
} fates;

/* Advances a particle that has no lane, and counts it. */
static void advance_one(const journey *j, int64_t n, trace_records *records, fates *sum)
{
    trace_particle *p = &j->crowd->items[n];
    int64_t needed = -1;
    const bool stays = p->state == TRACE_ARRIVED && !trace_particle_goes_on(j->rule, p);
    if (!stays && !trace_particle_advance(j->rule, p, records, &needed)) {
        p->to = j->holders[needed];
        sum->leaving++;
    } else if (j->is_short) {
        trace_adams_enter(j->rule, n, j->crowd->items, &j->crowd->lanes);
    }
    sum->ended += p->state == TRACE_ENDED;
}

/* Advances particles `begin` to `end` - 1 as far as possible. */
static fates advance(const journey *j, int64_t begin, int64_t end, trace_records *records)
{
    const trace_crowd *crowd = j->crowd;
    fates sum = {0, 0};
    if (j->is_short) {
        trace_adams_move(j->rule, begin, end, crowd->items, &crowd->lanes, records);
    }
    for (int64_t n = begin; n < end; n++) {
        if (n % TRACE_LANES == 0 && trace_lanes_are_full(&crowd->lanes, n)) {
            n += TRACE_LANES - 1;
        } else if (!trace_lanes_has(&crowd->lanes, n)) {
            advance_one(j, n, records, &sum);
        }
    }
    return sum;
}

/* Appends a thread's records to those of all. */
static void append(const trace_records *mine, trace_records *all)
{
    for (int64_t n = 0; n < mine->count; n++) {
        trace_records_add(all, &mine->items[n]);
    }
    all->failed |= mine->failed;
}

/* Advances the particles from `first` on with all threads. Returns the number of those
 * that must travel. */
static int64_t advance_all(const journey *j, int64_t first, trace_records *records)
{
    enum { SHARE = 512 }; /* particles that are worth a thread's time */
    const int64_t count = j->crowd->count;
    const int64_t begin = first / SHARE, end = (count + SHARE - 1) / SHARE;
    int64_t leaving = 0, ended = 0;
    if (count - first < 2 * SHARE || omp_get_max_threads() == 1) {
        const fates all = advance(j, first, count, records);
        j->crowd->ended += all.ended;
        return all.leaving;
    }
#pragma omp parallel reduction(+ : leaving, ended)
    {
        trace_records mine = {0};
#pragma omp for schedule(dynamic)
        for (int64_t n = begin; n < end; n++) {
            const int64_t from = n > begin ? n * SHARE : first;
            const int64_t to = n + 1 < end ? (n + 1) * SHARE : count;
            const fates some = advance(j, from, to, &mine);
            leaving += some.leaving;
            ended += some.ended;
        }
#pragma omp critical(trace_records)
        append(&mine, records);
        trace_records_clear(&mine);
    }
    j->crowd->ended += ended;
    return leaving;
}

static status fail_records(const trace_records *records)
{
    return base_fail_memory((size_t)records->count * sizeof *records->items,
                            "the ways of particles");
}

/* Counts the particles that leave for each rank. */
static void count_leaving(traffic *t, const trace_crowd *crowd)
{
    memset(t->leave, 0, (size_t)t->size * sizeof *t->leave);
    for (int64_t n = 0; n < crowd->count; n++) {
        if (crowd->items[n].to >= 0) {
            t->leave[crowd->items[n].to]++;
        }
    }
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
    for (int64_t n = crowd->count - 1; n >= 0; n--) {
        const int64_t to = crowd->items[n].to;
        if (to >= 0) {
            crowd->items[n].to = -1;
            t->sent.items[t->leave_at[to]++] = crowd->items[n];
            take_out(crowd, n);
        }
    }
    for (int rank = 0; rank < t->size; rank++) {
        t->leave_at[rank] -= t->leave[rank];
    }
}

/* Sends and receives; *first: the first of those that have come. All ranks call it if any
 * particle travels. */
static status travel(traffic *t, trace_crowd *crowd, int64_t *first)
{
    MPI_Request request;
    count_leaving(t, crowd);
    MPI_Ialltoall(t->leave, 1, MPI_INT, t->come, 1, MPI_INT, t->comm, &request);
    parallel_wait(&request);
    const int64_t leaving = sum_up(t->size, t->leave, t->leave_at);
    const int64_t coming = sum_up(t->size, t->come, t->come_at);
    status s = reserve_items(&t->sent, leaving);
    if (s == STATUS_OK) {
        s = reserve(crowd, crowd->count - leaving + coming);
    }
    s = parallel_agree(t->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    sort_out(t, crowd);
    *first = crowd->count;
    MPI_Ialltoallv(t->sent.items, t->leave, t->leave_at, t->type,
                   crowd->items + crowd->count, t->come, t->come_at, t->type, t->comm,
                   &request);
    parallel_wait(&request);
    crowd->count += coming;
    return STATUS_OK;
}

/* Lets particles leave their lanes if these cannot go on. */
static journey set_out(const int *holders, const trace_rule *rule, trace_crowd *crowd)
{
    const journey j = {holders, rule, crowd, trace_adams_suits(rule)};
    if (!j.is_short || crowd->time != rule->before) {
        empty_lanes(crowd);
    }
    crowd->ended = 0;
    return j;
}

status trace_exchange_run(MPI_Comm comm, const int *holders, const trace_rule *rule,
                          trace_crowd *crowd, trace_records *records)
{
    const journey j = set_out(holders, rule, crowd);
    traffic t = {.leave = NULL};
    status s = STATUS_OK;
    int64_t first = 0;
    /* This loop ends: a particle makes a bounded number of steps, each of which visits a
     * bounded number of cells and bricks. */
    for (bool goes_on = true; goes_on;) {
        int64_t all[2];
        const int64_t leaving = advance_all(&j, first, records);
        const int64_t mine[2] = {records->failed, leaving};
        first = crowd->count;
        parallel_allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, comm);
        if (all[0] > 0) {
            s = parallel_agree(comm, records->failed ? fail_records(records) : STATUS_OK);
        } else if (all[1] > 0) {
            s = open_traffic(comm, &t);
            s = s == STATUS_OK ? travel(&t, crowd, &first) : s;
        }
        goes_on = s == STATUS_OK && all[1] > 0;
    }
    crowd->time = rule->end;
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

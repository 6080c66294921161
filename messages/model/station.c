#include "station.h"

#include <math.h>
#include <stdlib.h>

static const char *const PURPOSE = "the simulation of a schedule";

/* Jobs of one flow, [next, end) of the list. */
typedef struct simulate_flow {
    int64_t next, end;
    double at; /* in a heap: the key by which it is sorted */
} flow;

/* ---- The time that a station has left ---------------------------------------------- */

double simulate_station_left(const simulate_station *station, double t)
{
    double taken = 0;
    for (int i = 0; i < station->nbusy && station->busy[i].begin < t; i++) {
        const double end = station->busy[i].end < t ? station->busy[i].end : t;
        taken += station->busy[i].share * (end - station->busy[i].begin);
    }
    return t - taken;
}

/* The time at which the station has had `left` left: the first such time, or the last. */
static double to_time(const simulate_station *station, double left, bool is_last)
{
    double taken = 0; /* before the present busy time */
    for (int i = 0; i < station->nbusy; i++) {
        const simulate_busy *busy = &station->busy[i];
        const double here = busy->begin - taken; /* left at its begin */
        const double rounding = 1e-13 * busy->begin;
        if (is_last ? left < here - rounding : left <= here) {
            break;
        }
        const double length = busy->end - busy->begin;
        const double more = (1 - busy->share) * length; /* left within it */
        const double within = fmax(left - here, 0);
        if (is_last ? within < more : within <= more) {
            return busy->begin + within / (1 - busy->share);
        }
        taken += busy->share * length;
    }
    return left + taken;
}

/* Joins two neighbours: their work is spread over the time from the first to the last. So
 * the time between them is not lost to later rounds, as in a pipeline. */
static void join(simulate_station *station, int first)
{
    simulate_busy *a = &station->busy[first], *b = a + 1;
    const double taken = a->share * (a->end - a->begin) + b->share * (b->end - b->begin);
    a->end = b->end;
    a->share = fmin(1, taken / (a->end - a->begin));
    station->nbusy--;
    for (int i = first + 1; i < station->nbusy; i++) {
        station->busy[i] = station->busy[i + 1];
    }
}

/* The neighbours with the narrowest gap; of equal ones, those that are equally busy. */
static int find_narrowest(const simulate_station *station, int count)
{
    int narrowest = 0;
    double least = INFINITY, least_change = INFINITY;
    for (int i = 0; i + 1 < count; i++) {
        const simulate_busy *a = &station->busy[i], *b = a + 1;
        const double gap = b->begin - a->end;
        const double change = fabs(a->share - b->share);
        if (gap < least || (gap <= least && change < least_change)) {
            least = gap;
            least_change = change;
            narrowest = i;
        }
    }
    return narrowest;
}

/* A station in the making, with room for the pieces of one more busy time. */
typedef struct pieces {
    simulate_busy items[2 * SIMULATE_MOST_BUSY + 2];
    int count;
} pieces;

static void add_piece(pieces *to, double begin, double end, double share)
{
    simulate_busy *last = to->count > 0 ? &to->items[to->count - 1] : NULL;
    if (end <= begin || share <= 0) {
        return;
    }
    share = share > 1 - 1e-9 ? 1 : share;
    if (last && begin <= last->end && share == last->share) {
        last->end = end;
    } else {
        to->items[to->count++] = (simulate_busy){begin, end, share};
    }
}

/* Keeps the pieces; joins them until they are few enough. */
static void keep_pieces(simulate_station *station, pieces *from)
{
    simulate_station all = {0};
    for (int i = 0; i < from->count; i++) {
        if (all.nbusy == SIMULATE_MOST_BUSY) {
            /* Join among those so far, or the last of them with this one. */
            const int at = find_narrowest(&all, all.nbusy);
            const double gap = all.busy[at + 1].begin - all.busy[at].end;
            simulate_busy *last = &all.busy[all.nbusy - 1];
            if (from->items[i].begin - last->end < gap) {
                const simulate_station pair = {2, {*last, from->items[i]}};
                simulate_station joined = pair;
                join(&joined, 0);
                *last = joined.busy[0];
                continue;
            }
            join(&all, at);
        }
        all.busy[all.nbusy++] = from->items[i];
    }
    *station = all;
}

/* Takes this share of what is left between two times. */
static void take_share(simulate_station *station, double begin, double end, double share)
{
    pieces made = {.count = 0};
    double at = begin; /* the part from here on is not made yet */
    for (int i = 0; i < station->nbusy; i++) {
        const simulate_busy *busy = &station->busy[i];
        if (busy->end <= begin || busy->begin >= end) {
            if (busy->begin >= end) {
                add_piece(&made, at, end, share);
                at = fmax(at, end);
            }
            add_piece(&made, busy->begin, busy->end, busy->share);
            continue;
        }
        const double from = fmax(busy->begin, begin), to = fmin(busy->end, end);
        add_piece(&made, at, from, share);
        add_piece(&made, busy->begin, from, busy->share);
        add_piece(&made, from, to, busy->share + (1 - busy->share) * share);
        add_piece(&made, to, busy->end, busy->share);
        at = to;
    }
    add_piece(&made, at, end, share);
    keep_pieces(station, &made);
}

void simulate_station_take(simulate_station *station, double begin, double end,
                           double work)
{
    const double left =
        simulate_station_left(station, end) - simulate_station_left(station, begin);
    if (end > begin && left > 0) {
        take_share(station, begin, end, fmin(1, work / left));
    }
}

void simulate_station_free(simulate_station *station, double share)
{
    for (int i = 0; i < station->nbusy; i++) {
        station->busy[i].share *= share;
    }
}

/* ---- Heaps of flows ---------------------------------------------------------------- */

static bool is_before(const flow *flows, int64_t a, int64_t b)
{
    return flows[a].at < flows[b].at || (flows[a].at == flows[b].at && a < b);
}

static void heap_push(const flow *flows, int64_t *heap, int64_t *count, int64_t item)
{
    int64_t at = (*count)++;
    while (at > 0 && is_before(flows, item, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

static int64_t heap_pop(const flow *flows, int64_t *heap, int64_t *count)
{
    const int64_t top = heap[0];
    const int64_t item = heap[--*count];
    int64_t at = 0;
    for (int64_t child = 1; child < *count; child = 2 * at + 1) {
        if (child + 1 < *count && is_before(flows, heap[child + 1], heap[child])) {
            child++;
        }
        if (is_before(flows, item, heap[child])) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return top;
}

/* ---- Periods ----------------------------------------------------------------------- */

static status append_period(simulate_scratch *scratch, double begin, double end)
{
    simulate_busy *last =
        scratch->nperiods > 0 ? &scratch->periods[scratch->nperiods - 1] : NULL;
    if (last && begin <= last->end) {
        last->end = fmax(last->end, end);
        return STATUS_OK;
    }
    const status s = composite_memory_grow(scratch->memory, &scratch->periods,
                                           &scratch->periods_capacity,
                                           scratch->nperiods + 1, sizeof *last, PURPOSE);
    if (s == STATUS_OK) {
        scratch->periods[scratch->nperiods++] = (simulate_busy){begin, end, 1};
    }
    return s;
}

/* Adds the periods, which are on the scale of available time, to the station. */
static void keep_periods(simulate_station *station, const simulate_scratch *scratch)
{
    const simulate_station before = *station;
    for (int64_t i = 0; i < scratch->nperiods; i++) {
        const simulate_busy *period = &scratch->periods[i];
        take_share(station, to_time(&before, period->begin, true),
                   to_time(&before, period->end, false), 1);
    }
}

/* ---- One after another ------------------------------------------------------------- */

/* The server that is free first. */
static int find_server(const double *servers, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++) {
        best = servers[i] < servers[best] ? i : best;
    }
    return best;
}

static status serve_fifo(int servers, simulate_job *jobs, int64_t count,
                         simulate_scratch *scratch)
{
    status s = composite_memory_grow(scratch->memory, &scratch->servers,
                                     &scratch->servers_capacity, servers,
                                     sizeof *scratch->servers, PURPOSE);
    if (s != STATUS_OK) {
        return s;
    }
    int64_t waiting = 0;
    for (int64_t i = 0; i < count; i++) {
        scratch->flows[i] = (flow){i, i + 1, jobs[i].release};
        heap_push(scratch->flows, scratch->waiting, &waiting, i);
    }
    for (int i = 0; i < servers; i++) {
        scratch->servers[i] = -INFINITY;
    }
    while (waiting > 0 && s == STATUS_OK) {
        simulate_job *job = &jobs[heap_pop(scratch->flows, scratch->waiting, &waiting)];
        double *server = &scratch->servers[find_server(scratch->servers, servers)];
        job->start = fmax(job->release, *server);
        job->finish = *server = job->start + job->work;
        s = append_period(scratch, job->start, job->finish);
    }
    return s;
}

/* ---- All at once ------------------------------------------------------------------- */

/* The state of a station that serves its flows in equal shares. `served` is the work that
 * each active flow has had since the beginning: it grows by `share` a second. */
typedef struct sharing {
    simulate_job *jobs;
    simulate_scratch *scratch;
    int servers;
    int64_t active, waiting; /* flows in the two heaps */
    double now, served;
} sharing;

static double share_of(const sharing *at)
{
    return at->active > at->servers ? (double)at->servers / (double)at->active : 1;
}

/* Lets a flow wait for its next job, if it has one. */
static void wait_for_job(sharing *at, int64_t number)
{
    flow *f = &at->scratch->flows[number];
    if (f->next < f->end) {
        f->at = at->jobs[f->next].release;
        heap_push(at->scratch->flows, at->scratch->waiting, &at->waiting, number);
    }
}

/* Begins the next job of the flow that is released first. */
static void begin_job(sharing *at)
{
    flow *flows = at->scratch->flows;
    const int64_t number = heap_pop(flows, at->scratch->waiting, &at->waiting);
    simulate_job *job = &at->jobs[flows[number].next];
    job->start = at->now;
    flows[number].at = at->served + job->work;
    heap_push(flows, at->scratch->heap, &at->active, number);
}

static void end_job(sharing *at)
{
    flow *flows = at->scratch->flows;
    const int64_t number = heap_pop(flows, at->scratch->heap, &at->active);
    at->jobs[flows[number].next++].finish = at->now;
    wait_for_job(at, number);
}

/* Goes on to the next moment at which a job begins or ends. */
static status advance(sharing *at)
{
    const simulate_scratch *scratch = at->scratch;
    const double release =
        at->waiting > 0 ? scratch->flows[scratch->waiting[0]].at : INFINITY;
    if (at->active == 0) {
        at->now = fmax(at->now, release);
        begin_job(at);
        return STATUS_OK;
    }
    const double share = share_of(at);
    const double wanted = scratch->flows[scratch->heap[0]].at;
    const double end = at->now + fmax(0, wanted - at->served) / share;
    const double next = fmax(at->now, fmin(release, end));
    const status s = append_period(at->scratch, at->now, next);
    if (release <= at->now || release < end) {
        at->served += (next - at->now) * share;
        at->now = next;
        begin_job(at);
    } else {
        at->served = fmax(at->served, wanted);
        at->now = next;
        end_job(at);
    }
    return s;
}

static status serve_fair(int servers, simulate_job *jobs, int64_t count,
                         simulate_scratch *scratch)
{
    sharing at = {.jobs = jobs, .scratch = scratch, .servers = servers, .now = -INFINITY};
    int64_t flows = 0;
    for (int64_t i = 0; i < count; flows++) {
        const int64_t first = i;
        while (i < count && jobs[i].flow == jobs[first].flow) {
            i++;
        }
        scratch->flows[flows] = (flow){first, i, 0};
        wait_for_job(&at, flows);
    }
    status s = STATUS_OK;
    while ((at.active > 0 || at.waiting > 0) && s == STATUS_OK) {
        s = advance(&at);
    }
    return s;
}

/* ---- Serving ----------------------------------------------------------------------- */

static void keep_order_of_flows(simulate_job *jobs, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        if (jobs[i].flow == jobs[i - 1].flow) {
            jobs[i].release = fmax(jobs[i].release, jobs[i - 1].release);
        }
    }
}

/* One job alone: most rounds of most algorithms. */
static void serve_one(simulate_station *station, simulate_job *job)
{
    const double begin = simulate_station_left(station, job->release);
    const simulate_station before = *station;
    job->start = to_time(&before, begin, true);
    job->finish = to_time(&before, begin + job->work, false);
    job->finish = fmax(job->finish, job->start);
    if (job->work > 0) {
        take_share(station, job->start, job->finish, 1);
    }
}

static status make_room(simulate_scratch *scratch, int64_t count)
{
    status s =
        composite_memory_grow(scratch->memory, &scratch->flows, &scratch->flows_capacity,
                              count, sizeof *scratch->flows, PURPOSE);
    s = s == STATUS_OK ? composite_memory_grow(scratch->memory, &scratch->heap,
                                               &scratch->heap_capacity, count,
                                               sizeof *scratch->heap, PURPOSE)
                       : s;
    return s == STATUS_OK ? composite_memory_grow(scratch->memory, &scratch->waiting,
                                                  &scratch->waiting_capacity, count,
                                                  sizeof *scratch->waiting, PURPOSE)
                          : s;
}

status simulate_station_serve(simulate_station *station, int servers,
                              simulate_order order, simulate_job *jobs, int64_t count,
                              simulate_scratch *scratch)
{
    keep_order_of_flows(jobs, count);
    if (count == 1) {
        serve_one(station, jobs);
        return STATUS_OK;
    }
    status s = make_room(scratch, count);
    if (s != STATUS_OK) {
        return s;
    }
    const simulate_station before = *station;
    for (int64_t i = 0; i < count; i++) {
        jobs[i].release = simulate_station_left(&before, jobs[i].release);
    }
    scratch->nperiods = 0;
    s = order == SIMULATE_FIFO ? serve_fifo(servers, jobs, count, scratch)
                               : serve_fair(servers, jobs, count, scratch);
    for (int64_t i = 0; i < count; i++) {
        jobs[i].start = to_time(&before, jobs[i].start, true);
        jobs[i].finish = to_time(&before, jobs[i].finish, false);
        jobs[i].finish = fmax(jobs[i].finish, jobs[i].start);
    }
    keep_periods(station, scratch);
    return s;
}

void simulate_scratch_clear(simulate_scratch *scratch)
{
    free(scratch->flows);
    free(scratch->heap);
    free(scratch->waiting);
    free(scratch->periods);
    free(scratch->servers);
    *scratch = (simulate_scratch){.memory = scratch->memory};
}

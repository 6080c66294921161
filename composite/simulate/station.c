#include "station.h"

#include <math.h>
#include <stdlib.h>

static const char *const PURPOSE = "the simulation of a schedule";

/* Jobs of one flow, [next, end) of the list. */
typedef struct simulate_flow {
    int64_t next, end;
    double at; /* in a heap: the key by which it is sorted */
} flow;

/* ---- Time without the busy times of a station ------------------------------------- */

/* Time that the station has left up to `t`. */
static double to_available(const simulate_station *station, double t)
{
    double taken = 0;
    for (int i = 0; i < station->nbusy && station->busy[i].begin < t; i++) {
        const double end = station->busy[i].end < t ? station->busy[i].end : t;
        taken += end - station->busy[i].begin;
    }
    return t - taken;
}

/* The time at which the station has had `t` left: the first such time, or the last. */
static double to_time(const simulate_station *station, double t, bool is_last)
{
    for (int i = 0; i < station->nbusy; i++) {
        const simulate_busy *busy = &station->busy[i];
        if (is_last ? t < busy->begin : t <= busy->begin) {
            return t;
        }
        t += busy->end - busy->begin;
    }
    return t;
}

/* Closes the narrowest gap. */
static void close_gap(simulate_station *station)
{
    int narrowest = 0;
    double least = INFINITY;
    for (int i = 0; i + 1 < station->nbusy; i++) {
        const double gap = station->busy[i + 1].begin - station->busy[i].end;
        if (gap < least) {
            least = gap;
            narrowest = i;
        }
    }
    station->busy[narrowest].end = station->busy[narrowest + 1].end;
    station->nbusy--;
    for (int i = narrowest + 1; i < station->nbusy; i++) {
        station->busy[i] = station->busy[i + 1];
    }
}

static void insert_busy(simulate_station *station, simulate_busy busy)
{
    int at = 0;
    while (at < station->nbusy && station->busy[at].end < busy.begin) {
        at++;
    }
    int end = at;
    for (; end < station->nbusy && station->busy[end].begin <= busy.end; end++) {
        busy.begin = fmin(busy.begin, station->busy[end].begin);
        busy.end = fmax(busy.end, station->busy[end].end);
    }
    if (end == at) {
        if (station->nbusy == SIMULATE_MOST_BUSY) {
            close_gap(station);
            insert_busy(station, busy);
            return;
        }
        for (int i = station->nbusy++; i > at; i--) {
            station->busy[i] = station->busy[i - 1];
        }
    } else {
        for (int i = end; i < station->nbusy; i++) {
            station->busy[at + 1 + i - end] = station->busy[i];
        }
        station->nbusy -= end - at - 1;
    }
    station->busy[at] = busy;
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
        scratch->periods[scratch->nperiods++] = (simulate_busy){begin, end};
    }
    return s;
}

/* Adds the periods, which are on the scale of available time, to the station. */
static void keep_periods(simulate_station *station, const simulate_scratch *scratch)
{
    const simulate_station before = *station;
    for (int64_t i = 0; i < scratch->nperiods; i++) {
        const simulate_busy *period = &scratch->periods[i];
        insert_busy(station, (simulate_busy){to_time(&before, period->begin, true),
                                             to_time(&before, period->end, false)});
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
    const double begin = to_available(station, job->release);
    const simulate_station before = *station;
    job->start = to_time(&before, begin, true);
    job->finish = to_time(&before, begin + job->work, false);
    job->finish = fmax(job->finish, job->start);
    if (job->work > 0) {
        insert_busy(station, (simulate_busy){job->start, job->finish});
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
        jobs[i].release = to_available(&before, jobs[i].release);
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

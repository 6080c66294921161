#include "measured.h"

#include "base/events.h"
#include "composite/finished.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct measuring {
    const traffic_measured *of;
    traffic_notes *notes;
    int *position; /* [size]: of each rank */
} measuring;

/* ---- Events ------------------------------------------------------------------------ */

static traffic_event_kind kind_of(const char *name)
{
    static const char *const names[EVENT_KINDS] = {"wait",    "send",  "blend",
                                                   "receive", "share", "read"};
    int kind = 0;
    while (kind < EVENT_KINDS && (!name || strcmp(name, names[kind]) != 0)) {
        kind++;
    }
    return (traffic_event_kind)kind;
}

/* Columns of a rank's events. */
typedef struct columns {
    const json_t *kind, *peer, *thread, *message, *begin, *wall, *bytes;
} columns;

static columns columns_of(const json_t *rank)
{
    return (columns){json_object_get(rank, "kind"),   json_object_get(rank, "peer"),
                     json_object_get(rank, "thread"), json_object_get(rank, "message"),
                     json_object_get(rank, "begin"),  json_object_get(rank, "wall"),
                     json_object_get(rank, "bytes")};
}

static traffic_event read_event(const columns *from, size_t n, int size)
{
    const json_int_t peer = json_integer_value(json_array_get(from->peer, n));
    return (traffic_event){
        .kind = kind_of(json_string_value(json_array_get(from->kind, n))),
        .peer = peer >= 0 && peer < size ? (int)peer : -1,
        .thread = (int)json_integer_value(json_array_get(from->thread, n)),
        .message = json_integer_value(json_array_get(from->message, n)),
        .begin = json_number_value(json_array_get(from->begin, n)),
        .wall = json_number_value(json_array_get(from->wall, n)),
        .bytes = json_number_value(json_array_get(from->bytes, n))};
}

status traffic_measured_read(traffic_measured *of, const json_t *events)
{
    of->events = calloc((size_t)of->size, sizeof *of->events);
    for (int rank = 0; of->events && rank < of->size; rank++) {
        const columns from = columns_of(json_array_get(events, (size_t)rank));
        traffic_events *to = &of->events[rank];
        const size_t count = json_array_size(from.kind);
        to->items = malloc((count + 1) * sizeof *to->items);
        if (!to->items) {
            traffic_measured_clear(of);
            break;
        }
        for (; to->count < count; to->count++) {
            to->items[to->count] = read_event(&from, to->count, of->size);
        }
    }
    return of->events ? STATUS_OK : base_fail_memory(4096, "the events of a frame");
}

void traffic_measured_clear(traffic_measured *of)
{
    for (int rank = 0; of->events && rank < of->size; rank++) {
        free(of->events[rank].items);
    }
    free(of->events);
    of->events = NULL;
}

/* ---- The span ---------------------------------------------------------------------- */

void traffic_measure_span(traffic_measured *of)
{
    of->origin = INFINITY;
    for (int q = 0; q < of->size; q++) {
        const traffic_events *events = &of->events[of->order[q]];
        of->is_cut_off |= events->count >= BASE_MOST_EVENTS;
        for (size_t n = 0; n < events->count; n++) {
            const double begin = events->items[n].begin;
            const double end = begin + events->items[n].wall;
            of->begin[q] = n == 0 ? begin : fmin(of->begin[q], begin);
            of->finish[q] = n == 0 ? end : fmax(of->finish[q], end);
        }
        of->origin = fmin(of->origin, of->begin[q]);
    }
    for (int q = 0; q < of->size; q++) {
        of->begin[q] -= of->origin;
        of->finish[q] -= of->origin;
    }
}

/* ---- Messages ---------------------------------------------------------------------- */

/* The round in the number of a message (base/events.h). */
static int round_of(const traffic_measured *of, int64_t message)
{
    const int64_t round = of->segments > 0 ? (message - 1) / of->segments : 1;
    return message < 1 || of->segments < 1 ? 0
           : round == 0                    ? COMPOSITE_GATHER_ROUND
                                           : (int)(round - 1);
}

/* Adds a note on a message from one rank to another. */
static void note(const measuring *m, traffic_kind kind, int src, int dst,
                 const traffic_event *at, double bytes)
{
    const double begin = at->begin - m->of->origin;
    traffic_note_add(m->notes,
                     (traffic_note){.key = {.round = round_of(m->of, at->message),
                                            .src = m->position[src],
                                            .dst = m->position[dst]},
                                    .run = TRAFFIC_MEASURED,
                                    .kind = kind,
                                    .begin = begin,
                                    .end = begin + at->wall,
                                    .bytes = bytes,
                                    .in_place = at->kind == EVENT_READ});
}

/* The last moment at or before a time at which a rank let others read; that time if there
 * is none. */
static double find_share(const traffic_measured *of, int rank, double before)
{
    double last = -INFINITY;
    for (size_t n = 0; n < of->events[rank].count; n++) {
        const traffic_event *at = &of->events[rank].items[n];
        if (at->kind == EVENT_SHARE && at->begin <= before) {
            last = fmax(last, at->begin);
        }
    }
    return isfinite(last) ? last : before;
}

/* Adds a read, which ends with the blend, and had a share of its bytes. */
static void note_read(const measuring *m, int rank, const traffic_event *read,
                      const traffic_event *blend, double share)
{
    traffic_event sent = *read, merged = *read;
    sent.begin = find_share(m->of, read->peer, read->begin);
    merged.wall = blend->begin + blend->wall - read->begin;
    note(m, TRAFFIC_SEND, read->peer, rank, &sent, 0);
    note(m, TRAFFIC_RECEIVE, read->peer, rank, read, 0);
    note(m, TRAFFIC_BLEND, read->peer, rank, &merged, share * blend->bytes);
}

/* A read that belongs to a blend: the thread noted it when the blend began. */
static bool belongs(const traffic_event *read, const traffic_event *blend)
{
    return read->kind == EVENT_READ && read->peer >= 0 && read->thread == blend->thread &&
           fabs(read->begin - blend->begin) < 1e-9;
}

/* Adds the reads of event n, a blend of pixels that several ranks have. */
static void note_reads(const measuring *m, int rank, size_t n, const traffic_event *blend)
{
    enum { MOST_BETWEEN = 4096 }; /* events of other threads, and reads */
    const size_t first = n > MOST_BETWEEN ? n - MOST_BETWEEN : 0;
    double sum = 0;
    int reads = 0;
    const traffic_event *items = m->of->events[rank].items;
    for (size_t i = first; i < n; i++) {
        sum += belongs(&items[i], blend) ? items[i].bytes : 0;
        reads += belongs(&items[i], blend);
    }
    for (size_t i = first; i < n; i++) {
        if (belongs(&items[i], blend)) {
            const double share = sum > 0 ? items[i].bytes / sum : 1.0 / reads;
            note_read(m, rank, &items[i], blend, share);
        }
    }
}

static void take_event(const measuring *m, int rank, size_t n)
{
    const traffic_event *at = &m->of->events[rank].items[n];
    const double begin = at->begin - m->of->origin;
    const traffic_bar bar = {m->position[rank], begin, begin + at->wall};
    traffic_bars *bars = m->notes->bars[TRAFFIC_MEASURED];
    const bool has_peer = at->peer >= 0 && at->peer != rank;
    switch (at->kind) {
    case EVENT_WAIT:
        traffic_bar_add(&bars[TRAFFIC_WAIT], bar, &m->notes->failed);
        break;
    case EVENT_SEND:
        traffic_bar_add(&bars[TRAFFIC_SEND], bar, &m->notes->failed);
        if (has_peer) {
            note(m, TRAFFIC_SEND, rank, at->peer, at, at->bytes);
        }
        break;
    case EVENT_RECEIVE:
        if (has_peer) {
            note(m, TRAFFIC_RECEIVE, at->peer, rank, at, 0);
        }
        break;
    case EVENT_BLEND:
        traffic_bar_add(&bars[TRAFFIC_BLEND], bar, &m->notes->failed);
        if (has_peer) {
            note(m, TRAFFIC_BLEND, at->peer, rank, at, 0);
        } else if (at->message > 0) {
            note_reads(m, rank, n, at);
        }
        break;
    default:
        break; /* reads belong to blends, and shares to reads */
    }
}

status traffic_measure(const traffic_measured *of, traffic_notes *notes)
{
    measuring m = {of, notes, malloc((size_t)of->size * sizeof *m.position)};
    if (!m.position) {
        return base_fail_memory((size_t)of->size * sizeof *m.position,
                                "the messages of a page");
    }
    for (int q = 0; q < of->size; q++) {
        m.position[of->order[q]] = q;
    }
    for (int rank = 0; rank < of->size; rank++) {
        for (size_t n = 0; n < of->events[rank].count; n++) {
            take_event(&m, rank, n);
        }
    }
    free(m.position);
    return notes->failed ? base_fail_memory(4096, "the messages of a page") : STATUS_OK;
}

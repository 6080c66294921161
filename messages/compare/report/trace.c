#include "trace.h"

#include "messages/compare/figures.h"
#include "messages/frame/measured.h"

#include <stdlib.h>

/* The trace while it is made, and the events of one frame. */
typedef struct tracing {
    json_t *events;       /* of the trace */
    traffic_measured all; /* the events of the frame */
    int ranks;
    double offset; /* seconds from the first frame to this one */
    int arrows;    /* so far, in all frames */
} tracing;

/* ---- Slices ------------------------------------------------------------------------ */

/* An activity with a duration. */
typedef struct slice {
    const char *name, *category;
    int rank, thread;
    double begin, wall; /* seconds in the frame */
} slice;

/* Takes ownership of `args`. */
static int add_slice(tracing *t, const slice *of, json_t *args)
{
    return json_array_append_new(
        t->events,
        json_pack("{s:s, s:s, s:s, s:f, s:f, s:i, s:i, s:o}", "name", of->name, "cat",
                  of->category, "ph", "X", "ts", 1e6 * (t->offset + of->begin), "dur",
                  1e6 * of->wall, "pid", of->rank, "tid", of->thread, "args", args));
}

static int add_stage(tracing *t, const json_t *frame, int stage)
{
    const char *name = compare_stage_name(stage);
    double *begin = compare_values_of(frame, "begin", name, t->ranks);
    double *wall = compare_values_of(frame, "wall", name, t->ranks);
    const json_int_t step = json_integer_value(json_object_get(frame, "step"));
    int failed = !begin || !wall;
    for (int r = 0; !failed && r < t->ranks; r++) {
        const slice of = {name, "frame", r, 0, begin[r], wall[r]};
        failed |= add_slice(t, &of, json_pack("{s:I}", "step", step));
    }
    free(begin);
    free(wall);
    return failed;
}

/* ---- Events ------------------------------------------------------------------------ */

static int add_event(tracing *t, int rank, const traffic_event *of)
{
    static const char *const lasting[EVENT_KINDS] = {
        [EVENT_WAIT] = "wait", [EVENT_SEND] = "send", [EVENT_BLEND] = "blend"};
    const char *name = of->kind < EVENT_KINDS ? lasting[of->kind] : NULL;
    const slice bar = {name, "picture", rank, of->thread, of->begin, of->wall};
    return name ? add_slice(t, &bar,
                            json_pack("{s:i, s:I}", "peer", of->peer, "bytes",
                                      (json_int_t)of->bytes))
                : 0; /* other kinds have no duration */
}

/* ---- Arrows ------------------------------------------------------------------------ */

static int add_end(tracing *t, const char *name, const char *phase, int rank, int thread,
                   double at)
{
    return json_array_append_new(
        t->events, json_pack("{s:s, s:s, s:s, s:s, s:i, s:f, s:i, s:i}", "name", name,
                             "cat", name, "ph", phase, "bp", "e", "id", t->arrows, "ts",
                             1e6 * (t->offset + at), "pid", rank, "tid", thread));
}

/* Adds an arrow from an event of one rank to an event of another. */
static int add_arrow(tracing *t, const char *name, int from, const traffic_event *sent,
                     int to, const traffic_event *taken)
{
    t->arrows++;
    return add_end(t, name, "s", from, 0, sent->begin) |
           add_end(t, name, "f", to, taken->thread, taken->begin);
}

/* Whether two events are of the same message at the same end. */
static bool is_alike(const traffic_event *a, traffic_event_kind kind, int peer,
                     int64_t message)
{
    return a->kind == kind && a->peer == peer && a->message == message;
}

/* Finds the sender's event: messages of one number arrive in the order in which they were
 * sent. */
static int add_message(tracing *t, int to, const traffic_event *taken)
{
    const traffic_events *sent = &t->all.events[taken->peer];
    int left = 0;
    for (const traffic_event *e = t->all.events[to].items; e < taken; e++) {
        left += is_alike(e, EVENT_RECEIVE, taken->peer, taken->message);
    }
    for (size_t n = 0; n < sent->count; n++) {
        if (is_alike(&sent->items[n], EVENT_SEND, to, taken->message) && left-- == 0) {
            return add_arrow(t, "message", taken->peer, &sent->items[n], to, taken);
        }
    }
    return 0;
}

/* Finds the sharing event: the peer's last one before the read. */
static int add_read(tracing *t, int to, const traffic_event *taken)
{
    const traffic_events *shared = &t->all.events[taken->peer];
    const traffic_event *last = NULL;
    for (size_t n = 0; n < shared->count; n++) {
        const traffic_event *e = &shared->items[n];
        last = e->kind == EVENT_SHARE && e->begin <= taken->begin ? e : last;
    }
    return last ? add_arrow(t, "read", taken->peer, last, to, taken) : 0;
}

static int add_events(tracing *t)
{
    int failed = 0;
    for (int r = 0; r < t->ranks; r++) {
        for (size_t n = 0; n < t->all.events[r].count; n++) {
            const traffic_event *e = &t->all.events[r].items[n];
            failed |= add_event(t, r, e);
            if (e->kind == EVENT_RECEIVE && e->peer >= 0) {
                failed |= add_message(t, r, e);
            } else if (e->kind == EVENT_READ && e->peer >= 0) {
                failed |= add_read(t, r, e);
            }
        }
    }
    return failed;
}

/* ---- All of it --------------------------------------------------------------------- */

static int add_rank(tracing *t, int rank)
{
    json_t *name = json_sprintf("rank %d", rank);
    return json_array_append_new(
        t->events, json_pack("{s:s, s:s, s:i, s:i, s:{s:o}}", "name", "process_name",
                             "ph", "M", "pid", rank, "tid", 0, "args", "name", name));
}

static int add_frame(tracing *t, const json_t *frame)
{
    int failed = 0;
    t->offset = json_number_value(json_object_get(frame, "begin"));
    t->all = (traffic_measured){.size = t->ranks};
    if (traffic_measured_read(&t->all, json_object_get(frame, "events")) != STATUS_OK) {
        return 1;
    }
    for (int stage = 0; stage < IO_STAGES; stage++) {
        failed |= add_stage(t, frame, stage);
    }
    failed |= add_events(t);
    traffic_measured_clear(&t->all);
    return failed;
}

json_t *compare_trace_create(const compare_row *row)
{
    const json_t *frames = compare_row_frames(row);
    tracing t = {.events = json_array(), .ranks = row->which.ranks};
    int failed = 0;
    for (int r = 0; r < t.ranks; r++) {
        failed |= add_rank(&t, r);
    }
    for (size_t f = 0; f < json_array_size(frames); f++) {
        failed |= add_frame(&t, json_array_get(frames, f));
    }
    if (failed) {
        json_decref(t.events);
        return NULL;
    }
    return json_pack("{s:s, s:o}", "displayTimeUnit", "ms", "traceEvents", t.events);
}

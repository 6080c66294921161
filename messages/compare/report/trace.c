#include "trace.h"

#include "messages/compare/figures.h"

#include <stdlib.h>
#include <string.h>

/* The trace while it is made, and the events of one frame. */
typedef struct tracing {
    json_t *events; /* of the trace */
    const json_t
        *all; /* of the frame, [ranks] (docs/user/formats.md); NULL: not recorded */
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

static size_t count_events(const tracing *t, int rank)
{
    return json_array_size(json_object_get(json_array_get(t->all, (size_t)rank), "kind"));
}

static const json_t *value_of(const tracing *t, int rank, size_t n, const char *name)
{
    const json_t *events = json_array_get(t->all, (size_t)rank);
    return json_array_get(json_object_get(events, name), n);
}

static bool is_kind(const tracing *t, int rank, size_t n, const char *kind)
{
    const char *of = json_string_value(value_of(t, rank, n, "kind"));
    return of && strcmp(of, kind) == 0;
}

static double begin_of(const tracing *t, int rank, size_t n)
{
    return json_number_value(value_of(t, rank, n, "begin"));
}

static int peer_of(const tracing *t, int rank, size_t n)
{
    return (int)json_integer_value(value_of(t, rank, n, "peer"));
}

static int add_event(tracing *t, int rank, size_t n)
{
    static const char *const lasting[] = {"wait", "send", "blend"};
    for (int kind = 0; kind < 3; kind++) {
        if (is_kind(t, rank, n, lasting[kind])) {
            const slice of = {.name = lasting[kind],
                              .category = "picture",
                              .rank = rank,
                              .thread =
                                  (int)json_integer_value(value_of(t, rank, n, "thread")),
                              .begin = begin_of(t, rank, n),
                              .wall = json_number_value(value_of(t, rank, n, "wall"))};
            return add_slice(t, &of,
                             json_pack("{s:i, s:O}", "peer", peer_of(t, rank, n), "bytes",
                                       value_of(t, rank, n, "bytes")));
        }
    }
    return 0; /* other kinds have no duration */
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
static int add_arrow(tracing *t, const char *name, int from, size_t sent, int to,
                     size_t taken)
{
    const int thread = (int)json_integer_value(value_of(t, to, taken, "thread"));
    t->arrows++;
    return add_end(t, name, "s", from, 0, begin_of(t, from, sent)) |
           add_end(t, name, "f", to, thread, begin_of(t, to, taken));
}

static json_int_t message_of(const tracing *t, int rank, size_t n)
{
    return json_integer_value(value_of(t, rank, n, "message"));
}

/* Whether event n of a rank is of a message of this number, from or to the peer. */
static bool is_message(const tracing *t, int rank, size_t n, const char *kind, int peer,
                       json_int_t message)
{
    return is_kind(t, rank, n, kind) && peer_of(t, rank, n) == peer &&
           message_of(t, rank, n) == message;
}

/* Finds the sender's event: messages of one number arrive in the order in which they were
 * sent. */
static int add_message(tracing *t, int to, size_t taken)
{
    const int from = peer_of(t, to, taken);
    const json_int_t message = message_of(t, to, taken);
    int left = 0;
    for (size_t i = 0; i < taken; i++) {
        left += is_message(t, to, i, "receive", from, message);
    }
    for (size_t n = 0; n < count_events(t, from); n++) {
        if (is_message(t, from, n, "send", to, message) && left-- == 0) {
            return add_arrow(t, "message", from, n, to, taken);
        }
    }
    return 0;
}

/* Finds the sharing event: the peer's last one before the read. */
static int add_read(tracing *t, int to, size_t taken)
{
    const int from = peer_of(t, to, taken);
    const double at = begin_of(t, to, taken);
    size_t last = count_events(t, from);
    for (size_t n = 0; n < count_events(t, from); n++) {
        if (is_kind(t, from, n, "share") && begin_of(t, from, n) <= at) {
            last = n;
        }
    }
    return last < count_events(t, from) ? add_arrow(t, "read", from, last, to, taken) : 0;
}

static int add_events(tracing *t)
{
    int failed = 0;
    for (int r = 0; t->all && r < t->ranks; r++) {
        for (size_t n = 0; n < count_events(t, r); n++) {
            failed |= add_event(t, r, n);
            if (is_kind(t, r, n, "receive")) {
                failed |= add_message(t, r, n);
            } else if (is_kind(t, r, n, "read")) {
                failed |= add_read(t, r, n);
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
    t->all = json_object_get(frame, "events");
    for (int stage = 0; stage < IO_STAGES; stage++) {
        failed |= add_stage(t, frame, stage);
    }
    return failed | add_events(t);
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

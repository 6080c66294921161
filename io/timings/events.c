#include "events.h"

#include "base/parallel/parallel.h"
#include "gather.h"

#include <math.h>
#include <stdlib.h>

/* The numbers that a rank sends for each event; times in nanoseconds. */
enum { KIND, BEGIN, WALL, PEER, THREAD, BYTES, MESSAGE, NUMBERS };

static int64_t *pack(const base_events *mine, double origin, int64_t *packed)
{
    for (int n = 0; n < base_events_count(mine); n++) {
        const base_event *event = &mine->items[n];
        *packed++ = (int64_t)event->kind;
        *packed++ = llround(1e9 * (event->begin - origin));
        *packed++ = llround(1e9 * (event->end - event->begin));
        *packed++ = event->peer;
        *packed++ = event->thread;
        *packed++ = event->bytes;
        *packed++ = event->message;
    }
    return packed;
}

static json_t *describe_number(const int64_t *event, int which)
{
    static const char *const kinds[BASE_EVENT_KINDS] = {"wait",    "send",  "blend",
                                                        "receive", "share", "read"};
    switch (which) {
    case KIND:
        return json_string(kinds[event[KIND]]);
    case BEGIN:
    case WALL:
        return json_real(1e-9 * (double)event[which]);
    default:
        return json_integer(event[which]);
    }
}

static json_t *describe_rank(const io_gathered *from, int rank)
{
    static const char *const names[NUMBERS] = {"kind",   "begin", "wall",   "peer",
                                               "thread", "bytes", "message"};
    const int64_t *packed = &from->all[from->begin[rank]];
    json_t *all = json_object();
    int failed = 0;
    for (int which = 0; which < NUMBERS; which++) {
        json_t *values = json_array();
        for (int n = 0; n < from->counts[rank]; n += NUMBERS) {
            failed |= json_array_append_new(values, describe_number(packed + n, which));
        }
        failed |= json_object_set_new(all, names[which], values);
    }
    if (failed) {
        json_decref(all);
        return NULL;
    }
    return all;
}

static status describe(const io_gathered *from, json_t **out)
{
    json_t *all = json_array();
    int failed = 0;
    for (int r = 0; r < from->ranks; r++) {
        failed |= json_array_append_new(all, describe_rank(from, r));
    }
    if (failed) {
        json_decref(all);
        return base_fail_memory(4096, "events of a picture");
    }
    *out = all;
    return STATUS_OK;
}

status io_timings_describe_events(MPI_Comm comm, const base_events *mine, double origin,
                                  json_t **out)
{
    const size_t bytes = (size_t)base_events_count(mine) * NUMBERS * sizeof(int64_t) + 1;
    int64_t *packed = malloc(bytes);
    status s = packed ? STATUS_OK : base_fail_memory(bytes, "events of a picture");
    s = parallel_agree(comm, s);
    io_gathered all = {0};
    if (s == STATUS_OK) {
        const int64_t count = pack(mine, origin, packed) - packed;
        s = io_gather(comm, count, packed, "events of a picture", &all);
    }
    *out = NULL;
    if (s == STATUS_OK) {
        s = parallel_agree(comm, all.all ? describe(&all, out) : STATUS_OK);
    }
    io_gathered_clear(&all);
    free(packed);
    return s;
}

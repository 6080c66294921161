/* The timeline of a simulation, as a trace for Perfetto and chrome://tracing (Google,
 * Trace Event Format). */
#include "base/array.h"
#include "io/file.h"
#include "simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A trace of so many events has about 500 MB. */
enum { MOST_EVENTS = 2000000 };

typedef struct recording {
    simulate_event *events; /* [count] */
    int64_t count;
    bool is_full, failed;
} recording;

static void record(const simulate_event *event, void *context)
{
    recording *all = context;
    if (all->count == MOST_EVENTS) {
        all->is_full = true;
        return;
    }
    all->failed |= base_array_add(all->events, all->count, *event, NULL) != STATUS_OK;
}

static void write_slice(FILE *file, const simulate_event *event)
{
    static const char *const names[SIMULATE_EVENT_KINDS] = {"send", "receive", "blend"};
    fprintf(file,
            ",\n{\"name\":\"%s\",\"cat\":\"picture\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":"
            "%.3f,\"pid\":%d,\"tid\":%d,\"args\":{\"peer\":%d,\"round\":%d,\"bytes\":"
            "%.0f}}",
            names[event->kind], 1e6 * event->begin, 1e6 * (event->end - event->begin),
            event->position, (int)event->kind, event->peer, event->round, event->bytes);
}

/* The number of a message's part in the whole trace: rounds follow each other. */
static void write_arrow(FILE *file, const simulate_event *event)
{
    if (event->kind == SIMULATE_EVENT_BLEND) {
        return;
    }
    fprintf(file,
            ",\n{\"name\":\"message\",\"cat\":\"message\",\"ph\":\"%s\",\"bp\":\"e\","
            "\"id\":\"%d.%" PRId64 "\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d}",
            event->kind == SIMULATE_EVENT_SEND ? "s" : "f", event->round, event->part,
            1e6 * event->begin, event->position, (int)event->kind);
}

/* An io_file_contents. */
static bool write_events(FILE *file, const void *context)
{
    const recording *all = context;
    fprintf(file, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
                  "{\"name\":\"simulated\",\"ph\":\"M\",\"pid\":0,\"args\":{}}");
    for (int64_t i = 0; i < all->count; i++) {
        write_slice(file, &all->events[i]);
        write_arrow(file, &all->events[i]);
    }
    fprintf(file, "\n]}\n");
    return !ferror(file);
}

status simulate_timeline_write(const char *path, const simulate_case *of,
                               const simulate_machine *machine)
{
    simulate_case watched = *of;
    recording all = {0};
    simulate_simulator *simulator = NULL;
    simulate_result result;
    watched.visit = record;
    watched.context = &all;
    status s = simulate_create(&simulator);
    s = s == STATUS_OK ? simulate_run(simulator, &watched, machine, &result) : s;
    simulate_destroy(&simulator);
    if (s == STATUS_OK && all.failed) {
        s = base_fail_memory((size_t)all.count * sizeof *all.events, "a timeline");
    }
    if (s == STATUS_OK && all.is_full) {
        s = base_fail(STATUS_USAGE,
                      "the timeline of %s would have more than %d million events: give "
                      "fewer --ranks, or --segment none",
                      of->algorithm->name, MOST_EVENTS / 1000000);
    }
    s = s == STATUS_OK ? io_file_make(path, write_events, &all) : s;
    free(all.events);
    return s;
}

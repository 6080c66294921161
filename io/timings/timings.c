#include "timings.h"

#include "base/parallel/parallel.h"
#include "events.h"
#include "io/file.h"
#include "io/json/json.h"
#include "place.h"
#include "ranks.h"
#include "tiles.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef io_timings_record record;

/* Members of the two parts of a record, by their names in the file. */
typedef struct member {
    const char *name;
    size_t offset;
} member;

static const member stages[] = {
    {"load", offsetof(record, times.stages[IO_STAGE_LOAD].wall)},
    {"render", offsetof(record, times.stages[IO_STAGE_RENDER].wall)},
    {"composite", offsetof(record, times.stages[IO_STAGE_COMPOSITE].wall)},
    {"finish", offsetof(record, times.stages[IO_STAGE_FINISH].wall)},
    {"write", offsetof(record, times.stages[IO_STAGE_WRITE].wall)},
    {"total", offsetof(record, times.total)},
};

static const member sums[] = {
    {"rays", offsetof(record, counts.rays)},
    {"crossings", offsetof(record, counts.crossings)},
    {"lost_rays", offsetof(record, counts.lost_rays)},
    {"nan_cells", offsetof(record, counts.nan_cells)},
    {"active_pixels", offsetof(record, counts.active_pixels)},
    {"messages_sent", offsetof(record, counts.messages_sent)},
    {"bytes_sent", offsetof(record, counts.bytes_sent)},
    {"bytes_shared", offsetof(record, counts.bytes_shared)},
};

enum {
    STAGES = sizeof stages / sizeof stages[0],
    SUMS = sizeof sums / sizeof sums[0],
    CROSSINGS = 1 /* their index in sums */
};

/* Smallest, mean and largest of the ranks' values. */
typedef struct spread {
    double min, mean, max;
} spread;

/* Totals over all frames so far. */
typedef struct totals {
    int64_t frames;
    double seconds[STAGES]; /* of the slowest rank of each frame */
    int64_t sums[SUMS];
    double core_seconds; /* render seconds times threads, over ranks */
    double peak_memory;
} totals;

struct io_timings {
    MPI_Comm comm;
    int ranks, rank;
    char *version, *config;
    bool has_place; /* set in the first frame: */
    io_place place;
    /* On rank 0 only: */
    record *records; /* [ranks]: of the frame that is being added */
    json_t *frames;
    json_t *composite; /* NULL: unknown */
    int threads;       /* largest of all ranks */
    double begin;      /* of the first frame, on this rank's clock */
    totals total;
};

static double seconds_of(const record *r, member which)
{
    return *(const double *)((const char *)r + which.offset);
}

static int64_t count_of(const record *r, member which)
{
    return *(const int64_t *)((const char *)r + which.offset);
}

static spread spread_over(int ranks, const record *records,
                          double (*value)(const record *, member), member which)
{
    spread s = {INFINITY, 0.0, -INFINITY};
    for (int r = 0; r < ranks; r++) {
        double v = value(&records[r], which);
        s.min = fmin(s.min, v);
        s.max = fmax(s.max, v);
        s.mean += v / ranks;
    }
    return s;
}

static double count_as_double(const record *r, member which)
{
    return (double)count_of(r, which);
}

static json_t *describe_spread(spread s)
{
    return json_pack("{s:o, s:o, s:o}", "min", io_json_number(s.min), "mean",
                     io_json_number(s.mean), "max", io_json_number(s.max));
}

/* max / mean; a stage that took no time counts as balanced. */
static json_t *describe_stage(spread s)
{
    json_t *stage = describe_spread(s);
    double imbalance = s.mean > 0.0 ? s.max / s.mean : 1.0;
    if (stage &&
        json_object_set_new(stage, "imbalance", io_json_number(imbalance)) != 0) {
        json_decref(stage);
        return NULL;
    }
    return stage;
}

static double core_seconds(int ranks, const record *records)
{
    double sum = 0.0;
    for (int r = 0; r < ranks; r++) {
        sum += records[r].times.stages[IO_STAGE_RENDER].wall * records[r].counts.threads;
    }
    return sum;
}

static json_t *rate(int64_t crossings, double seconds)
{
    return io_json_number(seconds > 0.0 ? (double)crossings / seconds : 0.0);
}

/*
 * The functions below add members to an object. They return 0, or not 0 without memory,
 * like json_object_set_new, which takes over the value in any case and fails if it is
 * NULL.
 */

/* Adds the frame's stages, and the slowest rank's seconds to the totals. */
static int describe_stages(io_timings *t, json_t *frame)
{
    json_t *all = json_object();
    int failed = 0;
    for (int stage = 0; stage < STAGES; stage++) {
        spread s = spread_over(t->ranks, t->records, seconds_of, stages[stage]);
        t->total.seconds[stage] += s.max;
        failed |= json_object_set_new(all, stages[stage].name, describe_stage(s));
    }
    return failed | json_object_set_new(frame, "seconds", all);
}

/* Adds sums of the frame's counts to the frame and to the totals. */
static int describe_sums(io_timings *t, json_t *frame)
{
    int failed = 0;
    for (int which = 0; which < SUMS; which++) {
        int64_t sum = 0;
        for (int r = 0; r < t->ranks; r++) {
            sum += count_of(&t->records[r], sums[which]);
        }
        t->total.sums[which] += sum;
        failed |= json_object_set_new(frame, sums[which].name, json_integer(sum));
    }
    return failed;
}

static int describe_spreads(io_timings *t, json_t *frame)
{
    static const member cells = {"cells_held", offsetof(record, counts.cells_held)};
    static const member memory = {"peak_memory", offsetof(record, counts.peak_memory)};
    static const member kept = {"kept_bytes", offsetof(record, counts.kept_bytes)};
    spread s = spread_over(t->ranks, t->records, count_as_double, cells);
    int failed = json_object_set_new(frame, cells.name, describe_spread(s));
    s = spread_over(t->ranks, t->records, count_as_double, kept);
    failed |= json_object_set_new(frame, kept.name, describe_spread(s));
    s = spread_over(t->ranks, t->records, count_as_double, memory);
    t->total.peak_memory = fmax(t->total.peak_memory, s.max);
    return failed | json_object_set_new(frame, memory.name, describe_spread(s));
}

/* Adds the bricks of all ranks: the assigned ones, and the loaded ones. */
static int describe_bricks(const io_timings *t, json_t *frame)
{
    static const member bricks[] = {
        {"bricks_held", offsetof(record, counts.bricks_held)},
        {"bricks_loaded", offsetof(record, counts.bricks_loaded)},
    };
    int failed = 0;
    for (int which = 0; which < 2; which++) {
        int64_t sum = 0;
        for (int r = 0; r < t->ranks; r++) {
            sum += count_of(&t->records[r], bricks[which]);
        }
        failed |= json_object_set_new(frame, bricks[which].name, json_integer(sum));
    }
    return failed;
}

/* Time at which the frame began on rank 0. */
static double frame_begin(const io_timings *t)
{
    return t->records[0].times.stages[0].begin;
}

static int describe_frame(io_timings *t, int64_t step, double time, const char *picture,
                          json_t *frame)
{
    int64_t crossings_before = t->total.sums[CROSSINGS];
    double busy = core_seconds(t->ranks, t->records);
    t->total.core_seconds += busy;
    t->total.frames++;
    int failed = json_object_set_new(frame, "step", json_integer(step));
    failed |= json_object_set_new(frame, "time", io_json_number(time));
    failed |= json_object_set_new(frame, "picture", io_json_text(picture));
    failed |= describe_stages(t, frame);
    failed |= describe_sums(t, frame);
    failed |= describe_bricks(t, frame);
    int64_t crossings = t->total.sums[CROSSINGS] - crossings_before;
    failed |= json_object_set_new(frame, "crossings_per_second_and_core",
                                  rate(crossings, busy));
    failed |= describe_spreads(t, frame);
    failed |=
        json_object_set_new(frame, "begin", io_json_number(frame_begin(t) - t->begin));
    json_t *every = io_timings_describe_ranks(t->ranks, t->records, frame_begin(t));
    return failed | json_object_set_new(frame, "ranks", every);
}

status io_timings_create(MPI_Comm comm, const char *version, const char *config_path,
                         io_timings **out)
{
    io_timings *t = calloc(1, sizeof *t);
    if (!t) {
        return base_fail_memory(sizeof *t, "timings");
    }
    t->comm = comm;
    t->ranks = parallel_size(comm);
    t->rank = parallel_rank(comm);
    t->version = strdup(version);
    t->config = strdup(config_path);
    bool complete = t->version && t->config;
    if (t->rank == 0) {
        t->records = calloc((size_t)t->ranks, sizeof *t->records);
        t->frames = json_array();
        complete = complete && t->records && t->frames;
    }
    if (!complete) {
        io_timings_destroy(&t);
        return base_fail_memory(sizeof *t, "timings");
    }
    *out = t;
    return STATUS_OK;
}

void io_timings_destroy(io_timings **timings)
{
    io_timings *t = *timings;
    if (t) {
        json_decref(t->frames);
        json_decref(t->composite);
        free(t->records);
        free(t->config);
        free(t->version);
        free(t);
        *timings = NULL;
    }
}

/* A new reference; NULL without memory. */
static json_t *describe_factors(int count, const int *factors)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, json_integer(factors[i]));
    }
    return list;
}

status io_timings_set_composite(io_timings *timings, const io_timings_composite *how)
{
    json_decref(timings->composite);
    timings->composite = json_pack(
        "{s:i, s:i, s:s, s:o, s:i, s:i, s:b, s:i, s:s, s:i, s:i}", "width", how->width,
        "height", how->height, "algorithm", how->algorithm ? how->algorithm : "auto",
        "factors", describe_factors(how->nfactors, how->factors), "group", how->group,
        "fan_in", how->fan_in, "by_nodes", how->by_nodes, "segment", how->segment,
        "encoding", how->encoding, "gather_bytes", how->gather_bytes, "samples",
        how->samples);
    return timings->composite ? STATUS_OK : base_fail_memory(4096, "timings");
}

static status add_frame(io_timings *t, int64_t step, double time, const char *picture)
{
    for (int r = 0; r < t->ranks; r++) {
        int threads = t->records[r].counts.threads;
        t->threads = threads > t->threads ? threads : t->threads;
    }
    if (t->total.frames == 0) {
        t->begin = frame_begin(t);
    }
    json_t *frame = json_object();
    int failed = describe_frame(t, step, time, picture, frame);
    failed |= json_array_append_new(t->frames, frame);
    return failed ? base_fail_memory(4096, "a frame's timings") : STATUS_OK;
}

status io_timings_add(io_timings *timings, int64_t step, double time, const char *picture,
                      const io_frame_times *times, const io_frame_counts *counts)
{
    if (!timings->has_place) {
        timings->place = io_place_find(timings->comm);
        timings->has_place = true;
    }
    record mine;
    /* Padding is sent, too: it must not contain old bytes of the stack. */
    memset(&mine, 0, sizeof mine);
    mine.times = *times;
    mine.counts = *counts;
    mine.counts.node = timings->place.node;
    for (io_stage stage = 0; stage < IO_STAGES; stage++) {
        mine.times.stages[stage].begin -= timings->place.clock_offset;
    }
    MPI_Request request;
    MPI_Igather(&mine, (int)sizeof mine, MPI_BYTE, timings->records, (int)sizeof mine,
                MPI_BYTE, 0, timings->comm, &request);
    parallel_wait(&request);
    status s = timings->rank == 0 ? add_frame(timings, step, time, picture) : STATUS_OK;
    return parallel_agree(timings->comm, s);
}

/* Adds how the picture was cut for the schedule, and, if there are any, the positions
 * that it goes around. */
static int describe_problem(const io_timings_choice *choice, json_t *how)
{
    json_t *cuts = json_array(), *late = json_array();
    int failed = 0;
    for (int n = 0; n < choice->ncuts; n++) {
        failed |= json_array_append_new(cuts, json_integer(choice->cuts[n]));
    }
    for (int q = 0; choice->late && q < choice->positions; q++) {
        failed |= choice->late[q] ? json_array_append_new(late, json_integer(q)) : 0;
    }
    failed |= json_object_set(how, "cuts", cuts);
    failed |= json_array_size(late) > 0 ? json_object_set(how, "late", late) : !late;
    json_decref(cuts);
    json_decref(late);
    return failed;
}

/* Adds a value to the last frame, on rank 0. Takes over `value`. */
static status add_to_frame(io_timings *t, const char *name, json_t *value)
{
    const size_t frames = json_array_size(t->frames);
    json_t *frame = json_array_get(t->frames, frames - 1);
    return json_object_set_new(frame, name, value) == 0
               ? STATUS_OK
               : base_fail_memory(4096, "a frame's timings");
}

status io_timings_add_choice(io_timings *timings, const io_timings_choice *choice)
{
    status s = STATUS_OK;
    if (timings->rank == 0) {
        json_t *how = json_pack("{s:s, s:o, s:i, s:i, s:b, s:i, s:s, s:s}", "algorithm",
                                choice->algorithm, "factors",
                                describe_factors(choice->nfactors, choice->factors),
                                "group", choice->group, "fan_in", choice->fan_in,
                                "by_nodes", choice->by_nodes, "segment", choice->segment,
                                "encoding", choice->encoding, "reason", choice->reason);
        const int failed = !how || describe_problem(choice, how);
        s = failed ? base_fail_memory(4096, "a frame's timings")
                   : add_to_frame(timings, "composite", json_incref(how));
        json_decref(how);
    }
    return parallel_agree(timings->comm, s);
}

status io_timings_add_tiles(io_timings *timings, const io_tile_costs *costs)
{
    json_t *tiles = NULL;
    status s = io_timings_describe_tiles(timings->comm, costs, &tiles);
    if (s != STATUS_OK) {
        return s;
    }
    s = timings->rank == 0 ? add_to_frame(timings, "tiles", tiles) : STATUS_OK;
    return parallel_agree(timings->comm, s);
}

status io_timings_add_events(io_timings *timings, const base_events *events)
{
    json_t *all = NULL;
    double origin = timings->rank == 0 ? frame_begin(timings) : 0.0;
    MPI_Request request;
    MPI_Ibcast(&origin, 1, MPI_DOUBLE, 0, timings->comm, &request);
    parallel_wait(&request);
    status s = io_timings_describe_events(timings->comm, events,
                                          origin + timings->place.clock_offset, &all);
    if (s != STATUS_OK) {
        return s;
    }
    s = timings->rank == 0 ? add_to_frame(timings, "events", all) : STATUS_OK;
    return parallel_agree(timings->comm, s);
}

static int describe_total(const totals *total, json_t *all)
{
    json_t *summary = json_object();
    json_t *seconds = json_object();
    int failed = json_object_set_new(summary, "frames", json_integer(total->frames));
    for (int stage = 0; stage < STAGES; stage++) {
        failed |= json_object_set_new(seconds, stages[stage].name,
                                      io_json_number(total->seconds[stage]));
    }
    failed |= json_object_set_new(summary, "seconds", seconds);
    for (int which = 0; which < SUMS; which++) {
        failed |= json_object_set_new(summary, sums[which].name,
                                      json_integer(total->sums[which]));
    }
    failed |= json_object_set_new(summary, "crossings_per_second_and_core",
                                  rate(total->sums[CROSSINGS], total->core_seconds));
    failed |=
        json_object_set_new(summary, "peak_memory", io_json_number(total->peak_memory));
    return failed | json_object_set_new(all, "total", summary);
}

static int describe_all(const io_timings *t, json_t *all)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    int failed = json_object_set_new(all, "version", io_json_text(t->version));
    failed |= json_object_set_new(all, "config", io_json_text(t->config));
    failed |= json_object_set_new(all, "host", io_json_text(host));
    failed |= json_object_set_new(all, "ranks", json_integer(t->ranks));
    failed |= json_object_set_new(all, "threads", json_integer(t->threads));
    if (t->has_place) {
        failed |= json_object_set_new(all, "nodes", json_integer(t->place.nodes));
        failed |= json_object_set_new(all, "cores", json_integer(t->place.cores));
        failed |=
            json_object_set_new(all, "clock_error", io_json_number(t->place.clock_error));
    }
    if (t->composite) {
        failed |= json_object_set(all, "composite", t->composite);
    }
    failed |= json_object_set(all, "frames", t->frames);
    return failed | describe_total(&t->total, all);
}

status io_timings_describe(const io_timings *timings, json_t **out)
{
    json_t *all = json_object();
    if (describe_all(timings, all)) {
        json_decref(all);
        return base_fail_memory(4096, "timings");
    }
    *out = all;
    return STATUS_OK;
}

static status write_document(const io_timings *t, const char *path)
{
    json_t *all = NULL;
    const status described = io_timings_describe(t, &all);
    if (described != STATUS_OK) {
        return described;
    }
    size_t size = 0;
    char *text = io_json_print(all, &size);
    json_decref(all);
    if (!text) {
        return base_fail_memory(4096, "the timings file");
    }
    status s = io_file_write(path, text, size);
    free(text);
    return s;
}

status io_timings_write(io_timings *timings, const char *path)
{
    status s = timings->rank == 0 ? write_document(timings, path) : STATUS_OK;
    return parallel_agree(timings->comm, s);
}

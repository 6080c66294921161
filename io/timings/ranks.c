#include "ranks.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

const char *io_timings_stage_name(io_stage stage)
{
    static const char *const names[] = {[IO_STAGE_LOAD] = "load",
                                        [IO_STAGE_RENDER] = "render",
                                        [IO_STAGE_COMPOSITE] = "composite",
                                        [IO_STAGE_FINISH] = "finish",
                                        [IO_STAGE_WRITE] = "write"};
    return names[stage];
}

typedef struct member {
    const char *name;
    size_t offset;
} member;

static const member parts[] = {
    {"begin", offsetof(io_stage_time, begin)},
    {"wall", offsetof(io_stage_time, wall)},
    {"cpu", offsetof(io_stage_time, cpu)},
    {"waited", offsetof(io_stage_time, waited)},
};

static const member counts[] = {
    {"rays", offsetof(io_frame_counts, rays)},
    {"crossings", offsetof(io_frame_counts, crossings)},
    {"active_pixels", offsetof(io_frame_counts, active_pixels)},
    {"messages_sent", offsetof(io_frame_counts, messages_sent)},
    {"bytes_sent", offsetof(io_frame_counts, bytes_sent)},
    {"bytes_shared", offsetof(io_frame_counts, bytes_shared)},
    {"bricks_held", offsetof(io_frame_counts, bricks_held)},
    {"bricks_loaded", offsetof(io_frame_counts, bricks_loaded)},
    {"cells_held", offsetof(io_frame_counts, cells_held)},
    {"peak_memory", offsetof(io_frame_counts, peak_memory)},
    {"kept_bytes", offsetof(io_frame_counts, kept_bytes)},
    {"active_x0", offsetof(io_frame_counts, active)},
    {"active_y0", offsetof(io_frame_counts, active) + sizeof(int64_t)},
    {"active_x1", offsetof(io_frame_counts, active) + 2 * sizeof(int64_t)},
    {"active_y1", offsetof(io_frame_counts, active) + 3 * sizeof(int64_t)},
    {"position", offsetof(io_frame_counts, position)},
    {"node", offsetof(io_frame_counts, node)},
};

/* Rounds to six digits, a microsecond, to keep the file small. */
static json_t *seconds(double value)
{
    return isfinite(value) ? json_real(round(1e6 * value) * 1e-6) : json_null();
}

static json_t *describe_stage(int ranks, const io_timings_record *records, io_stage stage,
                              member part, double begin)
{
    const bool is_begin = part.offset == offsetof(io_stage_time, begin);
    json_t *values = json_array();
    int failed = 0;
    for (int r = 0; r < ranks; r++) {
        const io_stage_time *time = &records[r].times.stages[stage];
        double value = *(const double *)(const void *)((const char *)time + part.offset);
        failed |= json_array_append_new(values, seconds(value - (is_begin ? begin : 0)));
    }
    if (failed) {
        json_decref(values);
        return NULL;
    }
    return values;
}

static json_t *describe_part(int ranks, const io_timings_record *records, member part,
                             double begin)
{
    json_t *all = json_object();
    int failed = 0;
    for (io_stage stage = 0; stage < IO_STAGES; stage++) {
        failed |= json_object_set_new(all, io_timings_stage_name(stage),
                                      describe_stage(ranks, records, stage, part, begin));
    }
    if (failed) {
        json_decref(all);
        return NULL;
    }
    return all;
}

static json_t *describe_count(int ranks, const io_timings_record *records, member count)
{
    json_t *values = json_array();
    int failed = 0;
    for (int r = 0; r < ranks; r++) {
        const char *from = (const char *)&records[r].counts;
        int64_t value = *(const int64_t *)(const void *)(from + count.offset);
        failed |= json_array_append_new(values, json_integer(value));
    }
    if (failed) {
        json_decref(values);
        return NULL;
    }
    return values;
}

json_t *io_timings_describe_ranks(int ranks, const io_timings_record *records,
                                  double begin)
{
    json_t *all = json_object();
    int failed = 0;
    for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) {
        failed |= json_object_set_new(all, parts[n].name,
                                      describe_part(ranks, records, parts[n], begin));
    }
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        failed |= json_object_set_new(all, counts[n].name,
                                      describe_count(ranks, records, counts[n]));
    }
    if (failed) {
        json_decref(all);
        return NULL;
    }
    return all;
}

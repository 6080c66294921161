#include "stream.h"

#include "base/parallel/parallel.h"
#include "flow.h"
#include "trace/tracer.h"

#include <stdlib.h>

/* The recipes of the velocity, at vertices. */
static status find_recipes(const frame_stream *flow, frame_flow_recipes *out)
{
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    const int count = io_source_field_count(flow->source);
    status s = STATUS_OK;
    for (int c = 0; c < 3 && s == STATUS_OK; c++) {
        s = grid_recipe_create(names[c], count, io_source_fields(flow->source),
                               *flow->terms, &out->of[TRACE_U + c]);
        if (s == STATUS_OK) {
            grid_recipe_move_to_vertices(out->of[TRACE_U + c]);
        }
    }
    return s;
}

/* Loads the velocity on this rank's part of all bricks. Collective. */
static status load_flow(const frame_stream *flow, frame_flow **out)
{
    const int rank = parallel_rank(flow->comm), ranks = parallel_size(flow->comm);
    const int64_t all = flow->layout->nbricks;
    const int64_t first = all * rank / ranks, end = all * (rank + 1) / ranks;
    int64_t *numbers = malloc(((size_t)(end - first) + 1) * sizeof *numbers);
    frame_flow_recipes recipes = {0};
    status s = numbers ? find_recipes(flow, &recipes)
                       : base_fail_memory((size_t)(end - first) * 8, "a streamline");
    s = parallel_agree(flow->comm, s);
    if (s == STATUS_OK) {
        int64_t count = 0;
        for (int64_t n = first; n < end; n++) {
            numbers[count] = n;
            count += flow->layout->bricks[n].cells > 0;
        }
        const io_load_list list = {flow->layout, count, numbers, GRID_VERTEX};
        s = frame_flow_create(flow->comm, flow->source, &list, APP_FLOW_STEADY, &recipes,
                              out);
    }
    s = s == STATUS_OK ? frame_flow_load(*out, flow->source, flow->step, NULL, NULL) : s;
    frame_flow_recipes_clear(&recipes);
    free(numbers);
    return s;
}

/* Takes the points of a line. Local. */
static status take_line(const trace_lines *lines, const vec3 origin, int64_t *count,
                        frame_stream_point **points)
{
    const trace_line *line = lines->lines;
    if (lines->nlines == 0) {
        return base_fail(STATUS_USAGE, "the flow rests at that point");
    }
    *points = malloc((size_t)line->count * sizeof **points);
    if (!*points) {
        return base_fail_memory((size_t)line->count * sizeof **points, "a streamline");
    }
    for (int64_t n = 0; n < line->count; n++) {
        const trace_point *from = &lines->points[line->first + n];
        frame_stream_point *to = &(*points)[n];
        for (int axis = 0; axis < 3; axis++) {
            to->x[axis] = (double)from->x[axis] + origin.v[axis];
        }
        to->time = (double)from->age;
    }
    *count = line->count;
    return STATUS_OK;
}

status frame_stream_trace(const frame_stream *stream, const double x[3], int64_t *count,
                          frame_stream_point **points)
{
    const vec3 origin = stream->layout->origin;
    frame_flow *flow = NULL;
    trace_tracer *tracer = NULL;
    double seed[1][3];
    for (int axis = 0; axis < 3; axis++) {
        seed[0][axis] = x[axis] - origin.v[axis];
    }
    const trace_options options = {.mode = TRACE_STREAM, .direction = TRACE_BOTH};
    const trace_seeds seeds = {.npoints = 1, .points = (const double(*)[3])seed};
    status s = load_flow(stream, &flow);
    s = s == STATUS_OK ? trace_tracer_create(stream->comm, frame_flow_velocity(flow),
                                             &options, &seeds, &tracer)
                       : s;
    s = s == STATUS_OK ? trace_tracer_step(
                             tracer, io_source_steps(stream->source)[stream->step].time)
                       : s;
    if (s == STATUS_OK) {
        s = parallel_agree(stream->comm,
                           take_line(trace_tracer_lines(tracer), origin, count, points));
    }
    trace_tracer_destroy(&tracer);
    frame_flow_destroy(&flow);
    return s;
}

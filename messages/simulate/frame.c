#include "frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static status fail(const char *path, const char *reason)
{
    return base_fail(STATUS_INPUT,
                     "%s has no timings of a run: %s; a config's output.timings names a "
                     "file for them",
                     path, reason);
}

status simulate_frame_load(const char *path, json_t **out)
{
    json_error_t error;
    json_t *timings = json_load_file(path, 0, &error);
    if (!timings) {
        return fail(path, error.text);
    }
    if (json_array_size(json_object_get(timings, "frames")) == 0) {
        json_decref(timings);
        return fail(path, "it lists no frames");
    }
    *out = timings;
    return STATUS_OK;
}

/* ---- Arrays of ranks --------------------------------------------------------------- */

/* The number of an array of the frame for a rank; NaN: there is none. */
static double number_of(const json_t *list, int rank)
{
    const json_t *value = json_array_get(list, (size_t)rank);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The rank at each position, [size]: from the frame, or rank by rank. */
static void find_order(const json_t *ranks, int size, int *order)
{
    const json_t *positions = json_object_get(ranks, "position");
    bool is_order = true;
    for (int q = 0; q < size; q++) {
        order[q] = -1;
    }
    for (int r = 0; r < size && is_order; r++) {
        const double at = number_of(positions, r);
        is_order = at >= 0 && at < size && order[(int)at] < 0;
        if (is_order) {
            order[(int)at] = r;
        }
    }
    for (int q = 0; q < size && !is_order; q++) {
        order[q] = q;
    }
}

/* Columns and rows of pictures are at most 2^20. */
static int pixel_of(const json_t *ranks, const char *key, int rank)
{
    const double value = number_of(json_object_get(ranks, key), rank);
    return value >= 0 && value <= 1 << 20 ? (int)value : -1;
}

static status read_rank(const char *path, const json_t *ranks, int rank, int position,
                        simulate_frame *out)
{
    static const char *const stage = "composite";
    const pixel_rect rect = {
        pixel_of(ranks, "active_x0", rank), pixel_of(ranks, "active_y0", rank),
        pixel_of(ranks, "active_x1", rank), pixel_of(ranks, "active_y1", rank)};
    const double active = number_of(json_object_get(ranks, "active_pixels"), rank);
    out->begin[position] =
        number_of(json_object_get(json_object_get(ranks, "begin"), stage), rank);
    out->wall[position] =
        number_of(json_object_get(json_object_get(ranks, "wall"), stage), rank);
    if (rect.x0 < 0 || rect.y0 < 0 || rect.x1 < rect.x0 || rect.y1 < rect.y0 ||
        !(active >= 0 && active < 1e12)) {
        return fail(path, "a rank has no rectangle of active pixels");
    }
    if (!isfinite(out->begin[position]) || !isfinite(out->wall[position])) {
        return fail(path, "a rank has no time of compositing");
    }
    out->rects[position] = rect;
    out->active[position] = (int64_t)active;
    return STATUS_OK;
}

/* ---- Stages ------------------------------------------------------------------------ */

/* The most seconds that a rank spent in events of a kind. */
static double most_of(const json_t *events, const char *kind)
{
    double most = 0;
    size_t r;
    const json_t *rank;
    json_array_foreach(events, r, rank)
    {
        double sum = 0;
        size_t n;
        const json_t *name;
        json_array_foreach(json_object_get(rank, "kind"), n, name)
        {
            const char *text = json_string_value(name);
            if (text && strcmp(text, kind) == 0) {
                sum +=
                    json_number_value(json_array_get(json_object_get(rank, "wall"), n));
            }
        }
        most = fmax(most, sum);
    }
    return json_is_array(events) ? most : NAN;
}

static void read_stages(const json_t *frame, simulate_frame *out)
{
    const json_t *seconds = json_object_get(frame, "seconds");
    const json_t *finish = json_object_get(json_object_get(seconds, "finish"), "max");
    const json_t *events = json_object_get(frame, "events");
    out->finish = json_is_number(finish) ? json_number_value(finish) : NAN;
    out->blending = most_of(events, "blend");
    out->waiting = most_of(events, "wait");
    double first = INFINITY;
    for (int q = 0; q < out->size; q++) {
        first = fmin(first, out->begin[q]);
    }
    for (int q = 0; q < out->size; q++) {
        out->begin[q] -= first;
    }
}

/* ---- Frames ------------------------------------------------------------------------ */

static status make_room(int size, simulate_frame *out)
{
    const size_t count = (size_t)size;
    *out = (simulate_frame){.size = size,
                            .order = calloc(count, sizeof *out->order),
                            .rects = calloc(count, sizeof *out->rects),
                            .active = calloc(count, sizeof *out->active),
                            .begin = calloc(count, sizeof *out->begin),
                            .wall = calloc(count, sizeof *out->wall)};
    if (!out->order || !out->rects || !out->active || !out->begin || !out->wall) {
        simulate_frame_clear(out);
        return base_fail_memory(count * sizeof *out->rects, "the ranks of a frame");
    }
    return STATUS_OK;
}

status simulate_frame_read(const char *path, const json_t *timings, size_t number,
                           simulate_frame *out)
{
    const json_t *frame = json_array_get(json_object_get(timings, "frames"), number);
    const json_t *ranks = json_object_get(frame, "ranks");
    const size_t size = json_array_size(json_object_get(ranks, "active_pixels"));
    if (size < 1 || size > 1 << 20) {
        return fail(path, "a frame has no numbers of its ranks");
    }
    status s = make_room((int)size, out);
    if (s != STATUS_OK) {
        return s;
    }
    find_order(ranks, (int)size, out->order);
    for (int q = 0; q < (int)size && s == STATUS_OK; q++) {
        s = read_rank(path, ranks, out->order[q], q, out);
    }
    if (s != STATUS_OK) {
        simulate_frame_clear(out);
        return s;
    }
    read_stages(frame, out);
    return STATUS_OK;
}

void simulate_frame_clear(simulate_frame *frame)
{
    free(frame->order);
    free(frame->rects);
    free(frame->active);
    free(frame->begin);
    free(frame->wall);
    *frame = (simulate_frame){0};
}

status simulate_frame_fill(const char *path, const simulate_frame *frame, int width,
                           int height, simulate_activity *activity)
{
    status s = simulate_activity_create(width, height, frame->size, activity);
    for (int q = 0; q < frame->size && s == STATUS_OK; q++) {
        const pixel_rect rect = frame->rects[q];
        if (rect.x1 > width || rect.y1 > height) {
            s = base_fail(STATUS_INPUT,
                          "%s is of a larger picture than %d x %d pixels: give its "
                          "--width and --height",
                          path, width, height);
            break;
        }
        simulate_activity_rectangle(activity, q, rect, frame->active[q]);
    }
    if (s != STATUS_OK) {
        simulate_activity_clear(activity);
        return s;
    }
    simulate_activity_finish(activity);
    return STATUS_OK;
}

status simulate_frame_activity(const char *path, int width, int height, int size,
                               simulate_activity *activity)
{
    json_t *timings = NULL;
    status s = simulate_frame_load(path, &timings);
    if (s != STATUS_OK) {
        return s;
    }
    simulate_frame frame = {0};
    const size_t frames = json_array_size(json_object_get(timings, "frames"));
    s = simulate_frame_read(path, timings, frames - 1, &frame);
    if (s == STATUS_OK && frame.size != size) {
        s = base_fail(STATUS_USAGE,
                      "%s is of %d ranks, but %d are simulated: give "
                      "--ranks %d",
                      path, frame.size, size, frame.size);
    }
    s = s == STATUS_OK ? simulate_frame_fill(path, &frame, width, height, activity) : s;
    simulate_frame_clear(&frame);
    json_decref(timings);
    return s;
}

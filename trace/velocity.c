#include "velocity.h"

#include <stdlib.h>

struct trace_velocity {
    const grid_store *store;
    int width;     /* floats per vertex: 3, or 4 with a field */
    float *before; /* [nvertices][width]; NULL if the flow is steady */
    float *now;    /* [nvertices][width] */
};

status trace_velocity_create(const grid_store *store, bool unsteady, bool has_field,
                             trace_velocity **out)
{
    const int width = has_field ? TRACE_COMPONENTS : TRACE_FIELD;
    const size_t count = (size_t)store->nvertices * (size_t)width + 1;
    trace_velocity *made = calloc(1, sizeof *made);
    if (made) {
        *made = (trace_velocity){store, width, NULL, calloc(count, sizeof *made->now)};
        made->before = unsteady ? calloc(count, sizeof *made->before) : NULL;
    }
    if (!made || !made->now || (unsteady && !made->before)) {
        trace_velocity_destroy(&made);
        return base_fail_memory(count * sizeof(float) * (unsteady ? 2 : 1),
                                "the velocity that particles follow");
    }
    *out = made;
    return STATUS_OK;
}

void trace_velocity_destroy(trace_velocity **velocity)
{
    if (*velocity) {
        free((*velocity)->before);
        free((*velocity)->now);
        free(*velocity);
        *velocity = NULL;
    }
}

void trace_velocity_turn(trace_velocity *velocity)
{
    if (velocity->before) {
        float *before = velocity->before;
        velocity->before = velocity->now;
        velocity->now = before;
    }
}

static size_t value_count(const trace_velocity *velocity)
{
    return (size_t)velocity->store->nvertices * (size_t)velocity->width + 1;
}

status trace_velocity_begin(trace_velocity *velocity)
{
    const size_t bytes = value_count(velocity) * sizeof(float);
    float *next = malloc(bytes);
    if (!next) {
        return base_fail_memory(bytes, "the velocity that particles follow");
    }
    velocity->before = velocity->now;
    velocity->now = next;
    return STATUS_OK;
}

void trace_velocity_end(trace_velocity *velocity)
{
    free(velocity->before);
    velocity->before = NULL;
}

int64_t trace_velocity_bytes(const trace_velocity *velocity)
{
    const int copies = velocity->before ? 2 : 1;
    return copies * (int64_t)(value_count(velocity) * sizeof(float));
}

void trace_velocity_set(trace_velocity *velocity, int component, const grid_store *store)
{
    const int width = velocity->width;
    for (int64_t n = 0; n < store->nvertices && component < width; n++) {
        velocity->now[n * width + component] = store->vertex[n][3];
    }
}

void trace_velocity_put(trace_velocity *velocity, int component, int64_t first,
                        int64_t count, const float *values)
{
    const int width = velocity->width;
    float *to = velocity->now + first * width + component;
    for (int64_t n = 0; n < count && component < width; n++) {
        to[n * width] = values[n];
    }
}

/* Adds the weighted values of the corners to sum: [width]. */
static void add_corners(const float *values, int width, const trace_corners *corners,
                        const double weight[8], double share, double *sum)
{
    for (int n = 0; n < 8; n++) {
        const float *at = values + corners->vertex[n] * width;
        for (int c = 0; c < width; c++) {
            sum[c] += share * (weight[n] * (double)at[c]);
        }
    }
}

trace_sample trace_velocity_sample(const trace_velocity *velocity,
                                   const trace_corners *corners, const double local[3],
                                   double share)
{
    double weight[8], sum[TRACE_COMPONENTS] = {0};
    for (int n = 0; n < 8; n++) {
        weight[n] = (n & 1 ? local[0] : 1.0 - local[0]) *
                    (n & 2 ? local[1] : 1.0 - local[1]) *
                    (n & 4 ? local[2] : 1.0 - local[2]);
    }
    share = velocity->before ? share : 1.0;
    /* Skip a flow with weight 0: zero times NaN would be NaN. */
    if (share < 1.0) {
        add_corners(velocity->before, velocity->width, corners, weight, 1.0 - share, sum);
    }
    if (share > 0.0) {
        add_corners(velocity->now, velocity->width, corners, weight, share, sum);
    }
    return (trace_sample){{sum[0], sum[1], sum[2]}, sum[TRACE_FIELD]};
}

const float *trace_velocity_now(const trace_velocity *velocity, int *width)
{
    *width = velocity->width;
    return velocity->now;
}

const grid_store *trace_velocity_store(const trace_velocity *velocity)
{
    return velocity->store;
}

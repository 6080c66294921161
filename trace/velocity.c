#include "velocity.h"

#include "adams/lanes.h"

#include <stdlib.h>

struct trace_velocity {
    const grid_store *store;
    int width;     /* floats per vertex: 3, or 4 with a field */
    float *before; /* [nvertices][width]; NULL if the flow is steady */
    float *now;
};

void trace_velocity_view(trace_velocity *velocity, const grid_view *views)
{
    const grid_store *store = velocity->store;
    for (int64_t n = 0; n < store->nbricks; n++) {
        const grid_brick *brick = &store->bricks[n];
        const int *cells = brick->place.n;
        grid_view_turn(&views[brick->place.block],
                       (int64_t)(cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1),
                       velocity->width,
                       velocity->now + (brick->vertex - store->vertex) * velocity->width);
    }
}

/* ---- Flows ------------------------------------------------------------------------- */

status trace_velocity_create(const grid_store *store, bool unsteady, bool has_field,
                             trace_velocity **out)
{
    const int width = has_field ? TRACE_COMPONENTS : TRACE_FIELD;
    const size_t count = (size_t)store->nvertices * (size_t)width + TRACE_ADAMS_PADDING;
    trace_velocity *made = calloc(1, sizeof *made);
    if (made) {
        *made = (trace_velocity){
            .store = store, .width = width, .now = calloc(count, sizeof *made->now)};
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
    return (size_t)velocity->store->nvertices * (size_t)velocity->width +
           TRACE_ADAMS_PADDING;
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

/* Sets a row of `count` vertices from `vertex` on. `at`: the first value of each
 * component. */
static void put_row(trace_velocity *velocity, int64_t vertex, int64_t count,
                    const trace_components *values, int64_t at)
{
    const int width = velocity->width;
    const float *const *of = values->of;
    float *to = velocity->now + vertex * width;
    for (int c = 0; c < values->count && values->first + c < width; c++) {
        for (int64_t n = 0; n < count; n++) {
            to[n * width + values->first + c] = of[c][at + n];
        }
    }
}

void trace_velocity_put(trace_velocity *velocity, const grid_brick *brick,
                        const trace_components *values)
{
    const int *n = brick->place.n;
    int64_t vertex = brick->vertex - velocity->store->vertex;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++, vertex += n[0] + 1) {
            put_row(velocity, vertex, n[0] + 1, values,
                    k * values->plane + j * values->row);
        }
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

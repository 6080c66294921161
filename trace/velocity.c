#include "velocity.h"

#include "adams/lanes.h"

#include <stdlib.h>
#include <string.h>

struct trace_velocity {
    const grid_store *store;
    int width; /* floats per vertex: 3, or 4 with a field */
    bool has_flat_grid, is_flat, is_planar;
    bool has_w;    /* w is not zero, or has a sign, somewhere in the present flow */
    float *before; /* [nvertices][width]; NULL if the flow is steady */
    float *now;    /* [nvertices][width] */
};

/* ---- Flatness ---------------------------------------------------------------------- */

/* Vertices of a plane of a brick. */
static int64_t plane_size(const grid_brick *brick)
{
    return (int64_t)(brick->place.n[0] + 1) * (brick->place.n[1] + 1);
}

/* Whether the cells of a brick are flat: trace/adams/lanes.h. */
static bool is_flat_brick(const grid_brick *brick)
{
    const int64_t size = plane_size(brick);
    const float(*low)[4] = (const float(*)[4])brick->vertex, (*high)[4] = low + size;
    bool all = brick->place.n[2] == 1;
    for (int64_t n = 0; n < size && all; n++) {
        all = low[n][0] == high[n][0] && low[n][1] == high[n][1] &&
              low[n][2] == low[0][2] && high[n][2] == high[0][2];
    }
    return all;
}

static bool is_flat_grid(const grid_store *store)
{
    bool all = true;
    for (int64_t n = 0; n < store->nbricks && all; n++) {
        all = is_flat_brick(&store->bricks[n]);
    }
    return all;
}

void trace_velocity_settle(trace_velocity *velocity)
{
    const grid_store *store = velocity->store;
    bool all = velocity->has_flat_grid;
    for (int64_t n = 0; n < store->nbricks && all; n++) {
        const grid_brick *brick = &store->bricks[n];
        const size_t size = (size_t)plane_size(brick) * (size_t)velocity->width;
        const float *low =
            velocity->now + (brick->vertex - store->vertex) * velocity->width;
        all = memcmp(low, low + size, size * sizeof *low) == 0;
    }
    velocity->is_flat = all;
    velocity->is_planar = all && !velocity->has_w;
}

/* ---- Flows ------------------------------------------------------------------------- */

status trace_velocity_create(const grid_store *store, bool unsteady, bool has_field,
                             trace_velocity **out)
{
    const int width = has_field ? TRACE_COMPONENTS : TRACE_FIELD;
    const size_t count = (size_t)store->nvertices * (size_t)width + TRACE_ADAMS_PADDING;
    trace_velocity *made = calloc(1, sizeof *made);
    if (made) {
        *made = (trace_velocity){.store = store,
                                 .width = width,
                                 .has_flat_grid = is_flat_grid(store),
                                 .now = calloc(count, sizeof *made->now)};
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

/* All components of the present flow will be set. */
static void start_flow(trace_velocity *velocity)
{
    velocity->is_flat = velocity->is_planar = velocity->has_w = false;
}

/* Notes values of w. Threads may do so at once. */
static void note_w(trace_velocity *velocity, const float *w, int64_t count)
{
    uint32_t any = 0;
    for (int64_t n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, &w[n], sizeof bits);
        any |= bits;
    }
    if (any) {
#pragma omp atomic write
        velocity->has_w = true;
    }
}

void trace_velocity_turn(trace_velocity *velocity)
{
    if (velocity->before) {
        float *before = velocity->before;
        velocity->before = velocity->now;
        velocity->now = before;
        start_flow(velocity);
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
    start_flow(velocity);
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
        if (component == TRACE_W) {
            note_w(velocity, &store->vertex[n][3], 1);
        }
    }
}

/* All components of a flow without a field. */
static void put_velocity(const float *restrict u, const float *restrict v,
                         const float *restrict w, int64_t count, float *restrict to)
{
    for (int64_t n = 0; n < count; n++) {
        to[3 * n] = u[n];
        to[3 * n + 1] = v[n];
        to[3 * n + 2] = w[n];
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
    if (values->first <= TRACE_W && TRACE_W < values->first + values->count) {
        note_w(velocity, of[TRACE_W - values->first] + at, count);
    }
    if (values->count == 3 && width == 3) {
        put_velocity(of[0] + at, of[1] + at, of[2] + at, count, to);
        return;
    }
    for (int c = 0; c < values->count && values->first + c < width; c++) {
        for (int64_t n = 0; n < count; n++) {
            to[n * width + values->first + c] = of[c][at + n];
        }
    }
}

/* Copies the plane of a brick before the one that begins at `vertex` to that. */
static void copy_plane(trace_velocity *velocity, const grid_brick *brick, int64_t vertex)
{
    const size_t count = (size_t)plane_size(brick) * (size_t)velocity->width;
    float *to = velocity->now + vertex * velocity->width;
    memcpy(to, to - count, count * sizeof *to);
}

void trace_velocity_put(trace_velocity *velocity, const grid_brick *brick,
                        const trace_components *values)
{
    const int *n = brick->place.n;
    int64_t vertex = brick->vertex - velocity->store->vertex;
    const bool are_alike = values->plane == 0 && values->count >= velocity->width;
    for (int k = 0; k <= n[2]; k++) {
        if (k > 0 && are_alike) {
            copy_plane(velocity, brick, vertex);
            vertex += plane_size(brick);
            continue;
        }
        for (int j = 0; j <= n[1]; j++) {
            put_row(velocity, vertex, n[0] + 1, values,
                    k * values->plane + j * values->row);
            vertex += n[0] + 1;
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

trace_flow trace_velocity_now(const trace_velocity *velocity)
{
    return (trace_flow){velocity->now, velocity->width, velocity->is_flat,
                        velocity->is_planar};
}

const grid_store *trace_velocity_store(const trace_velocity *velocity)
{
    return velocity->store;
}

#include "velocity.h"

#include "adams/lanes.h"
#include "base/lanes/choose.h"

#include <stdlib.h>
#include <string.h>

/* The values of a flow. */
typedef struct flow_values {
    float *at;   /* [nvertices][width] */
    bool is_low; /* in flat bricks the upper planes of vertices are not set: they have the
                    values of the lower ones */
} flow_values;

struct trace_velocity {
    const grid_store *store;
    int width; /* floats per vertex: 3, or 4 with a field */
    bool has_flat_grid, has_full_grid, is_flat, is_planar;
    bool has_w;         /* w is not zero, or has a sign, somewhere in the present flow */
    uint8_t *has_low;   /* [nbricks]: the upper plane of the brick is not set yet */
    flow_values before; /* NULL if the flow is steady */
    flow_values now;
};

trace_put_kernel *const *trace_put_kernels(void)
{
    static trace_put_kernel *const all[] = {
#ifdef KARMAN_X86_KERNELS
        trace_put_avx512, trace_put_avx2,
#endif
        trace_put_plain, NULL};
    return all + lanes_missing();
}

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

static bool is_full_grid(const grid_store *store)
{
    bool all = true;
    for (int64_t n = 0; n < store->nbricks && all; n++) {
        all = grid_layout_brick_is_full(store->layout, store->bricks[n].number);
    }
    return all;
}

/* The present flow at the lower plane of a brick. */
static float *low_plane(const trace_velocity *velocity, const grid_brick *brick)
{
    return velocity->now.at + (brick->vertex - velocity->store->vertex) * velocity->width;
}

/* Values of a plane of a brick. */
static size_t plane_values(const trace_velocity *velocity, const grid_brick *brick)
{
    return (size_t)plane_size(brick) * (size_t)velocity->width;
}

/* Whether both planes of all bricks have the same values. */
static bool are_planes_alike(const trace_velocity *velocity)
{
    const grid_store *store = velocity->store;
    bool all = velocity->has_flat_grid;
    for (int64_t n = 0; n < store->nbricks && all; n++) {
        const size_t size = plane_values(velocity, &store->bricks[n]);
        const float *low = low_plane(velocity, &store->bricks[n]);
        all = velocity->has_low[n] || memcmp(low, low + size, size * sizeof *low) == 0;
    }
    return all;
}

/* Sets the upper planes that are not set yet. */
static void fill_planes(trace_velocity *velocity)
{
    const grid_store *store = velocity->store;
    for (int64_t n = 0; n < store->nbricks; n++) {
        if (velocity->has_low[n]) {
            const size_t size = plane_values(velocity, &store->bricks[n]);
            float *low = low_plane(velocity, &store->bricks[n]);
            memcpy(low + size, low, size * sizeof *low);
        }
        velocity->has_low[n] = false;
    }
}

void trace_velocity_view(trace_velocity *velocity, const grid_view *views)
{
    const grid_store *store = velocity->store;
    for (int64_t n = 0; n < store->nbricks; n++) {
        const grid_brick *brick = &store->bricks[n];
        const grid_view *view = &views[brick->place.block];
        const int planes = velocity->has_low[n] ? 1 : brick->place.n[2] + 1;
        grid_view_turn(view, planes * plane_size(brick), velocity->width,
                       low_plane(velocity, brick));
        velocity->has_w = velocity->has_w || view->on;
    }
}

void trace_velocity_settle(trace_velocity *velocity)
{
    const size_t count = (size_t)velocity->store->nbricks;
    velocity->is_flat = are_planes_alike(velocity);
    velocity->is_planar = velocity->is_flat && !velocity->has_w;
    velocity->now.is_low = count > 0 && !memchr(velocity->has_low, false, count);
    if (!velocity->now.is_low) {
        fill_planes(velocity);
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
        *made = (trace_velocity){.store = store,
                                 .width = width,
                                 .has_flat_grid = is_flat_grid(store),
                                 .has_full_grid = is_full_grid(store),
                                 .has_low = calloc((size_t)store->nbricks + 1, 1),
                                 .now = {calloc(count, sizeof *made->now.at), false}};
        made->before.at = unsteady ? calloc(count, sizeof *made->before.at) : NULL;
    }
    if (!made || !made->has_low || !made->now.at || (unsteady && !made->before.at)) {
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
        free((*velocity)->has_low);
        free((*velocity)->before.at);
        free((*velocity)->now.at);
        free(*velocity);
        *velocity = NULL;
    }
}

/* All components of the present flow will be set. */
static void start_flow(trace_velocity *velocity)
{
    velocity->is_flat = velocity->is_planar = velocity->has_w = false;
    velocity->now.is_low = false;
    memset(velocity->has_low, false, (size_t)velocity->store->nbricks);
}

/* Notes that w has these bits somewhere. Threads may do so at once. */
static void note_bits(trace_velocity *velocity, uint32_t any)
{
    if (any) {
#pragma omp atomic write
        velocity->has_w = true;
    }
}

/* Notes values of w. */
static void note_w(trace_velocity *velocity, const float *w, int64_t count)
{
    uint32_t any = 0;
    for (int64_t n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, &w[n], sizeof bits);
        any |= bits;
    }
    note_bits(velocity, any);
}

void trace_velocity_turn(trace_velocity *velocity)
{
    if (velocity->before.at) {
        const flow_values before = velocity->before;
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
    velocity->now.at = next;
    start_flow(velocity);
    return STATUS_OK;
}

void trace_velocity_end(trace_velocity *velocity)
{
    free(velocity->before.at);
    velocity->before.at = NULL;
}

int64_t trace_velocity_bytes(const trace_velocity *velocity)
{
    const int copies = velocity->before.at ? 2 : 1;
    return copies * (int64_t)(value_count(velocity) * sizeof(float));
}

void trace_velocity_set(trace_velocity *velocity, int component, const grid_store *store)
{
    const int width = velocity->width;
    fill_planes(velocity);
    velocity->now.is_low = false;
    for (int64_t n = 0; n < store->nvertices && component < width; n++) {
        velocity->now.at[n * width + component] = store->vertex[n][3];
        if (component == TRACE_W) {
            note_w(velocity, &store->vertex[n][3], 1);
        }
    }
}

/* Sets a row of `count` vertices from `vertex` on. `at`: the first value of each
 * component. */
static void put_row(trace_velocity *velocity, int64_t vertex, int64_t count,
                    const trace_components *values, int64_t at)
{
    const int width = velocity->width;
    const float *const *of = values->of;
    float *to = velocity->now.at + vertex * width;
    if (values->first <= TRACE_W && TRACE_W < values->first + values->count) {
        note_w(velocity, of[TRACE_W - values->first] + at, count);
    }
    for (int c = 0; c < values->count && values->first + c < width; c++) {
        for (int64_t n = 0; n < count; n++) {
            to[n * width + values->first + c] = of[c][at + n];
        }
    }
}

/* Whether the upper plane of a brick may stay as it is. */
static bool is_low_enough(const trace_velocity *velocity, const trace_components *values)
{
    return velocity->has_flat_grid && values->plane == 0 &&
           values->count >= velocity->width;
}

/* Sets a plane of a brick from `vertex` on. `at`: the first value of each component. */
static void put_plane(trace_velocity *velocity, const int n[3], int64_t vertex,
                      const trace_components *values, int64_t at)
{
    const int count = n[0] + 1, rows = n[1] + 1;
    if (values->count == 3 && velocity->width == 3) {
        const trace_put_rows all = {
            count,
            rows,
            values->row,
            {values->of[0] + at, values->of[1] + at, values->of[2] + at}};
        note_bits(velocity, trace_put_kernels()[0](&all, velocity->now.at + 3 * vertex));
        return;
    }
    for (int j = 0; j < rows; j++, vertex += count) {
        put_row(velocity, vertex, count, values, at + j * values->row);
    }
}

void trace_velocity_put(trace_velocity *velocity, const grid_brick *brick,
                        const trace_components *values)
{
    const int *n = brick->place.n;
    const bool is_low = is_low_enough(velocity, values);
    const int64_t vertex = brick->vertex - velocity->store->vertex;
    velocity->has_low[brick - velocity->store->bricks] = is_low;
    for (int k = 0; k <= (is_low ? 0 : n[2]); k++) {
        put_plane(velocity, n, vertex + k * plane_size(brick), values, k * values->plane);
    }
}

/* Adds the weighted values of the corners to sum: [width]. */
static void add_corners(const flow_values *values, int width,
                        const trace_corners *corners, const double weight[8],
                        double share, double *sum)
{
    for (int n = 0; n < 8; n++) {
        const int corner = values->is_low ? n & 3 : n;
        const float *at = values->at + corners->vertex[corner] * width;
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
    share = velocity->before.at ? share : 1.0;
    /* Skip a flow with weight 0: zero times NaN would be NaN. */
    if (share < 1.0) {
        add_corners(&velocity->before, velocity->width, corners, weight, 1.0 - share,
                    sum);
    }
    if (share > 0.0) {
        add_corners(&velocity->now, velocity->width, corners, weight, share, sum);
    }
    return (trace_sample){{sum[0], sum[1], sum[2]}, sum[TRACE_FIELD]};
}

trace_flow trace_velocity_now(const trace_velocity *velocity)
{
    return (trace_flow){.values = velocity->now.at,
                        .width = velocity->width,
                        .has_flat_grid = velocity->has_flat_grid,
                        .has_full_grid = velocity->has_full_grid,
                        .is_flat = velocity->is_flat,
                        .is_planar = velocity->is_planar};
}

const grid_store *trace_velocity_store(const trace_velocity *velocity)
{
    return velocity->store;
}

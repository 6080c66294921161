#include "app/costs.h"

#include "app/layer.h"
#include "base/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct app_costs {
    bool is_on;           /* the frame at hand is looked at */
    bool is_lent;         /* style.seconds is `clocked`, and nobody else's */
    render_costs clocked; /* of tiles, by the clock */
    render_costs shared;  /* of tiles, by their fragments */
    render_costs weights; /* what fragments take */
    double *layers;       /* [job->nlayers]: seconds of each */
    double layer_begin;   /* on the clock of processors */
};

/* ---- Set-up ------------------------------------------------------------------------ */

status app_costs_create(app_job *job)
{
    if (!job->config->output.tile_costs || !job->timings) {
        return STATUS_OK;
    }
    app_costs *costs = calloc(1, sizeof *costs);
    if (!costs) {
        return base_fail_memory(sizeof *costs, "costs of tiles");
    }
    job->costs = costs;
    costs->layers = calloc((size_t)job->nlayers + 1, sizeof *costs->layers);
    status s = costs->layers ? STATUS_OK : base_fail_memory(64, "costs of tiles");
    render_costs *const all[] = {&costs->clocked, &costs->shared, &costs->weights};
    for (int n = 0; s == STATUS_OK && n < 3; n++) {
        s = render_costs_create(job->config->width, job->config->height, all[n]);
    }
    return s;
}

void app_costs_destroy(app_job *job)
{
    app_costs *costs = job->costs;
    if (costs) {
        render_costs_clear(&costs->clocked);
        render_costs_clear(&costs->shared);
        render_costs_clear(&costs->weights);
        free(costs->layers);
        free(costs);
        job->costs = NULL;
    }
}

static int64_t count_tiles(const render_costs *costs)
{
    return (int64_t)costs->columns * costs->rows;
}

static void clear(render_costs *costs)
{
    memset(costs->tile, 0, (size_t)count_tiles(costs) * sizeof *costs->tile);
}

static double sum_of(const render_costs *costs)
{
    double sum = 0.0;
    for (int64_t tile = 0; tile < count_tiles(costs); tile++) {
        sum += costs->tile[tile];
    }
    return sum;
}

/* ---- While a frame is drawn -------------------------------------------------------- */

void app_costs_begin(app_job *job, int frames_left)
{
    app_costs *costs = job->costs;
    if (!costs) {
        return;
    }
    costs->is_on = job->drawn == 0 || frames_left == 1;
    /* Where rectangles follow costs, tiles are clocked anyway: job->measured. */
    costs->is_lent = costs->is_on && !job->style.seconds;
    if (costs->is_lent) {
        clear(&costs->clocked);
        job->style.seconds = costs->clocked.tile;
    }
}

void app_costs_end(app_job *job)
{
    app_costs *costs = job->costs;
    if (costs && costs->is_lent) {
        job->style.seconds = NULL; /* else app/share.c would take it for its own */
    } else if (costs && costs->is_on) {
        memcpy(costs->clocked.tile, job->measured.tile,
               (size_t)count_tiles(&costs->clocked) * sizeof *costs->clocked.tile);
    }
}

void app_costs_begin_layer(app_job *job)
{
    if (job->costs && job->costs->is_on) {
        job->costs->layer_begin = base_cpu_clock();
    }
}

void app_costs_end_layer(app_job *job, int number)
{
    if (job->costs && job->costs->is_on) {
        job->costs->layers[number] = base_cpu_clock() - job->costs->layer_begin;
    }
}

/* ---- Afterwards -------------------------------------------------------------------- */

/* What the fragments of layers [first, end) take in each tile. */
static void weigh_fragments(const app_job *job, int first, int end, render_costs *weights)
{
    clear(weights);
    for (int n = first; n < end; n++) {
        for (int64_t tile = 0; tile < count_tiles(weights); tile++) {
            weights->tile[tile] += app_layers_cost(job, n, tile);
        }
    }
}

/* Where a point is seen, in pixels; false where it lies behind the viewer. */
static bool find_pixel(const render_camera *camera, const float point[3], double at[2])
{
    const vec3 away = vec3_sub(
        vec3_make((double)point[0], (double)point[1], (double)point[2]), camera->eye);
    const double depth = camera->orthographic ? 1.0 : vec3_dot(away, camera->forward);
    const double per_unit = camera->height / (2.0 * camera->scale * depth);
    at[0] = 0.5 * camera->width + vec3_dot(away, camera->right) * per_unit;
    at[1] = 0.5 * camera->height - vec3_dot(away, camera->up) * per_unit;
    return depth > 0.0;
}

/* The pixels of a tile along an axis that lie within [a0, a1). */
static double common_pixels(double tile, int a0, int a1)
{
    const double begin = tile * RENDER_SCREEN_TILE;
    return fmax(fmin(begin + RENDER_SCREEN_TILE, a1) - fmax(begin, a0), 0.0);
}

/* Spreads a weight over the four tiles whose middles are next to a pixel, as a group of
 * cells may be as large as a tile; each counts as far as it is in this rank's part of the
 * picture. */
static void spread(const render_camera *camera, const double at[2], double weight,
                   render_costs *weights)
{
    const pixel_rect window = camera->window;
    const double x = at[0] / RENDER_SCREEN_TILE - 0.5;
    const double y = at[1] / RENDER_SCREEN_TILE - 0.5;
    for (int n = 0; n < 4; n++) {
        const double column = floor(x) + n % 2, row = floor(y) + n / 2;
        const double pixels = common_pixels(column, window.x0, window.x1) *
                              common_pixels(row, window.y0, window.y1);
        if (pixels > 0.0) {
            weights->tile[(int64_t)row * weights->columns + (int64_t)column] +=
                weight * pixels * (1.0 - fabs(x - column)) * (1.0 - fabs(y - row));
        }
    }
}

/* Where rays look for what a layer shows, they take time, found or not: the points that
 * boxes are balanced by (app/points.h). */
static void weigh_search(const app_job *job, const app_layer *layer,
                         render_costs *weights)
{
    app_points points = {0};
    clear(weights);
    layer->kind->weigh(job, layer, &points);
    for (int64_t n = 0; n < points.count; n++) {
        double at[2];
        if (find_pixel(&job->camera, points.items[n].at, at)) {
            spread(&job->camera, at, (double)points.items[n].weight, weights);
        }
    }
    app_points_clear(&points);
}

/* Shares seconds out among tiles by weights; how much of it: nothing where there are no
 * weights. */
static double share_out(const render_costs *weights, double seconds, render_costs *shared)
{
    const double sum = sum_of(weights);
    if (!(sum > 0.0)) {
        return 0.0;
    }
    for (int64_t tile = 0; tile < count_tiles(weights); tile++) {
        shared->tile[tile] += seconds * weights->tile[tile] / sum;
    }
    return seconds;
}

static double share_layer(const app_job *job, int number)
{
    app_costs *costs = job->costs;
    const app_layer *layer = &job->layers[number];
    if (layer->kind->weigh) {
        weigh_search(job, layer, &costs->weights);
    } else {
        weigh_fragments(job, number, number + 1, &costs->weights);
    }
    return share_out(&costs->weights, costs->layers[number], &costs->shared);
}

status app_costs_record(app_job *job, const io_stage_time *render)
{
    app_costs *costs = job->costs;
    if (!costs || !costs->is_on) {
        return STATUS_OK;
    }
    const double work = render->cpu - render->waited;
    double shared = 0.0;
    clear(&costs->shared);
    for (int n = 0; n < job->nlayers; n++) {
        shared += share_layer(job, n);
    }
    const double rest = work - sum_of(&costs->clocked) - shared;
    if (!job->scene && rest > 0.0) {
        weigh_fragments(job, 0, job->nlayers, &costs->weights);
        shared += share_out(&costs->weights, rest, &costs->shared);
    }
    for (int64_t tile = 0; tile < count_tiles(&costs->clocked); tile++) {
        costs->clocked.tile[tile] += costs->shared.tile[tile];
    }
    const io_tile_costs mine = {.size = RENDER_SCREEN_TILE,
                                .columns = costs->clocked.columns,
                                .rows = costs->clocked.rows,
                                .seconds = costs->clocked.tile,
                                .shared = shared,
                                .beside = work - sum_of(&costs->clocked)};
    return io_timings_add_tiles(job->timings, &mine);
}

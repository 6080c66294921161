#include "app/costs.h"

#include "app/job_state.h"
#include "app/layers.h"
#include "base/system.h"

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

/* Shares seconds out among tiles by what the fragments of layers [first, end) take there;
 * how much of it: nothing where they show nothing. */
static double share_out(const app_job *job, int first, int end, double seconds)
{
    app_costs *costs = job->costs;
    clear(&costs->weights);
    for (int n = first; n < end; n++) {
        for (int64_t tile = 0; tile < count_tiles(&costs->weights); tile++) {
            costs->weights.tile[tile] += app_layers_cost(job, n, tile);
        }
    }
    const double sum = sum_of(&costs->weights);
    if (!(sum > 0.0)) {
        return 0.0;
    }
    for (int64_t tile = 0; tile < count_tiles(&costs->weights); tile++) {
        costs->shared.tile[tile] += seconds * costs->weights.tile[tile] / sum;
    }
    return seconds;
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
        shared += share_out(job, n, n + 1, costs->layers[n]);
    }
    const double rest = work - sum_of(&costs->clocked) - shared;
    if (!job->scene && rest > 0.0) {
        shared += share_out(job, 0, job->nlayers, rest);
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

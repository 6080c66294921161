#include "costs.h"

#include "base/system.h"
#include "render/screen.h"

#include <stdlib.h>
#include <string.h>

struct frame_costs {
    bool is_on;           /* the current frame is measured */
    render_costs clocked; /* seconds of tiles by the clock */
    render_costs shared;  /* seconds of tiles by their fragments */
    render_costs weights; /* relative costs of fragments in tiles */
    int nlayers;
    double *layers;     /* [nlayers]: seconds of each layer that no tile has measured */
    bool *is_clocked;   /* [layers]: tiles have measured the layer; its other seconds are
                           set-up */
    double layer_begin; /* processor clock at the layer's begin, */
    double layer_clocked; /* and the seconds measured by tiles until then */
    double work;          /* seconds of drawing the measured sample, */
    double sharing;       /* and those shared out by fragments */
};

/* ---- Set-up ------------------------------------------------------------------------ */

status frame_costs_create(int width, int height, int nlayers, frame_costs **out)
{
    frame_costs *costs = calloc(1, sizeof *costs);
    if (!costs) {
        return base_fail_memory(sizeof *costs, "costs of tiles");
    }
    costs->nlayers = nlayers;
    costs->layers = calloc((size_t)nlayers + 1, sizeof *costs->layers);
    costs->is_clocked = calloc((size_t)nlayers + 1, sizeof *costs->is_clocked);
    status s = costs->layers && costs->is_clocked
                   ? STATUS_OK
                   : base_fail_memory(64, "costs of tiles");
    render_costs *const all[] = {&costs->clocked, &costs->shared, &costs->weights};
    for (int n = 0; s == STATUS_OK && n < 3; n++) {
        s = render_costs_create(width, height, all[n]);
    }
    if (s != STATUS_OK) {
        frame_costs_destroy(&costs);
        return s;
    }
    *out = costs;
    return STATUS_OK;
}

void frame_costs_destroy(frame_costs **costs)
{
    frame_costs *c = *costs;
    if (c) {
        render_costs_clear(&c->clocked);
        render_costs_clear(&c->shared);
        render_costs_clear(&c->weights);
        free(c->layers);
        free(c->is_clocked);
        free(c);
        *costs = NULL;
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

static void add(render_costs *to, const double *tiles)
{
    for (int64_t tile = 0; tile < count_tiles(to); tile++) {
        to->tile[tile] += tiles[tile];
    }
}

/* ---- While a frame is drawn -------------------------------------------------------- */

void frame_costs_begin(frame_costs *costs, bool is_on, draw_request *request)
{
    if (!costs) {
        return;
    }
    costs->is_on = is_on;
    if (costs->is_on) {
        clear(&costs->clocked);
        memset(costs->layers, 0, (size_t)costs->nlayers * sizeof *costs->layers);
        request->iso_seconds = costs->clocked.tile;
    }
    /* If rectangles follow costs, tiles are measured anyway
     * (frame/distribution/screen.c). */
    if (costs->is_on && !request->seconds) {
        request->seconds = costs->clocked.tile;
    }
}

void frame_costs_end(frame_costs *costs, const draw_request *request)
{
    if (costs && costs->is_on && request->seconds != costs->clocked.tile) {
        add(&costs->clocked, request->seconds);
    }
}

void frame_costs_begin_layer(frame_costs *costs)
{
    if (costs && costs->is_on) {
        costs->layer_clocked = sum_of(&costs->clocked);
        costs->layer_begin = base_cpu_clock();
    }
}

void frame_costs_end_layer(frame_costs *costs, int number)
{
    if (costs && costs->is_on) {
        const double taken = base_cpu_clock() - costs->layer_begin;
        const double clocked = sum_of(&costs->clocked) - costs->layer_clocked;
        costs->layers[number] += taken - clocked;
        costs->is_clocked[number] = clocked > 0.0;
    }
}

/* ---- Afterwards -------------------------------------------------------------------- */

/* The costs of the fragments of layers [first, end) in each tile. */
static void weigh_fragments(const frame_layers *layers, int first, int end,
                            render_costs *weights)
{
    clear(weights);
    for (int n = first; n < end; n++) {
        for (int64_t tile = 0; tile < count_tiles(weights); tile++) {
            weights->tile[tile] += frame_layer_cost(&layers->items[n], tile);
        }
    }
}

/* Divides seconds among tiles by weights. Returns the divided seconds: 0 if all weights
 * are zero. */
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

void frame_costs_share(const frame_scene *scene, const frame_layers *layers,
                       const io_stage_time *render)
{
    frame_costs *costs = layers->costs;
    if (!costs || !costs->is_on) {
        return;
    }
    costs->work = render->cpu - render->waited;
    costs->sharing = 0.0;
    double rest = costs->work - sum_of(&costs->clocked);
    clear(&costs->shared);
    for (int n = 0; n < layers->count; n++) {
        rest -= costs->layers[n];
        if (!costs->is_clocked[n]) {
            weigh_fragments(layers, n, n + 1, &costs->weights);
            costs->sharing +=
                share_out(&costs->weights, costs->layers[n], &costs->shared);
        }
    }
    if (!scene->volume.scene && rest > 0.0) {
        weigh_fragments(layers, 0, layers->count, &costs->weights);
        costs->sharing += share_out(&costs->weights, rest, &costs->shared);
    }
    add(&costs->clocked, costs->shared.tile);
}

status frame_costs_record(frame_costs *costs, const io_stage_time *render,
                          io_timings *timings)
{
    if (!costs || !costs->is_on) {
        return STATUS_OK;
    }
    const double work = render->cpu - render->waited;
    const double factor = costs->work > 0.0 ? work / costs->work : 1.0;
    for (int64_t tile = 0; tile < count_tiles(&costs->clocked); tile++) {
        costs->clocked.tile[tile] *= factor;
    }
    const io_tile_costs mine = {.size = RENDER_SCREEN_TILE,
                                .columns = costs->clocked.columns,
                                .rows = costs->clocked.rows,
                                .seconds = costs->clocked.tile,
                                .shared = factor * costs->sharing,
                                .beside = work - sum_of(&costs->clocked)};
    return io_timings_add_tiles(timings, &mine);
}

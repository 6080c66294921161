#include "layers.h"

#include "app/frame/costs.h"
#include "app/frame/missing.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "layer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields ------------------------------------------------------------------------ */

status layer_find_field(const app_job *job, const char *name, bool at_vertices,
                        grid_recipe **out)
{
    status s =
        grid_recipe_create(name, io_source_field_count(job->source),
                           io_source_fields(job->source), job->config->data.gas, out);
    if (s == STATUS_OK && at_vertices) {
        grid_recipe_move_to_vertices(*out);
    }
    return s;
}

/* ---- Colours ----------------------------------------------------------------------- */

/* The colour of a map at a position. */
static void color_at(const io_paint_config *paint, double position, double rgb[3])
{
    int n = 0;
    while (n + 1 < paint->ncolors && paint->colors[n + 1][0] <= position) {
        n++;
    }
    const double *a = paint->colors[n];
    const double *b = paint->colors[n + 1 < paint->ncolors ? n + 1 : n];
    double share = b[0] > a[0] ? (position - a[0]) / (b[0] - a[0]) : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    for (int c = 0; c < 3; c++) {
        rgb[c] = a[1 + c] + share * (b[1 + c] - a[1 + c]);
    }
}

/* Cuts the part of the map out that the paint uses, and spreads it over 0..1. */
static status cut_map(const io_paint_config *paint, app_layer *layer)
{
    const double lo = paint->part[0], span = paint->part[1] - paint->part[0];
    size_t bytes = ((size_t)paint->ncolors + 2) * sizeof *layer->points;
    layer->points = malloc(bytes);
    if (!layer->points) {
        return base_fail_memory(bytes, "a colour map");
    }
    layer->npoints = 0;
    double *first = layer->points[layer->npoints++];
    first[0] = 0.0;
    color_at(paint, paint->part[0], first + 1);
    for (int n = 0; n < paint->ncolors; n++) {
        double position = (paint->colors[n][0] - lo) / span;
        if (position > 0.0 && position < 1.0) {
            double *point = layer->points[layer->npoints++];
            memcpy(point, paint->colors[n], 4 * sizeof *point);
            point[0] = position;
        }
    }
    double *last = layer->points[layer->npoints++];
    last[0] = 1.0;
    color_at(paint, paint->part[1], last + 1);
    return STATUS_OK;
}

status layer_make_colors(app_job *job, app_layer *layer, const io_paint_config *paint,
                         const char *field, const grid_recipe *recipe,
                         render_colors **out)
{
    status s = STATUS_OK;
    memcpy(layer->range, paint->range, sizeof layer->range);
    if (paint->auto_range) {
        s = app_job_find_range(job, recipe, layer->range);
    }
    if (s != STATUS_OK) {
        return s;
    }
    s = cut_map(paint, layer);
    if (s == STATUS_OK) {
        layer->field = field;
        const render_colors_points points = {
            .count = layer->npoints,
            .points = (const double(*)[4])layer->points,
            .range = {layer->range[0], layer->range[1]},
            .nan_color = {paint->nan_color[0], paint->nan_color[1], paint->nan_color[2]}};
        s = render_colors_create(&points, out);
    }
    return parallel_agree(job->comm, s);
}

render_shade layer_shade(const app_job *job, const io_paint_config *paint)
{
    return app_job_shade(job, &paint->shade);
}

/* ---- Bricks and blocks ------------------------------------------------------------- */

void layer_pick_bricks(const app_job *job, const app_layer *layer, layer_wants *wants,
                       int64_t *count, int64_t *numbers)
{
    int64_t kept = 0;
    for (int64_t n = 0; n < *count; n++) {
        if (wants(layer, job->layout, numbers[n])) {
            numbers[kept++] = numbers[n];
        }
    }
    *count = kept;
}

int layer_find_block(const app_job *job, const app_layer *layer, const char *name)
{
    char names[512] = "";
    for (int b = 0; b < job->layout->nblocks; b++) {
        const char *here = job->layout->blocks[b].name;
        if (strcmp(here, name) == 0) {
            return b;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", b > 0 ? ", " : "", here);
    }
    base_fail(STATUS_USAGE, "%s.block: there is no block '%.64s', only %s", layer->name,
              name, names);
    return -1;
}

/* ---- All layers -------------------------------------------------------------------- */

static const layer_kind *const kinds[IO_LAYER_KINDS] = {
    [IO_LAYER_OBJECT] = &layer_surface,        [IO_LAYER_CONTOUR] = &layer_surface,
    [IO_LAYER_ISOSURFACE] = &layer_isosurface, [IO_LAYER_GRID] = &layer_surface,
    [IO_LAYER_OUTLINE] = &layer_outline,       [IO_LAYER_PARTICLES] = &layer_particles};

static status make_lists(app_job *job)
{
    size_t most = (size_t)job->config->nlayers;
    job->layers = calloc(most, sizeof *job->layers);
    job->fragments = calloc(most, sizeof *job->fragments);
    return job->layers && job->fragments
               ? STATUS_OK
               : base_fail_memory(most * sizeof *job->layers, "the layers");
}

/* Ranges and colours are part of what --resume compares. */
static void hash_layers(app_job *job)
{
    for (int n = 0; n < job->nlayers; n++) {
        const app_layer *layer = &job->layers[n];
        job->colors_hash =
            base_hash_bytes(job->colors_hash, layer->range, sizeof layer->range);
        job->colors_hash =
            base_hash_bytes(job->colors_hash, layer->points,
                            (size_t)layer->npoints * sizeof *layer->points);
    }
}

status app_layers_create(app_job *job)
{
    status s = parallel_agree(job->comm, make_lists(job));
    for (int n = 0; s == STATUS_OK && n < job->config->nlayers; n++) {
        const io_layer_config *config = &job->config->layers[n];
        if (config->kind == IO_LAYER_VOLUME) {
            continue;
        }
        app_layer *layer = &job->layers[job->nlayers++];
        layer->config = config;
        layer->kind = kinds[config->kind];
        snprintf(layer->name, sizeof layer->name, "layers.%d.%s", n,
                 io_config_kind_name(config->kind));
        s = layer->kind->create(job, layer);
    }
    hash_layers(job);
    return s;
}

void app_layers_destroy(app_job *job)
{
    for (int n = 0; job->layers && n < job->nlayers; n++) {
        job->layers[n].kind->destroy(&job->layers[n]);
        free(job->layers[n].points);
    }
    free(job->layers);
    free(job->fragments);
    job->layers = NULL;
    job->fragments = NULL;
    job->nlayers = 0;
}

status app_layers_load(app_job *job, int step)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < job->nlayers; n++) {
        s = job->layers[n].kind->load(job, &job->layers[n], step);
    }
    return s;
}

status app_layers_move(app_job *job)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < job->nlayers; n++) {
        if (job->layers[n].kind->move) {
            s = job->layers[n].kind->move(job, &job->layers[n]);
        }
    }
    return s;
}

status app_layers_draw(app_job *job, render_counters *counters)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < job->nlayers; n++) {
        app_layer *layer = &job->layers[n];
        app_costs_begin_layer(job);
        s = layer->kind->draw(job, layer, counters);
        app_costs_end_layer(job, n);
        job->fragments[n] = layer->drawn;
    }
    return s;
}

double app_layers_cost(const app_job *job, int number, int64_t tile)
{
    const app_layer *layer = &job->layers[number];
    const render_fragments *drawn = layer->drawn;
    const int64_t count = drawn ? drawn->first[tile + 1] - drawn->first[tile] : 0;
    return count > 0 && layer->kind->cost ? layer->kind->cost(layer, tile)
                                          : (double)count;
}

/* The field of an isosurface or a contour without a map, and the range of its values. */
static bool find_values(const app_layer *layer, const char **field, double range[2])
{
    const io_tool_config *tool = layer->config->tool;
    if (!tool || !tool->field) {
        return false;
    }
    *field = tool->field;
    memcpy(range, layer->range, sizeof layer->range);
    for (int n = 0; n < tool->nvalues; n++) {
        const double value = tool->values[n];
        range[0] = n == 0 || value < range[0] ? value : range[0];
        range[1] = n == 0 || value > range[1] ? value : range[1];
    }
    return true;
}

bool app_layers_shown(const app_job *job, const char **field, double range[2])
{
    for (int n = 0; n < job->nlayers; n++) {
        const app_layer *layer = &job->layers[n];
        if (layer->field) {
            *field = layer->field;
            memcpy(range, layer->range, sizeof layer->range);
            return true;
        }
    }
    bool found = false;
    for (int n = 0; n < job->nlayers && !found; n++) {
        found = find_values(&job->layers[n], field, range);
    }
    return found;
}

static double opacity_of(const io_layer_config *config)
{
    return config->kind == IO_LAYER_PARTICLES ? config->particles->paint.opacity
                                              : config->tool->paint.opacity;
}

static const char *why_nothing(const app_job *job, const io_layer_config *config)
{
    const char *field = config->tool ? config->tool->field : NULL;
    if (opacity_of(config) == 0.0) {
        return "its opacity is 0";
    }
    if (field && app_missing_is_empty(job, field)) {
        return "its field has no finite value there";
    }
    switch (config->kind) {
    case IO_LAYER_PARTICLES:
        return "its lines are too short or too thin to be seen, or lie out of view";
    case IO_LAYER_ISOSURFACE:
        return "its field takes none of the values there, or they lie out of view";
    case IO_LAYER_CONTOUR:
        return config->tool->style == IO_STYLE_LINES
                   ? "its field takes none of the levels there, or they lie out of view"
                   : "it lies out of view";
    default:
        return "it lies out of view";
    }
}

static bool shows_something(const render_fragments *drawn)
{
    const int64_t count = drawn ? drawn->first[drawn->columns * drawn->rows] : 0;
    for (int64_t n = 0; n < count; n++) {
        if (drawn->items[n].rgba[3] > 0.0f) {
            return true;
        }
    }
    return false;
}

void app_layers_warn(app_job *job, int64_t step)
{
    for (int n = 0; n < job->nlayers; n++) {
        app_layer *layer = &job->layers[n];
        int mine = shows_something(layer->drawn), any = 0;
        parallel_allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, job->comm);
        if (!any && !layer->has_warned) {
            layer->has_warned = true;
            base_log_warning("%s shows nothing at step %" PRId64 ": %s", layer->name,
                             step, why_nothing(job, layer->config));
        }
    }
}

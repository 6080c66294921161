#include "layers.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "costs.h"
#include "frame/scene/appearance.h"
#include "frame/scene/bricks.h"
#include "frame/scene/missing.h"
#include "render/fragments/spans.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- All layers -------------------------------------------------------------------- */

#define LAYER_KIND(name, word, member, keys, kind, ...) [IO_LAYER_##name] = &(kind),
static const layer_kind *const kinds[IO_LAYER_KINDS] = {IO_LAYERS(LAYER_KIND)};

static status make_lists(const frame_scene *scene, frame_layers *layers)
{
    size_t most = (size_t)scene->config->nlayers;
    layers->items = calloc(most, sizeof *layers->items);
    layers->fragments = calloc(2 * most, sizeof *layers->fragments);
    return layers->items && layers->fragments
               ? STATUS_OK
               : base_fail_memory(most * sizeof *layers->items, "the layers");
}

/* --resume compares ranges and colours, too. */
static void hash_layers(frame_scene *scene, const frame_layers *layers)
{
    for (int n = 0; n < layers->count; n++) {
        const frame_layer *layer = &layers->items[n];
        scene->colors_hash =
            base_hash_bytes(scene->colors_hash, layer->range, sizeof layer->range);
        scene->colors_hash =
            base_hash_bytes(scene->colors_hash, layer->points,
                            (size_t)layer->npoints * sizeof *layer->points);
    }
}

static frame_layer name_layer(const io_config *config, int n)
{
    const io_layer_config *of = &config->layers[n];
    frame_layer layer = {.config = of, .kind = kinds[of->kind]};
    snprintf(layer.name, sizeof layer.name, "layers.%d.%s", n,
             io_config_kind_name(of->kind));
    io_config_place(config, layer.name, sizeof layer.where, layer.where);
    /* nobody asked for a layer that was found, so it may lie out of view */
    layer.has_warned =
        strncmp(layer.where, IO_CONFIG_FOUND ":", sizeof IO_CONFIG_FOUND) == 0;
    return layer;
}

/* The blocks that a layer names. */
static status check_blocks(const frame_scene *scene, const frame_layer *layer)
{
    status s = STATUS_OK;
    int block = 0;
    if (layer->config->kind != IO_LAYER_PARTICLES) {
        const char *name = layer->config->tool->block;
        s = name ? frame_block_find(scene->layout, name, &block) : s;
        return layer_blame(scene, layer, "block", s);
    }
    const io_particles_config *config = layer->config->particles;
    for (int n = 0; n < config->nseeds && s == STATUS_OK; n++) {
        char key[32];
        snprintf(key, sizeof key, "seeds.%d", n);
        s = config->seeds[n].block
                ? frame_block_find(scene->layout, config->seeds[n].block, &block)
                : s;
        layer_blame(scene, layer, key, s);
    }
    return s;
}

status frame_layers_check(const io_config *config, const grid_layout *layout)
{
    const frame_scene scene = {.config = (io_config *)(uintptr_t)config,
                               .layout = (grid_layout *)(uintptr_t)layout};
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < config->nlayers; n++) {
        if (config->layers[n].kind != IO_LAYER_VOLUME) {
            const frame_layer layer = name_layer(config, n);
            s = check_blocks(&scene, &layer);
            s = s == STATUS_OK && layer.kind->check ? layer.kind->check(&scene, &layer)
                                                    : s;
        }
    }
    return s;
}

/* Has the lines of a layer drawn apart if a later one may cover its fill. */
static void part_lines(frame_layers *layers)
{
    bool may_be_covered = false;
    layers->nlists = layers->count;
    for (int n = layers->count - 1; n >= 0; n--) {
        frame_layer *layer = &layers->items[n];
        layer->has_lines_apart =
            may_be_covered && layer->kind->part_lines && layer->kind->part_lines(layer);
        layers->nlists += layer->has_lines_apart;
        may_be_covered |= layer->kind->covers && layer->kind->covers(layer);
    }
}

/* Whether a layer is for blocks that are not there at this step. */
static bool has_missing_block(const frame_scene *scene, const io_layer_config *config)
{
    if (config->kind != IO_LAYER_PARTICLES) {
        return frame_block_is_missing(scene, config->tool->block);
    }
    bool has = false;
    for (int n = 0; n < config->particles->nseeds && !has; n++) {
        has = config->particles->mode == IO_PARTICLES_STREAM &&
              frame_block_is_missing(scene, config->particles->seeds[n].block);
    }
    return has;
}

/* The layers of an earlier config. */
typedef struct former {
    const io_config *config;
    frame_layers layers;
} former;

/* Moves data and colours of a layer into another one, with its looks. */
static status take_over(frame_scene *scene, frame_layer *from, frame_layer *layer)
{
    layer->state = from->state;
    layer->loaded = from->loaded;
    layer->points = from->points;
    layer->npoints = from->npoints;
    from->state = NULL;
    from->points = NULL;
    return layer->kind->restyle ? layer->kind->restyle(scene, layer) : STATUS_OK;
}

/* `past`: NULL: there is none. */
static status make_layer(frame_scene *scene, former *past, int number, frame_layer *layer)
{
    const int found =
        past ? frame_layers_find(&past->layers, past->config, scene->config, number) : -1;
    *layer = name_layer(scene->config, number);
    return layer_blame(scene, layer, NULL,
                       found >= 0 ? take_over(scene, &past->layers.items[found], layer)
                                  : layer->kind->create(scene, layer));
}

/* Refuses volumes and isosurfaces of grids of two dimensions, which are sheets. The same
 * on every rank. */
static status check_sheet(const frame_scene *scene, int number)
{
    const io_layer_config *config = &scene->config->layers[number];
    const int axis = io_source_flat_axis(scene->source);
    const bool is_surface = config->kind == IO_LAYER_ISOSURFACE;
    if (axis < 0 || !config->shown || (config->kind != IO_LAYER_VOLUME && !is_surface)) {
        return STATUS_OK;
    }
    const char letter = "ijk"[axis];
    char lines[64] = "";
    if (is_surface) {
        snprintf(lines, sizeof lines, ", levels: [%g], style: lines",
                 config->tool->values[0]);
    }
    const frame_layer layer = name_layer(scene->config, number);
    return layer_blame(
        scene, &layer, NULL,
        base_fail(STATUS_USAGE,
                  "the grid has two dimensions, in which this shows nothing: take "
                  "contour: {field: %s, %c: 0%s} in its place",
                  is_surface ? config->tool->field : config->volume->field, letter,
                  lines));
}

static status make_layers(frame_scene *scene, former *past, frame_layers *layers)
{
    status s = parallel_agree(scene->comm, make_lists(scene, layers));
    for (int n = 0; s == STATUS_OK && n < scene->config->nlayers; n++) {
        const io_layer_config *config = &scene->config->layers[n];
        s = check_sheet(scene, n);
        if (s != STATUS_OK) {
            break;
        }
        if (config->kind != IO_LAYER_VOLUME && config->shown &&
            !has_missing_block(scene, config)) {
            s = make_layer(scene, past, n, &layers->items[layers->count++]);
        }
    }
    if (s == STATUS_OK) {
        part_lines(layers);
    }
    hash_layers(scene, layers);
    return s;
}

status frame_layers_create(frame_scene *scene, frame_layers *layers)
{
    return make_layers(scene, NULL, layers);
}

status frame_layers_change(frame_scene *scene, const io_config *before,
                           frame_layers *layers)
{
    former past = {before, *layers};
    *layers = (frame_layers){.costs = past.layers.costs};
    const status s = make_layers(scene, &past, layers);
    frame_layers_destroy(&past.layers);
    return s;
}

void frame_layers_destroy(frame_layers *layers)
{
    for (int n = 0; layers->items && n < layers->count; n++) {
        layers->items[n].kind->destroy(&layers->items[n]);
        free(layers->items[n].points);
    }
    free(layers->items);
    free(layers->fragments);
    layers->items = NULL;
    layers->fragments = NULL;
    layers->count = 0;
}

status frame_layers_rescale(frame_scene *scene, frame_layers *layers)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < layers->count; n++) {
        frame_layer *layer = &layers->items[n];
        const int number = (int)(layer->config - scene->config->layers);
        if (layer->kind->rescale && io_config_range_is_of_step(scene->config, number)) {
            s = layer_blame(scene, layer, NULL, layer->kind->rescale(scene, layer));
        }
    }
    return s;
}

status frame_layers_load(frame_scene *scene, frame_layers *layers, int step)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < layers->count; n++) {
        frame_layer *layer = &layers->items[n];
        if (layer->loaded == step + 1 && !scene->is_live) {
            continue;
        }
        layer->loaded = 0;
        s = layer_blame(scene, layer, NULL, layer->kind->load(scene, layer, step));
        layer->loaded = s == STATUS_OK ? step + 1 : 0;
    }
    return s;
}

status frame_layers_move(frame_scene *scene, frame_layers *layers)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < layers->count; n++) {
        layers->items[n].loaded = 0;
        if (layers->items[n].kind->move) {
            s = layers->items[n].kind->move(scene, &layers->items[n]);
        }
    }
    return s;
}

frame_margin frame_layers_margin(const frame_scene *scene, const frame_layers *layers)
{
    frame_margin all = {0};
    for (int n = 0; n < layers->count; n++) {
        const frame_layer *layer = &layers->items[n];
        const frame_margin margin = layer->kind->margin
                                        ? layer->kind->margin(scene, layer)
                                        : (frame_margin){.length = INFINITY};
        all.length = fmax(all.length, margin.length);
        all.pixels = margin.pixels > all.pixels ? margin.pixels : all.pixels;
    }
    all.pixels += 1; /* for rounding */
    return all;
}

status frame_layers_draw_gates(const frame_scene *scene, const draw_request *request,
                               frame_layers *layers, render_counters *counters)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < layers->count; n++) {
        frame_layer *layer = &layers->items[n];
        if (layer->kind->is_gate) {
            s = layer->kind->draw(scene, request, layer, counters);
        }
    }
    return s;
}

status frame_layers_hide(const frame_scene *scene, const draw_request *request,
                         const frame_layers *layers, const frame_layer *layer)
{
    const render_camera *camera = &request->camera;
    const bool stays =
        layer->kind->is_gate || layer->kind->stays_whole || layer->config->whole;
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && !stays && n < layers->count; n++) {
        const render_fragments *spans = layers->items[n].drawn;
        if (!layers->items[n].kind->is_gate) {
            continue;
        }
        s = render_spans_hide(spans, camera->width, camera->height, scene->threads,
                              layer->drawn);
        if (s == STATUS_OK && layer->has_lines_apart) {
            s = render_spans_hide(spans, camera->width, camera->height, scene->threads,
                                  layer->lines);
        }
    }
    return s;
}

status frame_layers_draw(const frame_scene *scene, const draw_request *request,
                         frame_layers *layers, render_counters *counters)
{
    status s = frame_layers_draw_gates(scene, request, layers, counters);
    for (int n = 0, list = 0; s == STATUS_OK && n < layers->count; n++) {
        frame_layer *layer = &layers->items[n];
        frame_costs_begin_layer(layers->costs);
        s = layer->kind->is_gate ? s : layer->kind->draw(scene, request, layer, counters);
        s = s == STATUS_OK ? frame_layers_hide(scene, request, layers, layer) : s;
        frame_costs_end_layer(layers->costs, n);
        layers->fragments[list++] = layer->drawn;
        if (layer->has_lines_apart) {
            layers->fragments[list++] = layer->lines;
        }
    }
    return s;
}

bool frame_layers_have_textures(const frame_layers *layers)
{
    bool any = false;
    for (int n = 0; n < layers->count; n++) {
        const io_tool_config *tool = layers->items[n].config->tool;
        any = any || (tool && tool->lic);
    }
    return any;
}

/*
 * The field and range of values of an isosurface, or of a contour without a colour map.
 */
static bool find_values(const frame_layer *layer, const char **field, double range[2])
{
    const io_tool_config *tool = layer->config->tool;
    if (!tool || !tool->field || layer->kind->is_gate) {
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

bool frame_layers_shown(const frame_layers *layers, const char **field, double range[2])
{
    for (int n = 0; n < layers->count; n++) {
        const frame_layer *layer = &layers->items[n];
        if (layer->field) {
            *field = layer->field;
            memcpy(range, layer->range, sizeof layer->range);
            return true;
        }
    }
    bool found = false;
    for (int n = 0; n < layers->count && !found; n++) {
        found = find_values(&layers->items[n], field, range);
    }
    return found;
}

double frame_layer_opacity(const frame_layer *layer)
{
    const io_layer_config *config = layer->config;
    return config->particles ? config->particles->paint.opacity
                             : config->tool->paint.opacity;
}

static const char *why_nothing(const frame_scene *scene, const frame_layer *layer)
{
    const io_tool_config *tool = layer->config->tool;
    if (frame_layer_opacity(layer) == 0.0) {
        return "its opacity is 0";
    }
    if (tool && tool->field && frame_missing_is_empty(scene, tool->field)) {
        return "its field has no finite value there";
    }
    return layer->kind->why_nothing ? layer->kind->why_nothing(layer)
                                    : "it lies out of view";
}

static bool shows_something(const render_fragments *drawn)
{
    const int64_t count = drawn ? drawn->first[drawn->columns * drawn->rows] : 0;
    for (int64_t n = 0; n < count; n++) {
        if (drawn->items[n].rgba[3] > 0.0f || drawn->are_spans) {
            return true;
        }
    }
    return false;
}

/* A layer in the picture: of this rank, or the greatest of all ranks. */
typedef struct layer_seen {
    int shows;   /* it has visible fragments */
    int is_bare; /* no later layer covers some of them at their places */
    int cover;   /* index of a layer that covers others, or -1 */
} layer_seen;

/* Whether a fragment of these covers this one: it is opaque, at the same place. extent:
 * of coordinates. */
static bool covers(const render_fragments *by, int64_t tile,
                   const render_fragment *fragment, float extent)
{
    const float same =
        render_fragments_lift(fragment->t, (float[2]){extent, 0.0f}, FRAGMENTS_LEVELS);
    for (int64_t n = by->first[tile]; n < by->first[tile + 1]; n++) {
        const render_fragment *other = &by->items[n];
        if (other->pixel == fragment->pixel && other->rgba[3] >= 1.0f &&
            fabsf(other->t - fragment->t) <= same) {
            return true;
        }
    }
    return false;
}

/* The last layer behind layer n in the list that covers a fragment of it, or -1. */
static int find_cover(const frame_layers *layers, int n, int64_t tile,
                      const render_fragment *fragment, float extent)
{
    for (int m = layers->count - 1; m > n; m--) {
        const frame_layer *by = &layers->items[m];
        const bool may = by->drawn && by->kind->covers && by->kind->covers(by) &&
                         frame_layer_opacity(by) >= 1.0;
        if (may && (covers(by->drawn, tile, fragment, extent) ||
                    (by->has_lines_apart && covers(by->lines, tile, fragment, extent)))) {
            return m;
        }
    }
    return -1;
}

/* Looks for a bare fragment of layer n, first in the tile that had one last time. */
static layer_seen look_at(const frame_layers *layers, int n, float extent)
{
    frame_layer *layer = &layers->items[n];
    layer_seen seen = {.shows = shows_something(layer->drawn), .cover = -1};
    const bool is_fill = layer->kind->covers && layer->kind->covers(layer) &&
                         !(layer->has_lines_apart && shows_something(layer->lines));
    seen.is_bare = seen.shows && !is_fill;
    const render_fragments *drawn = layer->drawn;
    const int64_t tiles = seen.shows && is_fill ? drawn->columns * drawn->rows : 0;
    for (int64_t at = 0; at < tiles && !seen.is_bare; at++) {
        const int64_t tile = (layer->bare_tile + at) % tiles;
        for (int64_t i = drawn->first[tile]; i < drawn->first[tile + 1]; i++) {
            const render_fragment *fragment = &drawn->items[i];
            const int cover = fragment->rgba[3] > 0.0f
                                  ? find_cover(layers, n, tile, fragment, extent)
                                  : seen.cover;
            if (cover < 0 && fragment->rgba[3] > 0.0f) {
                seen.is_bare = true;
                layer->bare_tile = tile;
                break;
            }
            seen.cover = cover > seen.cover ? cover : seen.cover;
        }
    }
    return seen;
}

void frame_layers_warn(const frame_scene *scene, frame_layers *layers, int64_t step)
{
    const box3 bounds = scene->layout->bounds;
    const float extent = (float)vec3_length(vec3_sub(bounds.hi, bounds.lo));
    for (int n = 0; n < layers->count; n++) {
        frame_layer *layer = &layers->items[n];
        const layer_seen mine =
            layer->has_warned ? (layer_seen){0} : look_at(layers, n, extent);
        layer_seen all;
        parallel_allreduce(&mine, &all, 3, MPI_INT, MPI_MAX, scene->comm);
        if (layer->has_warned || all.is_bare) {
            continue;
        }
        layer->has_warned = true;
        if (all.shows) {
            base_log_warning("%s is hidden at step %" PRId64 ": %s covers it, which lies "
                             "at the same place and comes later in the list",
                             layer->where, step, layers->items[all.cover].name);
        } else {
            base_log_warning("%s shows nothing at step %" PRId64 ": %s", layer->where,
                             step, why_nothing(scene, layer));
        }
    }
}

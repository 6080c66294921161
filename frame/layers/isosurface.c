/* Isosurfaces and thresholds: the config's `isosurface` and `threshold`, drawn by
 * render/iso.h. */
#include "base/parallel/parallel.h"
#include "frame/scene/bricks.h"
#include "frame/scene/missing.h"
#include "io/load/load.h"
#include "layer.h"
#include "render/iso.h"
#include "render/surface/surface.h"

#include <stdlib.h>
#include <string.h>

/* An isosurface, or a threshold. A brick is loaded once the field takes one of the
 * surface's values in it, or one within the limits. */
typedef struct isosurface {
    int only_block; /* shows cells of this block and its copies only; -1: of all */
    grid_recipe *recipe, *color_recipe; /* the second if another field colours it. A
                                           threshold of cells has none */
    grid_store *store, *color_store;
    render_colors *colors;
    render_shade shade;
    render_iso_look look;
    render_limits limits; /* of a threshold */
    render_transfer *places;
    render_scene *scene;
    render_fragments fragments;
} isosurface;

static void destroy(frame_layer *layer)
{
    isosurface *iso = layer->state;
    if (!iso) {
        return;
    }
    render_fragments_clear(&iso->fragments);
    render_scene_destroy(&iso->scene);
    render_transfer_destroy(&iso->places);
    render_colors_destroy(&iso->colors);
    grid_store_destroy(&iso->color_store);
    grid_store_destroy(&iso->store);
    grid_recipe_destroy(&iso->color_recipe);
    grid_recipe_destroy(&iso->recipe);
    free(iso);
    layer->state = NULL;
}

static status find_fields(frame_scene *scene, const frame_layer *layer, isosurface *iso)
{
    const io_tool_config *config = layer->config->tool;
    status s = layer_find_field(scene, layer, "field", config->field, true, &iso->recipe);
    if (s == STATUS_OK && config->paint.field) {
        s = layer_find_field(scene, layer, "color_by", config->paint.field, true,
                             &iso->color_recipe);
    }
    iso->only_block = -1;
    if (s == STATUS_OK && config->block) {
        iso->only_block = layer_find_block(scene, layer, "block", config->block);
        s = iso->only_block < 0 ? STATUS_USAGE : STATUS_OK;
    }
    return parallel_agree(scene->comm, s);
}

static void find_look(frame_scene *scene, const io_tool_config *config, isosurface *iso)
{
    const io_paint_config *paint = &config->paint;
    iso->look = (render_iso_look){.nvalues = config->nvalues,
                                  .colors = iso->colors,
                                  .opacity = (float)paint->opacity,
                                  .shade = paint->lit ? &iso->shade : NULL};
    for (int n = 0; n < config->nvalues; n++) {
        iso->look.values[n] = (float)config->values[n];
    }
    for (int c = 0; c < 3; c++) {
        iso->look.color[c] = (float)paint->color[c];
    }
    iso->shade = layer_shade(scene, paint);
}

/* layer_wants */
static bool is_of_block(const frame_layer *layer, const grid_layout *layout,
                        int64_t number)
{
    const isosurface *iso = layer->state;
    return grid_layout_shows(layout, iso->only_block, number);
}

static status reserve_stores(frame_scene *scene, const frame_layer *layer,
                             isosurface *iso)
{
    const io_tool_config *config = layer->config->tool;
    int64_t count = 0, *numbers = NULL;
    status s = parallel_agree(scene->comm, frame_bricks_drawn(scene, &count, &numbers));
    if (s == STATUS_OK) {
        layer_pick_bricks(scene, layer, is_of_block, &count, numbers);
    }
    const io_load_list list = {scene->layout, count, numbers,
                               iso->recipe ? grid_recipe_location(iso->recipe)
                                           : GRID_VERTEX};
    if (s == STATUS_OK) {
        s = io_load_moved(scene->comm, scene->source, &list, iso->recipe != NULL,
                          &iso->store);
    }
    if (s == STATUS_OK && config->paint.lit) {
        s = parallel_agree(scene->comm, grid_store_add_gradients(iso->store));
    }
    if (s == STATUS_OK && iso->color_recipe) {
        s = io_load_moved(scene->comm, scene->source, &list, true, &iso->color_store);
    }
    free(numbers);
    return s;
}

/* Takes colours and range from the config. Collective. */
static status scale(frame_scene *scene, frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    isosurface *iso = layer->state;
    const bool other = iso->color_recipe != NULL;
    return config->paint.has_color
               ? STATUS_OK
               : layer_make_colors(scene, layer, &config->paint,
                                   other ? config->paint.field : config->field,
                                   &iso->colors);
}

static status create(frame_scene *scene, frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    isosurface *iso = calloc(1, sizeof *iso);
    layer->state = iso;
    status s = parallel_agree(
        scene->comm, iso ? STATUS_OK : base_fail_memory(sizeof *iso, "an isosurface"));
    if (s == STATUS_OK) {
        s = find_fields(scene, layer, iso);
    }
    s = s == STATUS_OK ? scale(scene, layer) : s;
    if (s != STATUS_OK) {
        return s;
    }
    find_look(scene, config, iso);
    return parallel_agree(scene->comm, render_iso_places(&iso->look, &iso->places));
}

/* layer_kind.restyle. Other values may show other bricks. */
static status restyle(frame_scene *scene, frame_layer *layer)
{
    isosurface *iso = layer->state;
    const render_iso_look before = iso->look;
    status s = scale(scene, layer);
    find_look(scene, layer->config->tool, iso);
    iso->look.color_store = iso->color_store;
    if (s == STATUS_OK &&
        (before.nvalues != iso->look.nvalues ||
         memcmp(before.values, iso->look.values, sizeof before.values) != 0)) {
        layer->loaded = 0;
        render_transfer_destroy(&iso->places);
        s = parallel_agree(scene->comm, render_iso_places(&iso->look, &iso->places));
    }
    return s;
}

/* Makes stores and scene for the bricks that this rank draws. Collective. */
static status make_stores(frame_scene *scene, frame_layer *layer)
{
    isosurface *iso = layer->state;
    status s = reserve_stores(scene, layer, iso);
    if (s != STATUS_OK) {
        return s;
    }
    iso->look.color_store = iso->color_store;
    return parallel_agree(scene->comm, render_scene_create(iso->store, &iso->scene));
}

/* io_load_filter: a brick without any of the values stays out of memory. */
static bool shows_brick(const void *context, const grid_brick *brick)
{
    const isosurface *iso = context;
    return render_scene_shows(iso->scene, iso->places, brick);
}

/* io_load_filter of the colours: bricks that may have a part of the surface. */
static bool has_surface(const void *context, const grid_brick *brick)
{
    const isosurface *iso = context;
    return iso->store->bricks[iso->store->slot[brick->number]].vertex != NULL;
}

static status load(frame_scene *scene, frame_layer *layer, int step)
{
    isosurface *iso = layer->state;
    const io_load_filter shows = {shows_brick, NULL, iso}, has = {has_surface, NULL, iso};
    status s = iso->scene ? STATUS_OK : make_stores(scene, layer);
    if (s != STATUS_OK || !iso->recipe) {
        return s;
    }
    s = io_load_wanted(scene->comm, scene->source, iso->recipe, step, &shows, iso->store);
    if (s == STATUS_OK) {
        const char *field = layer->config->tool->field;
        frame_missing_look(scene, field, iso->recipe, step, iso->store);
    }
    if (s == STATUS_OK && iso->color_recipe) {
        s = io_load_wanted(scene->comm, scene->source, iso->color_recipe, step, &has,
                           iso->color_store);
    }
    if (s == STATUS_OK && iso->color_recipe) {
        const char *field = layer->config->tool->paint.field;
        frame_missing_look(scene, field, iso->color_recipe, step, iso->color_store);
    }
    return s;
}

static status draw(const frame_scene *scene, const draw_request *request,
                   frame_layer *layer, render_counters *counters)
{
    isosurface *iso = layer->state;
    render_counters mine;
    render_fragments_clear(&iso->fragments);
    layer->drawn = NULL;
    render_iso_look look = iso->look;
    look.seconds = request->iso_seconds;
    look.cuts = request->cuts;
    look.shade = request->purpose == DRAW_SHADOW ? NULL : look.shade;
    look.finds_all = request->shadow_hits > 1;
    status s = render_iso_draw(iso->scene, &look,
                               &(render_request){.transfer = iso->places,
                                                 .camera = &request->camera,
                                                 .clip = request->box,
                                                 .threads = scene->threads},
                               &iso->fragments, &mine);
    if (s == STATUS_OK) {
        layer->drawn = &iso->fragments;
        counters->crossings += mine.crossings;
        counters->lost_rays += mine.lost_rays;
    }
    return s;
}

static bool casts(const frame_layer *layer)
{
    return layer->config->tool->paint.lit;
}

static bool covers(const frame_layer *layer)
{
    (void)layer;
    return true;
}

static void find_bounds(const frame_scene *scene, const frame_layer *layer, box3 *bounds)
{
    const isosurface *iso = layer->state;
    for (int64_t slot = 0; slot < iso->store->nbricks; slot++) {
        if (shows_brick(iso, &iso->store->bricks[slot])) {
            layer_grow_bounds(scene->layout, iso->store->bricks[slot].number, bounds);
        }
    }
}

/* Stores for other bricks are made when the layer loads. */
static status move(frame_scene *scene, frame_layer *layer)
{
    isosurface *iso = layer->state;
    render_scene_destroy(&iso->scene);
    if (!scene->part.is_exchanging) {
        grid_store_destroy(&iso->color_store);
        grid_store_destroy(&iso->store);
    }
    return STATUS_OK;
}

/* Rays search for the surface cell by cell, so cells are the work. */
static void weigh(const frame_scene *scene, const frame_layer *layer,
                  frame_work_samples *samples)
{
    const isosurface *iso = layer->state;
    frame_work_samples_add_cells(scene, iso->store, samples);
}

static frame_brick_cost brick_cost(const frame_layer *layer, const grid_layout *layout,
                                   int64_t number)
{
    const isosurface *iso = layer->state;
    const int bytes = APP_VERTEX_BYTES + (iso->look.shade ? APP_GRADIENT_BYTES : 0) +
                      (iso->color_recipe ? APP_VERTEX_BYTES : 0);
    return frame_brick_cost_march(layout, number, bytes, false);
}

static const char *why_nothing(const frame_layer *layer)
{
    (void)layer;
    return "its field takes none of the values there, or they lie out of view";
}

/* Gives the vertices of the bricks with a part of the surface the values of its colours;
 * the next load replaces them. */
static void take_colors(isosurface *iso)
{
    for (int64_t slot = 0; slot < iso->store->nbricks; slot++) {
        const grid_brick *to = &iso->store->bricks[slot];
        const grid_brick *from =
            &iso->color_store->bricks[iso->color_store->slot[to->number]];
        const int *n = to->place.n;
        const int count = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
        for (int v = 0; v < count && to->vertex && from->vertex; v++) {
            to->vertex[v][3] = from->vertex[v][3];
        }
    }
}

/* Isosurfaces as polygons of cells; a picture finds them by rays. */
static status find_geometry(const frame_scene *scene, frame_layer *layer,
                            render_geometry *out)
{
    isosurface *iso = layer->state;
    const surface_spec spec = {.nisos = iso->look.nvalues, .isos = iso->look.values};
    render_surface *surface = NULL;
    status s = render_surface_create(iso->store, &spec, &surface);
    if (s == STATUS_OK && iso->color_store) {
        take_colors(iso);
    }
    if (s == STATUS_OK) {
        s = render_surface_geometry(surface, &scene->part.box, true, out);
    }
    render_surface_destroy(&surface);
    return s;
}

const layer_kind layer_isosurface = {.create = create,
                                     .destroy = destroy,
                                     .rescale = scale,
                                     .restyle = restyle,
                                     .load = load,
                                     .move = move,
                                     .brick_cost = brick_cost,
                                     .weigh = weigh,
                                     .draw = draw,
                                     .geometry = find_geometry,
                                     .casts = casts,
                                     .covers = covers,
                                     .bounds = find_bounds,
                                     .margin = layer_margin_none,
                                     .why_nothing = why_nothing};

/* ---- Thresholds -------------------------------------------------------------------- */

/* layer_kind.check: indices that a block does not have. */
static status check_limits(const frame_scene *scene, const frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    status s = STATUS_OK;
    int only = -1;
    if (config->block) {
        s = frame_block_find(scene->layout, config->block, &only);
    }
    for (int block = 0; s == STATUS_OK && config->has_box; block++) {
        if (block == scene->layout->nblocks) {
            break;
        }
        const grid_block *of = &scene->layout->blocks[block];
        for (int n = 0; n < 6 && s == STATUS_OK && (only < 0 || block == only); n++) {
            const int64_t *at = n < 3 ? config->from : config->to;
            double index;
            s = layer_blame(scene, layer, n < 3 ? "from" : "to",
                            layer_resolve_index(of, n % 3, (double)at[n % 3], &index));
        }
    }
    return s;
}

/* Values of fields in cells stay there if whole cells are shown. */
static status create_limits(frame_scene *scene, frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    const io_limits_config *given = &config->limits;
    isosurface *iso = calloc(1, sizeof *iso);
    layer->state = iso;
    status s =
        iso ? check_limits(scene, layer) : base_fail_memory(sizeof *iso, "a threshold");
    if (s == STATUS_OK && config->field) {
        s = layer_find_field(scene, layer, "field", config->field, !given->whole_cells,
                             &iso->recipe);
    }
    if (s == STATUS_OK) {
        /* Blocks that go before a given one in overlaps hide its cells, so bricks of all
         * are needed. */
        iso->only_block = -1;
        iso->limits = (render_limits){.lo = (float)given->above,
                                      .hi = (float)given->below,
                                      .whole_cells = given->whole_cells,
                                      .block = -1,
                                      .has_box = config->has_box};
        memcpy(iso->limits.from, config->from, sizeof config->from);
        memcpy(iso->limits.to, config->to, sizeof config->to);
        s = render_limits_places(&iso->limits, &iso->places);
    }
    if (s == STATUS_OK && config->block) {
        iso->limits.block = layer_find_block(scene, layer, "block", config->block);
        s = iso->limits.block < 0 ? STATUS_USAGE : STATUS_OK;
    }
    return parallel_agree(scene->comm, s);
}

const render_limits *layer_threshold_limits(const frame_layer *layer,
                                            const grid_recipe **recipe)
{
    const isosurface *iso = layer->state;
    *recipe = iso->recipe;
    return &iso->limits;
}

static status draw_limits(const frame_scene *scene, const draw_request *request,
                          frame_layer *layer, render_counters *counters)
{
    isosurface *iso = layer->state;
    const render_style style = {.cuts = request->cuts, .seconds = request->iso_seconds};
    render_counters mine;
    render_fragments_clear(&iso->fragments);
    layer->drawn = NULL;
    status s = render_gate_draw(iso->scene, &iso->limits,
                                &(render_request){.style = &style,
                                                  .transfer = iso->places,
                                                  .camera = &request->camera,
                                                  .clip = request->box,
                                                  .threads = scene->threads},
                                &iso->fragments, &mine);
    if (s == STATUS_OK) {
        layer->drawn = &iso->fragments;
        counters->crossings += mine.crossings;
        counters->lost_rays += mine.lost_rays;
    }
    return s;
}

static const char *why_closed(const frame_layer *layer)
{
    (void)layer;
    return "no cell lies within its limits, or they lie out of view";
}

const layer_kind layer_threshold = {.check = check_limits,
                                    .create = create_limits,
                                    .destroy = destroy,
                                    .load = load,
                                    .move = move,
                                    .brick_cost = brick_cost,
                                    .weigh = weigh,
                                    .draw = draw_limits,
                                    .is_gate = true,
                                    .margin = layer_margin_none,
                                    .why_nothing = why_closed};

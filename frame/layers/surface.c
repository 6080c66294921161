/* Surfaces: the config's `object`, `contour` and `grid`, drawn by
 * render/surface/surface.h. */
#include "render/surface/surface.h"
#include "base/parallel/parallel.h"
#include "boundary.h"
#include "frame/scene/appearance.h"
#include "frame/scene/bricks.h"
#include "frame/scene/missing.h"
#include "io/load/load.h"
#include "layer.h"
#include "surface_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 256 };

/*
 * A surface. It is made at the first step, when the bricks that it touches are in memory.
 */
typedef struct surface_state {
    int only_block; /* shows cells of this block and its copies only; -1: of all */
    int nranges, nplanes;
    surface_range *ranges; /* [nranges] */
    surface_plane *planes; /* [nplanes] */
    surface_cut cut;
    surface_spec spec;
    grid_recipe *recipe;      /* NULL: the surface has one colour */
    grid_recipe *line_recipe; /* of contour lines over cells that are filled with their
                                 own values; NULL: lines have none of their own */
    grid_store *store;
    render_surface *surface;
    surface_flow *flow; /* NULL: no texture along it */
    render_colors *colors;
    render_shade shade;
    float levels[MOST_LEVELS];
    surface_look look;
} surface_state;

static void destroy(frame_layer *layer)
{
    surface_state *state = layer->state;
    if (!state) {
        return;
    }
    surface_flow_destroy(&state->flow);
    render_surface_destroy(&state->surface);
    grid_store_destroy(&state->store);
    render_colors_destroy(&state->colors);
    grid_recipe_destroy(&state->recipe);
    grid_recipe_destroy(&state->line_recipe);
    free(state->ranges);
    free(state->planes);
    free(state);
    layer->state = NULL;
}

/* ---- Places ------------------------------------------------------------------------ */

static const char axis_names[] = "ijk";

static status add_plane(const frame_scene *scene, const frame_layer *layer, int block,
                        surface_state *state)
{
    const io_tool_config *config = layer->config->tool;
    const surface_range whole = render_surface_whole_block(scene->layout, block);
    surface_plane plane = {.block = block, .axis = config->axis};
    memcpy(plane.lo, whole.lo, sizeof plane.lo);
    memcpy(plane.hi, whole.hi, sizeof plane.hi);
    status s = layer_resolve_index(&scene->layout->blocks[block], config->axis,
                                   config->index, &plane.index);
    layer_blame(scene, layer, (const char[]){axis_names[config->axis], '\0'}, s);
    state->planes[state->nplanes++] = plane;
    return s;
}

static status add_box(const frame_scene *scene, const frame_layer *layer, int block,
                      surface_state *state)
{
    const io_tool_config *config = layer->config->tool;
    surface_range range = {.block = block};
    for (int axis = 0; axis < 3; axis++) {
        double from, to;
        const grid_block *of = &scene->layout->blocks[block];
        status s =
            layer_blame(scene, layer, "from",
                        layer_resolve_index(of, axis, (double)config->from[axis], &from));
        if (s == STATUS_OK) {
            s = layer_blame(scene, layer, "to",
                            layer_resolve_index(of, axis, (double)config->to[axis], &to));
        }
        if (s != STATUS_OK) {
            return s;
        }
        range.lo[axis] = (int64_t)fmin(from, to);
        range.hi[axis] = (int64_t)fmax(from, to);
    }
    state->ranges[state->nranges++] = range;
    return STATUS_OK;
}

static status find_places(const frame_scene *scene, const frame_layer *layer,
                          surface_state *state)
{
    const io_tool_config *config = layer->config->tool;
    const size_t most = (size_t)scene->layout->nblocks;
    int first = 0, last = scene->layout->nblocks - 1;
    state->only_block = -1;
    state->ranges = calloc(most, sizeof *state->ranges);
    state->planes = calloc(most, sizeof *state->planes);
    if (!state->ranges || !state->planes) {
        return base_fail_memory(most * sizeof *state->planes, "a surface");
    }
    if (config->block) {
        first = last = layer_find_block(scene, layer, "block", config->block);
        if (first < 0) {
            return STATUS_USAGE;
        }
        state->only_block = first;
        last = grid_layout_last_copy(scene->layout, first);
    }
    const bool by_name = config->family || config->bc;
    status s = by_name ? boundary_find(scene, layer, state->only_block, &state->nranges,
                                       &state->ranges)
                       : STATUS_OK;
    for (int block = first; s == STATUS_OK && block <= last && !by_name; block++) {
        if (config->has_box) {
            s = add_box(scene, layer, block, state);
        } else if (config->axis >= 0) {
            s = add_plane(scene, layer, block, state);
        } else if (layer->config->kind == IO_LAYER_GRID) { /* all six sides */
            state->ranges[state->nranges++] =
                render_surface_whole_block(scene->layout, block);
        }
    }
    if (config->has_plane) {
        state->cut =
            (surface_cut){vec3_sub(config->point, scene->layout->origin), config->normal};
    }
    state->spec = (surface_spec){.nranges = state->nranges,
                                 .ranges = state->ranges,
                                 .nplanes = state->nplanes,
                                 .planes = state->planes,
                                 .walls = config->walls != IO_WALLS_NONE,
                                 .ncuts = config->has_plane,
                                 .cuts = &state->cut,
                                 .has_inner = config->lic != NULL};
    return s;
}

static status check(const frame_scene *scene, const frame_layer *layer)
{
    surface_state state = {0};
    const status s = find_places(scene, layer, &state);
    free(state.ranges);
    free(state.planes);
    return s;
}

/* ---- Bricks ------------------------------------------------------------------------ */

/* layer_wants. The specification of walls and cutting planes names no block. To show one
 * block alone, bricks of other blocks are not loaded. */
static bool is_touched(const frame_layer *layer, const grid_layout *layout,
                       int64_t number)
{
    const surface_state *state = layer->state;
    return grid_layout_shows(layout, state->only_block, number) &&
           render_surface_needs(layout, &state->spec, number);
}

/* Whether normals vary smoothly from face to face. */
static bool has_normals(const surface_state *state)
{
    return state->look.shade && state->look.smooth;
}

/* Whether pictures depend on faces beyond their rim, which some rank must have: normals
 * there are sums over such faces, and lines of the flow come from there. */
static bool looks_beyond(const surface_state *state)
{
    return has_normals(state) || state->flow;
}

static status load_geometry(frame_scene *scene, frame_layer *layer)
{
    surface_state *state = layer->state;
    int64_t count = 0, *numbers = NULL;
    /* Perhaps also the bricks of the owned box: all ranks together have all faces. */
    status s = parallel_agree(
        scene->comm, looks_beyond(state) ? frame_bricks_all(scene, &count, &numbers)
                                         : frame_bricks_drawn(scene, &count, &numbers));
    if (s == STATUS_OK) {
        const grid_location location =
            state->recipe ? grid_recipe_location(state->recipe) : GRID_VERTEX;
        layer_pick_bricks(scene, layer, is_touched, &count, numbers);
        const io_load_list list = {scene->layout, count, numbers, location};
        s = io_load_moved(scene->comm, scene->source, &list, false, &state->store);
    }
    free(numbers);
    return s;
}

/* ---- Normals ----------------------------------------------------------------------- */

/* Makes normals the same on every rank. Collective. */
static status find_normals(frame_scene *scene, surface_state *state)
{
    int64_t count = 0, total = 0;
    surface_record *mine = NULL;
    void *all = NULL;
    status s =
        parallel_agree(scene->comm, render_surface_rim(state->surface, &count, &mine));
    if (s == STATUS_OK) {
        const layer_records records = {count, sizeof *mine, mine, "a surface"};
        s = layer_share(scene->comm, &records, &total, &all);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(scene->comm,
                           render_surface_set_normals(state->surface, total, all));
    }
    free(mine);
    free(all);
    return s;
}

static status make_surface(frame_scene *scene, frame_layer *layer)
{
    surface_state *state = layer->state;
    status s = load_geometry(scene, layer);
    if (s != STATUS_OK) {
        return s;
    }
    s = parallel_agree(
        scene->comm, render_surface_create(state->store, &state->spec, &state->surface));
    if (s == STATUS_OK) {
        layer_warn_of_no_faces(scene, layer, render_surface_count(state->surface).quads);
    }
    if (s == STATUS_OK && has_normals(state)) {
        s = find_normals(scene, state);
    }
    if (s == STATUS_OK && state->flow) {
        s = surface_flow_take_surface(scene, state->flow, state->surface);
    }
    return s;
}

/* ---- Looks ------------------------------------------------------------------------- */

static void set_rgb(float to[3], const double from[3])
{
    for (int c = 0; c < 3; c++) {
        to[c] = (float)from[c];
    }
}

static const double black[3] = {0.0, 0.0, 0.0};

static void find_levels(const frame_layer *layer, surface_state *state)
{
    state->look.levels = state->levels;
    state->look.nlevels = layer_count_levels(layer);
    for (int n = 0; n < state->look.nlevels; n++) {
        state->levels[n] = (float)layer_level(layer, n);
    }
}

/* The look of contours: fringes, lines or both. */
static void look_like_contour(const frame_layer *layer, surface_state *state)
{
    const io_tool_config *config = layer->config->tool;
    surface_look *look = &state->look;
    const bool lines = config->style != IO_STYLE_FRINGES;
    const bool fringes = config->style != IO_STYLE_LINES;
    find_levels(layer, state);
    look->scale = layer->npoints > 0 ? &layer->scale : NULL;
    look->fill = !fringes                  ? SURFACE_CLEAR
                 : config->paint.has_color ? SURFACE_PLAIN
                 : config->bands           ? SURFACE_FRINGES
                                           : SURFACE_COLORED;
    look->line_width = lines ? (float)config->line_width : 0.0f;
    look->line_paint.by_scalar =
        !fringes && !config->has_line_color && !config->paint.has_color;
    set_rgb(look->line_paint.rgb, config->has_line_color ? config->line_color
                                  : fringes              ? black
                                                         : config->paint.color);
}

/* The look of objects and grid lines: filled, wireframe or both. */
static void look_like_object(const frame_layer *layer, surface_state *state)
{
    const io_tool_config *config = layer->config->tool;
    surface_look *look = &state->look;
    const bool grid = layer->config->kind == IO_LAYER_GRID;
    const bool filled = !grid && config->style != IO_STYLE_WIREFRAME;
    const bool wires = grid || config->style != IO_STYLE_SURFACE;
    const bool colored = state->colors != NULL;
    look->fill = !filled ? SURFACE_CLEAR : colored ? SURFACE_COLORED : SURFACE_PLAIN;
    look->wire_width = wires ? (float)config->line_width : 0.0f;
    look->wire_every = config->every > 0 ? config->every : SURFACE_EVERY_AUTO;
    look->wire_paint.by_scalar = !filled && colored && !config->has_line_color;
    set_rgb(look->wire_paint.rgb, config->has_line_color ? config->line_color
                                  : filled               ? black
                                                         : config->paint.color);
}

static void find_look(const frame_scene *scene, const frame_layer *layer,
                      surface_state *state)
{
    const io_tool_config *config = layer->config->tool;
    state->look = (surface_look){.colors = state->colors,
                                 .opacity = (float)config->paint.opacity,
                                 .smooth = config->smooth,
                                 .lines_at_vertices = state->line_recipe,
                                 .shade = config->paint.lit ? &state->shade : NULL};
    state->shade = layer_shade(scene, &config->paint);
    set_rgb(state->look.color, config->paint.color);
    if (layer->config->kind == IO_LAYER_CONTOUR) {
        look_like_contour(layer, state);
    } else {
        look_like_object(layer, state);
    }
}

/* ---- The layer --------------------------------------------------------------------- */

/* The field that colours the surface; NULL if it has one colour. */
static const char *field_of(const frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    return layer->config->kind == IO_LAYER_CONTOUR ? config->field
           : config->paint.has_color               ? NULL
                                                   : config->paint.field;
}

/* Takes colours and range from the config. Collective. */
static status scale(frame_scene *scene, frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    const char *field = field_of(layer);
    surface_state *state = layer->state;
    if (field && config->paint.ncolors > 0) {
        return layer_make_colors(scene, layer, &config->paint, field, &state->colors);
    }
    if (field && config->nlevels > 0) {
        layer_set_range(layer, &config->paint);
    }
    return STATUS_OK;
}

static status rescale(frame_scene *scene, frame_layer *layer)
{
    const status s = scale(scene, layer);
    if (layer->config->kind == IO_LAYER_CONTOUR) {
        find_levels(layer, layer->state);
    }
    return s;
}

/* layer_kind.restyle */
static status restyle(frame_scene *scene, frame_layer *layer)
{
    const status s = scale(scene, layer);
    find_look(scene, layer, layer->state);
    return s;
}

/* Makes the recipes. Contours vary within cells and have lines, so they need values at
 * vertices; a contour that is not smooth fills cells with their own values. */
static status find_recipes(const frame_scene *scene, const frame_layer *layer,
                           surface_state *state)
{
    const io_tool_config *config = layer->config->tool;
    const bool contour = layer->config->kind == IO_LAYER_CONTOUR;
    const bool fills_cells = !config->smooth && config->style != IO_STYLE_LINES;
    const char *field = field_of(layer), *key = contour ? "field" : "color_by";
    status s = layer_find_field(scene, layer, key, field, contour && !fills_cells,
                                &state->recipe);
    if (s == STATUS_OK && contour && config->style == IO_STYLE_FRINGES_AND_LINES &&
        grid_recipe_location(state->recipe) == GRID_CELL) {
        s = layer_find_field(scene, layer, key, field, true, &state->line_recipe);
    }
    return s;
}

static status create(frame_scene *scene, frame_layer *layer)
{
    const io_tool_config *config = layer->config->tool;
    surface_state *state = calloc(1, sizeof *state);
    layer->state = state;
    status s = state ? STATUS_OK : base_fail_memory(sizeof *state, "a surface");
    if (s == STATUS_OK && config->nlevels > MOST_LEVELS) {
        s = base_fail(STATUS_USAGE, "must be at most %d, is %d", MOST_LEVELS,
                      config->nlevels);
        layer_blame(scene, layer, "levels", s);
    }
    if (s == STATUS_OK) {
        s = find_places(scene, layer, state);
    }
    if (s == STATUS_OK && field_of(layer)) {
        s = find_recipes(scene, layer, state);
    }
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK && config->lic) {
        s = surface_flow_create(scene, layer, &state->flow);
    }
    s = s == STATUS_OK ? scale(scene, layer) : s;
    if (s == STATUS_OK) {
        find_look(scene, layer, state);
    }
    return s;
}

/* io_load_take: gives the vertices of a brick their scalars. */
static void take_lines(void *context, const io_load_part *part)
{
    const int *n = part->brick->place.n;
    float(*to)[4] = part->brick->vertex;
    (void)context;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++, to += n[0] + 1) {
            const float *row = part->values[0] + k * part->plane + j * part->row;
            for (int i = 0; i <= n[0]; i++) {
                to[i][3] = row[i];
            }
        }
    }
}

static status load(frame_scene *scene, frame_layer *layer, int step)
{
    surface_state *state = layer->state;
    status s = state->surface ? STATUS_OK : make_surface(scene, layer);
    if (s == STATUS_OK && state->recipe) {
        s = io_load_field(scene->comm, scene->source, state->recipe, step, state->store);
    }
    if (s == STATUS_OK && state->line_recipe) {
        const grid_recipe *recipe = state->line_recipe;
        const io_load_set set = {.count = 1, .recipes = &recipe, .take = take_lines};
        s = io_load_values(scene->comm, scene->source, &set, step, state->store);
    }
    if (s == STATUS_OK && state->flow) {
        s = surface_flow_load(scene, state->flow, step, state->store);
    }
    if (s == STATUS_OK && state->recipe) {
        frame_missing_look(scene, field_of(layer), state->recipe, step, state->store);
    }
    return s;
}

static status draw(const frame_scene *scene, const draw_request *request,
                   frame_layer *layer, render_counters *counters)
{
    surface_state *state = layer->state;
    surface_look look = state->look;
    (void)counters;
    look.lic = state->flow && request->purpose != DRAW_EDGES
                   ? surface_flow_texture(state->flow)
                   : NULL;
    if (request->purpose == DRAW_SHADOW) {
        look.lic = NULL;
        look.lines_apart = false;
        look.shade = NULL;
        look.fill = SURFACE_PLAIN;
        look.line_width = look.wire_width = 0.0f;
    }
    layer->lines = render_surface_lines(state->surface);
    return render_surface_draw(
        state->surface, &look,
        &(render_clip_view){&request->camera, request->box, request->cuts},
        scene->threads, &layer->drawn);
}

static status find_geometry(const frame_scene *scene, frame_layer *layer,
                            render_geometry *out)
{
    const surface_state *state = layer->state;
    return render_surface_geometry(state->surface, &scene->part.box, state->recipe, out);
}

static bool covers(const frame_layer *layer)
{
    const surface_state *state = layer->state;
    return state->look.fill != SURFACE_CLEAR;
}

static bool part_lines(frame_layer *layer)
{
    surface_state *state = layer->state;
    surface_look *look = &state->look;
    look->lines_apart =
        covers(layer) && (look->line_width > 0.0f || look->wire_width > 0.0f);
    return look->lines_apart;
}

static bool casts(const frame_layer *layer)
{
    const surface_state *state = layer->state;
    return layer->config->tool->paint.lit && state->look.fill != SURFACE_CLEAR;
}

static void find_bounds(const frame_scene *scene, const frame_layer *layer, box3 *bounds)
{
    for (int64_t number = 0; number < scene->layout->nbricks; number++) {
        if (is_touched(layer, scene->layout, number)) {
            layer_grow_bounds(scene->layout, number, bounds);
        }
    }
}

static double cost(const frame_layer *layer, int64_t tile)
{
    const surface_state *state = layer->state;
    return render_surface_cost(state->surface, tile);
}

/* The surface of other bricks is made when the layer loads. */
static status move(frame_scene *scene, frame_layer *layer)
{
    surface_state *state = layer->state;
    if (state->flow) {
        surface_flow_drop_surface(state->flow);
    }
    render_surface_destroy(&state->surface);
    if (!scene->part.is_exchanging) {
        grid_store_destroy(&state->store);
    }
    layer->drawn = NULL;
    return STATUS_OK;
}

static frame_brick_cost brick_cost(const frame_layer *layer, const grid_layout *layout,
                                   int64_t number)
{
    const bool has_cells = false; /* the four bytes of a cell are negligible */
    if (!is_touched(layer, layout, number)) {
        return (frame_brick_cost){0};
    }
    const frame_brick_cost whole =
        frame_brick_cost_march(layout, number, APP_VERTEX_BYTES, has_cells);
    return (frame_brick_cost){.cells = 1.0, .bytes = whole.bytes};
}

static const char *why_nothing(const frame_layer *layer)
{
    return layer->config->kind == IO_LAYER_CONTOUR &&
                   layer->config->tool->style == IO_STYLE_LINES
               ? "its field takes none of the levels there, or they lie out of view"
               : "it lies out of view";
}

const layer_kind layer_surface = {.check = check,
                                  .create = create,
                                  .destroy = destroy,
                                  .rescale = rescale,
                                  .restyle = restyle,
                                  .load = load,
                                  .move = move,
                                  .brick_cost = brick_cost,
                                  .cost = cost,
                                  .draw = draw,
                                  .geometry = find_geometry,
                                  .casts = casts,
                                  .covers = covers,
                                  .part_lines = part_lines,
                                  .bounds = find_bounds,
                                  .margin = layer_margin_none,
                                  .why_nothing = why_nothing};

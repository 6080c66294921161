/* Finds opacity if a config leaves it open; and all looks, in order. */
#include "open_keys.h"
#include "grids.h"

#include "base/log.h"
#include "base/parallel/parallel.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Opacity ----------------------------------------------------------------------- */

static int volume_index(const io_config *config)
{
    int n = 0;
    while (config->layers[n].volume != config->volume) {
        n++;
    }
    return n;
}

/* The flow within the volume's range, which the user may have given. A range of little
 * but the stream is meant to show the stream. */
static auto_flow seen_flow(const looks *l, const double range[2])
{
    const double most = 0.6;
    auto_flow flow = l->flow;
    for (int n = 0; n < 2; n++) {
        flow.range[n] = range[n];
        flow.stream[n] = fmin(fmax(flow.stream[n], range[0]), range[1]);
    }
    if (flow.stream[1] - flow.stream[0] > most * (range[1] - range[0])) {
        flow.stream[0] = flow.stream[1] = range[0];
    }
    return flow;
}

/*
 * The opacity of the value farthest from the stream, for a slab of thickness `unit`. A
 * ray through the box then loses about half of its light on average. A limit of the
 * extinction keeps rare values from looking like a wall; the least opacity keeps common
 * ones visible.
 */
static double find_alpha(const looks *l, const auto_flow *flow, double unit)
{
    const double depth = l->is_outer ? 0.3 : 0.8, thickest = l->is_outer ? 0.8 : 4.0;
    const double share = 0.05;
    const vec3 size = vec3_sub(flow->box.hi, flow->box.lo);
    const double way = fmin(fmin(size.v[0], size.v[1]), size.v[2]);
    const double mean = auto_flow_mean(l->sample, flow);
    double extinction = mean > 0.0 && way > 0.0 ? depth / (mean * way) : INFINITY;
    extinction =
        fmin(extinction, thickest / fmin(fmax(way, unit), share * vec3_length(size)));
    const double alpha = 1.0 - exp(-extinction * unit);
    return round(fmin(fmax(alpha, 0.001), 0.98) * 1000.0) / 1000.0;
}

/* The current range of the volume; that of the first step, if each has its own.
 * Collective. */
static status current_range(const looks *l, int layer, const char *key, double range[2])
{
    const io_volume_config *volume = l->config->volume;
    if (io_config_range_is_of_step(l->config, layer)) {
        frame_auto_data first = *l->data;
        first.nsteps = 1;
        const looks_shown its = looks_shown_by(l->config, layer);
        return looks_find_extremes(&first, &its, range);
    }
    const char *text = auto_values_find(l->values, volume->field, key);
    memcpy(range, volume->range, 2 * sizeof *range);
    if (text && volume->auto_range &&
        sscanf(text, "[%lf, %lf]", &range[0], &range[1]) != 2) {
        return base_fail(STATUS_USAGE, "%s: '%s' is no range", key, text);
    }
    return STATUS_OK;
}

static status add_opacity(looks *l, const char *key, const char *unit_key,
                          const double range[2])
{
    const io_volume_config *volume = l->config->volume;
    const auto_flow flow = seen_flow(l, range);
    const double diagonal = vec3_length(vec3_sub(flow.box.hi, flow.box.lo));
    const double size = diagonal > 0.0 ? diagonal : 1.0;
    const double unit = volume->auto_unit_length ? auto_tidy(0.01 * size, 0.01 * size)
                                                 : volume->unit_length;
    char text[512];
    const base_scale scale = base_scale_make(volume->scale, volume->threshold, range);
    auto_opacity_print(&flow, &scale, volume->positions_are_data,
                       find_alpha(l, &flow, unit), sizeof text, text);
    status s = auto_values_add(l->values, volume->field, key, "%s", text);
    if (s == STATUS_OK && volume->auto_unit_length) {
        s = auto_values_add(l->values, volume->field, unit_key, "%.10g", unit);
    }
    return s;
}

static status find_opacity(looks *l)
{
    const io_volume_config *volume = l->config->volume;
    char key[LOOKS_KEY_SIZE], unit_key[LOOKS_KEY_SIZE], range_key[LOOKS_KEY_SIZE];
    double range[2];
    status s = STATUS_OK;
    if (!volume || volume->nopacities > 0) {
        return s;
    }
    const int index = volume_index(l->config);
    looks_key(l->config, index, "opacity", key);
    looks_key(l->config, index, "unit_length", unit_key);
    looks_key(l->config, index, "range", range_key);
    if (looks_reuse(l, volume->field, key, &s)) {
        if (s == STATUS_OK && volume->auto_unit_length) {
            looks_reuse(l, volume->field, unit_key, &s);
        }
        return s;
    }
    s = current_range(l, index, range_key, range);
    if (s == STATUS_OK) {
        s = looks_survey(l, volume->field, false);
    }
    return s == STATUS_OK ? add_opacity(l, key, unit_key, range) : s;
}

/* ---- Walls ------------------------------------------------------------------------- */

static bool is_open_wall(const io_layer_config *layer)
{
    return layer->kind == IO_LAYER_OBJECT && layer->tool->walls == IO_WALLS_AUTO;
}

/* Names the vertices of a found wall in a layer; index -1: all marked ones. */
static bool name_wall(const looks *l, int index, json_t *object)
{
    if (index < 0) {
        return json_object_set_new(object, "walls", json_true()) == 0;
    }
    const auto_wall *w = &l->walls.walls[index];
    const char *block = l->data->layout->blocks[w->block].name;
    json_t *from = json_pack("[I, I, I]", (json_int_t)w->from[0], (json_int_t)w->from[1],
                             (json_int_t)w->from[2]);
    json_t *to = json_pack("[I, I, I]", (json_int_t)w->to[0], (json_int_t)w->to[1],
                           (json_int_t)w->to[2]);
    json_object_del(object, "walls"); /* which the first wall did for all */
    return json_object_set_new(object, "block", json_string(block)) == 0 &&
           json_object_set_new(object, "from", from) == 0 &&
           json_object_set_new(object, "to", to) == 0;
}

/* Walls without a colour of their own look as those beside a volume. Walls all around
 * would hide the rest. */
static bool paint_wall(const looks *l, const box3 *box, json_t *object)
{
    if (json_object_get(object, "color") || json_object_get(object, "color_by")) {
        return true;
    }
    const auto_cover cover = auto_walls_cover(&l->walls, box);
    bool hide = false;
    for (int axis = 0; axis < 3; axis++) {
        hide = hide || (cover.sides[axis][0] && cover.sides[axis][1]);
    }
    bool works =
        json_object_set_new(object, "color", json_pack("[f, f, f]", 0.7, 0.7, 0.72)) == 0;
    if (hide && !json_object_get(object, "opacity")) {
        works = works && json_object_set_new(object, "opacity", json_real(0.12)) == 0;
    }
    return works;
}

/* Adds an override that makes a wall of an open one: in its place, or behind all. key:
 * with the place of the open one, for messages. */
static status add_wall(looks *l, int index, const box3 *box, const char *key,
                       json_t *entry)
{
    json_t *object = json_object_get(entry, "object");
    char *text = name_wall(l, index, object) && paint_wall(l, box, object)
                     ? json_dumps(entry, JSON_COMPACT | JSON_REAL_PRECISION(15))
                     : NULL;
    const status s = text ? auto_values_add(l->values, NULL, key, "%s", text)
                          : base_fail_memory(0, "a wall");
    free(text);
    return s;
}

/* Takes an open entry out, as there are no walls. Fails if nothing is left to draw. */
static status drop_walls(const looks *l, const char *key, const char *place,
                         bool is_asked)
{
    static const char none[] =
        "there are no walls: no outer face has iblank 2, and on "
        "none is the fluid at rest; name faces by i, j or k instead";
    if (l->config->nlayers == 1) {
        return base_fail(STATUS_INPUT, "%s: %s", place, none);
    }
    if (is_asked) {
        base_log_warning("%s: %s", place, none);
    }
    return auto_values_add(l->values, NULL, key, "null");
}

/* Replaces an open entry by the walls that were found, if there are any. */
static status find_walls(looks *l, int layer)
{
    char key[LOOKS_KEY_SIZE], first[640], more[640], place[512];
    snprintf(key, sizeof key, "layers.%d", layer);
    io_config_place(l->config, key, sizeof place, place);
    const int length = (int)(strlen(place) - strlen(key)) - 2;
    snprintf(first, sizeof first, "%.*s\v%s", length, place, key);
    snprintf(more, sizeof more, "%.*s\vlayers.+", length, place);
    char *given = io_config_given_json(l->config, key);
    json_t *entry = given ? json_loads(given, 0, NULL) : NULL;
    free(given);
    if (!entry) {
        return base_fail_memory(0, "a layer");
    }
    const grid_layout *layout = l->data->layout;
    const box3 box = {vec3_add(layout->bounds.lo, layout->origin),
                      vec3_add(layout->bounds.hi, layout->origin)};
    const int count = l->walls.has_marks ? 1 : l->walls.count;
    const bool is_asked = json_object_size(json_object_get(entry, "object")) > 1 &&
                          !auto_values_find(l->values, NULL, "layers") &&
                          (!l->data->seen || l->data->seen->is_last);
    status s = STATUS_OK;
    if (count == 0) {
        s = drop_walls(l, key, place, is_asked);
    }
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = add_wall(l, l->walls.has_marks ? -1 : n, &box, n == 0 ? first : more, entry);
    }
    json_decref(entry);
    return s;
}

/* ---- Seeds ------------------------------------------------------------------------- */

/* Seeds all over the box that is shown, about as far from each other along all axes. */
static status find_seeds(looks *l, int layer)
{
    const double wanted = 150.0, inset = 0.04;
    char key[LOOKS_KEY_SIZE];
    box3 box;
    status s = looks_find_box(l, &box);
    if (s != STATUS_OK) {
        return s;
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double longest = fmax(size.v[0], fmax(size.v[1], size.v[2]));
    double product = 1.0;
    int axes = 0, count[3];
    for (int axis = 0; axis < 3; axis++) {
        const bool is_thin = !(size.v[axis] > 0.05 * longest);
        product *= is_thin ? 1.0 : size.v[axis];
        axes += !is_thin;
    }
    const double apart = axes > 0 ? pow(product / wanted, 1.0 / axes) : 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double many = round(size.v[axis] / apart);
        count[axis] = many > 1.0 ? (int)fmin(many, 100.0) : 1;
        box.lo.v[axis] += inset * size.v[axis];
        box.hi.v[axis] -= inset * size.v[axis];
    }
    looks_key(l->config, layer, "seeds", key);
    return auto_values_add(l->values, NULL, key,
                           "[{box: [[%.6g, %.6g, %.6g], [%.6g, %.6g, %.6g]], count: [%d, "
                           "%d, %d]}]",
                           box.lo.v[0], box.lo.v[1], box.lo.v[2], box.hi.v[0],
                           box.hi.v[1], box.hi.v[2], count[0], count[1], count[2]);
}

/* ---- The bar ----------------------------------------------------------------------- */

/* The layers whose colours bars show, one of each field; returns their number. */
static int find_colored(const io_config *config, int layers[IO_MAX_LAYERS])
{
    int count = 0;
    for (int n = 0; n < config->nlayers; n++) {
        const char *field = looks_shown_by(config, n).field;
        bool is_new = field != NULL;
        for (int k = 0; k < count && is_new; k++) {
            is_new = strcmp(field, looks_shown_by(config, layers[k]).field) != 0;
        }
        if (is_new) {
            layers[count++] = n;
        }
    }
    return count;
}

/* A bar for each field that colours show, three at most: more would fill the side. */
static status find_bar(looks *l)
{
    const char *given = io_config_given(l->config, "annotations.scalar_bar");
    int layers[IO_MAX_LAYERS] = {0};
    char more[64];
    if (!given || strcmp(given, "auto") != 0) {
        return STATUS_OK;
    }
    const int count = find_colored(l->config, layers);
    const status s = auto_values_add(l->values, NULL, "annotations.scalar_bar", "%s",
                                     count > 0 ? "true" : "false");
    snprintf(more, sizeof more,
             count > 2 ? "[{layer: %d}, {layer: %d}]" : "[{layer: %d}]", layers[1],
             layers[2]);
    return s != STATUS_OK || count < 2 ||
                   io_config_given(l->config, "annotations.scalar_bars")
               ? s
               : auto_values_add(l->values, NULL, "annotations.scalar_bars", "%s", more);
}

/* Whether the box around what is shown replaces outlines: the grid's edges lie far from
 * its walls, or most of it is a free stream. Beside other data all have the same layers.
 * Collective. */
static status replaces_outlines(looks *l, bool *does)
{
    const double far = 0.4;
    const box3 all = auto_grids_bounds(l->data), *walls = &l->walls.bounds;
    const double size = vec3_length(vec3_sub(all.hi, all.lo));
    box3 box;
    const status s = looks_find_box(l, &box);
    *does =
        s == STATUS_OK && ((l->sample && l->flow.has_stream) ||
                           (walls->lo.v[0] <= walls->hi.v[0] &&
                            vec3_length(vec3_sub(walls->hi, walls->lo)) < far * size));
    return s;
}

/* Finds the parts that given layers leave open: walls, seeds and outlines. Collective. */
static status find_parts(looks *l)
{
    const io_config *config = l->config;
    bool has_walls = false, has_axes = false, is_far = false;
    char key[LOOKS_KEY_SIZE];
    for (int n = 0; n < config->nlayers; n++) {
        has_walls = has_walls || is_open_wall(&config->layers[n]);
        has_axes = has_axes || looks_axes_are_open(config, n);
    }
    status s = has_walls ? auto_walls_find(l->data, &l->walls) : STATUS_OK;
    has_axes = has_axes && !l->data->seen;
    s = s == STATUS_OK && has_axes ? replaces_outlines(l, &is_far) : s;
    /* From the last, as an entry without walls goes. */
    for (int n = config->nlayers - 1; n >= 0 && s == STATUS_OK; n--) {
        const io_layer_config *layer = &config->layers[n];
        if (layer->particles && layer->particles->auto_seeds) {
            s = find_seeds(l, n);
        }
        if (s == STATUS_OK && is_open_wall(layer)) {
            s = find_walls(l, n);
        }
        if (s == STATUS_OK && is_far && layer->kind == IO_LAYER_OUTLINE) {
            snprintf(key, sizeof key, "layers.%d", n);
            s = auto_values_add(l->values, NULL, key, "null");
        }
    }
    return s;
}

/* ---- All --------------------------------------------------------------------------- */

/* Whether a config leaves anything open that depends on the grid. */
static bool is_open(const io_config *config, const frame_auto_values *values)
{
    const io_camera_config *camera = &config->camera;
    const io_volume_config *volume = config->volume;
    bool is = values->count > 0 || config->nlayers == 0 || camera->auto_position ||
              camera->auto_look_at || camera->auto_up || camera->auto_height ||
              (volume && (volume->nopacities == 0 || volume->auto_unit_length));
    for (int n = 0; n < config->nlayers && !is; n++) {
        const looks_shown its = looks_shown_by(config, n);
        is = looks_axes_are_open(config, n) ||
             (its.field && its.is_open && !io_config_range_is_of_step(config, n));
    }
    return is;
}

/* Applies the values that were found since the last time. Collective. */
static status apply(looks *l, int *first, io_config **config, frame_auto_data *data)
{
    const status s =
        parallel_agree(data->comm, auto_values_apply(l->values, *first, config));
    *first = l->values->count;
    l->config = *config;
    data->config = &l->config->data;
    return s;
}

status frame_auto_looks(const frame_auto_data *data, const frame_auto_values *known,
                        frame_auto_values *values, io_config **config)
{
    static status (*const steps[])(looks *) = {looks_find_layers, find_parts, find_bar};
    static status (*const last[])(looks *) = {looks_find_ranges, find_opacity,
                                              looks_find_camera};
    frame_auto_data now = *data; /* its config may be replaced */
    looks l = {.data = &now, .known = known, .values = values, .config = *config};
    l.walls.bounds = auto_no_box();
    int first = values->count;
    auto_grids grids;
    status s = auto_grids_find(data, is_open(*config, values), &grids);
    if (s != STATUS_OK) {
        return s;
    }
    now.grids = grids.count > 0 ? &grids : NULL;
    for (int n = 0; n < 3 && s == STATUS_OK; n++) {
        s = steps[n](&l);
        s = s == STATUS_OK ? apply(&l, &first, config, &now) : s;
    }
    for (int n = 0; n < 3 && s == STATUS_OK; n++) {
        s = last[n](&l);
    }
    auto_sample_destroy(&l.sample);
    auto_grids_clear(&grids);
    s = parallel_agree(data->comm, s);
    return s == STATUS_OK ? apply(&l, &first, config, &now) : s;
}

/* Finds opacity, camera, and the layers beside a volume, if a config leaves them open. */
#include "open_keys.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "opacity.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outlines of more blocks would hide the picture. */
enum { MOST_OUTLINES = 64 };

/* Surveys a field, unless it was the last one. Collective. */
status looks_survey(looks *l, const char *field, bool continuous)
{
    if (l->field && strcmp(l->field, field) == 0 && l->continuous == continuous) {
        return STATUS_OK;
    }
    auto_sample_destroy(&l->sample);
    l->field = NULL;
    status s = auto_sample_create(l->data, field, continuous, &l->sample);
    if (s == STATUS_OK) {
        auto_flow_find(l->sample, l->data->layout, &l->flow);
        l->field = field;
        l->continuous = continuous;
    }
    return s;
}

/* Adds the value known for the same key and field; false: none is known. */
bool looks_reuse(const looks *l, const char *field, const char *key, status *s)
{
    const char *text = auto_values_find(l->known, field, key);
    if (text) {
        *s = auto_values_add(l->values, field, key, "%s", text);
    }
    return text != NULL;
}

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
    const double depth = 0.8, thickest = 4.0, share = 0.05;
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
        app_auto_data first = *l->data;
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

/* ---- Camera ------------------------------------------------------------------------ */

/*
 * The main field of the picture: that of the volume, or of a layer that a field colours.
 */
static looks_shown first_shown(const io_config *config)
{
    looks_shown found = {.name = "field"};
    for (int n = config->nlayers - 1; n >= 0; n--) {
        const looks_shown its = looks_shown_by(config, n);
        const bool is_better = !config->volume || config->layers[n].volume;
        found = its.field && is_better ? its : found;
    }
    return found;
}

/* The box to show, in the file's coordinates. Collective. */
static status find_box(looks *l, box3 *box)
{
    const grid_layout *layout = l->data->layout;
    const looks_shown its = first_shown(l->config);
    if (l->has_shown) {
        *box = l->shown;
        return STATUS_OK;
    }
    status s = its.field ? looks_survey_shown(l, &its) : STATUS_OK;
    if (s == STATUS_OK) {
        *box = its.field ? l->flow.box : layout->bounds;
        box->lo = vec3_add(box->lo, layout->origin);
        box->hi = vec3_add(box->hi, layout->origin);
    }
    return s;
}

/* The box of the walls. Without walls: if the flow lies at one end of the grid along an
 * axis, that end is taken for a wall. */
static box3 find_floor(const looks *l, const box3 *box)
{
    const grid_layout *layout = l->data->layout;
    const vec3 lo = vec3_add(layout->bounds.lo, layout->origin);
    const vec3 hi = vec3_add(layout->bounds.hi, layout->origin);
    box3 floor = *box;
    for (int axis = 0; axis < 3 && !l->has_shown; axis++) {
        const double near = 0.05 * (hi.v[axis] - lo.v[axis]);
        const bool is_low = box->lo.v[axis] - lo.v[axis] < near;
        const bool is_high = hi.v[axis] - box->hi.v[axis] < near;
        if (is_low && !is_high) {
            floor.hi.v[axis] = floor.lo.v[axis];
        } else if (is_high && !is_low) {
            floor.lo.v[axis] = floor.hi.v[axis];
        }
    }
    return l->walls.bounds.lo.v[0] <= l->walls.bounds.hi.v[0] ? l->walls.bounds : floor;
}

static status add_place(looks *l, bool is_open, const char *key, vec3 place)
{
    return is_open ? auto_values_add(l->values, NULL, key, "[%.10g, %.10g, %.10g]",
                                     place.v[0], place.v[1], place.v[2])
                   : STATUS_OK;
}

static status add_camera(looks *l, const io_camera_config *camera)
{
    const bool is_open = camera->auto_position || camera->auto_look_at;
    status s = add_place(l, camera->auto_position, "camera.position", camera->position);
    if (s == STATUS_OK) {
        s = add_place(l, camera->auto_look_at, "camera.look_at", camera->look_at);
    }
    if (s == STATUS_OK) {
        s = add_place(l, camera->auto_up && is_open, "camera.up", camera->up);
    }
    return s == STATUS_OK && camera->auto_height
               ? auto_values_add(l->values, NULL, "camera.height", "%.10g",
                                 camera->height)
               : s;
}

/* Takes all open values of the camera from the known ones; false if one is not known. */
static bool reuse_camera(const looks *l, status *s)
{
    static const char *const keys[] = {"camera.position", "camera.look_at", "camera.up",
                                       "camera.height"};
    const io_camera_config *camera = &l->config->camera;
    const bool open[] = {camera->auto_position, camera->auto_look_at, camera->auto_up,
                         camera->auto_height};
    for (int n = 0; n < 4; n++) {
        if (open[n] && !auto_values_find(l->known, NULL, keys[n])) {
            return false;
        }
    }
    for (int n = 0; n < 4 && *s == STATUS_OK; n++) {
        if (open[n]) {
            looks_reuse(l, NULL, keys[n], s);
        }
    }
    return true;
}

void looks_view(const looks *l, const box3 *box, const box3 *walls,
                io_camera_config *camera)
{
    const bool finds_up = camera->auto_up;
    if (finds_up && l->has_up) {
        const double *up = l->up.v;
        const int axis = fabs(up[0]) > fabs(up[1]) ? (fabs(up[0]) > fabs(up[2]) ? 0 : 2)
                                                   : (fabs(up[1]) > fabs(up[2]) ? 1 : 2);
        camera->up = vec3_make(0, 0, 0);
        camera->up.v[axis] = up[axis] < 0.0 ? -1.0 : 1.0;
        camera->auto_up = false;
    }
    auto_view_find(l->config, box, walls, camera);
    camera->auto_up = finds_up;
}

static status find_camera(looks *l)
{
    io_camera_config camera = l->config->camera;
    box3 box;
    status s = STATUS_OK;
    if (!(camera.auto_position || camera.auto_look_at || camera.auto_up ||
          camera.auto_height) ||
        reuse_camera(l, &s)) {
        return s;
    }
    s = find_box(l, &box);
    if (s == STATUS_OK) {
        const box3 floor = find_floor(l, &box);
        looks_view(l, &box, &floor, &camera);
        s = add_camera(l, &camera);
    }
    return s;
}

/* ---- Layers ------------------------------------------------------------------------ */

/* Whether walls enclose the flow and would hide it: they reach about as far as the flow
 * along all axes. */
static bool enclose(const auto_walls *walls, const box3 *box)
{
    for (int axis = 0; axis < 3; axis++) {
        const double all = box->hi.v[axis] - box->lo.v[axis];
        const double shared = fmin(walls->bounds.hi.v[axis], box->hi.v[axis]) -
                              fmax(walls->bounds.lo.v[axis], box->lo.v[axis]);
        if (!(shared > 0.7 * all)) {
            return false;
        }
    }
    return true;
}

static size_t print_wall(const looks *l, int index, const char *look, size_t size,
                         char *text)
{
    if (index < 0) {
        return (size_t)snprintf(text, size, ", {object: {walls: true, %s}}", look);
    }
    const auto_wall *w = &l->walls.walls[index];
    return (size_t)snprintf(
        text, size,
        ", {object: {block: \"%s\", from: [%lld, %lld, %lld], to: [%lld, %lld, %lld], "
        "%s}}",
        l->data->layout->blocks[w->block].name, (long long)w->from[0],
        (long long)w->from[1], (long long)w->from[2], (long long)w->to[0],
        (long long)w->to[1], (long long)w->to[2], look);
}

/* A map from dark to light shows values above the stream. A map with two light ends shows
 * values on both sides of it. */
static const char *choose_map(const auto_flow *flow)
{
    const double middle = 0.5 * (flow->stream[0] + flow->stream[1]);
    const double place = (middle - flow->range[0]) / (flow->range[1] - flow->range[0]);
    return place > 0.35 ? "cool-to-warm" : "viridis";
}

static void print_layers(const looks *l, const box3 *box, size_t size, char *text)
{
    const auto_walls *walls = &l->walls;
    const char *look = enclose(walls, box) ? "color: [0.7, 0.7, 0.72], opacity: 0.12"
                                           : "color: [0.7, 0.7, 0.72]";
    size_t used = (size_t)snprintf(text, size, "[{volume: {field: \"%s\", colors: %s}}",
                                   l->config->volume->field, choose_map(&l->flow));
    if (walls->has_marks) {
        used += print_wall(l, -1, look, size - used, text + used);
    }
    for (int n = 0; n < walls->count && used + 512 < size; n++) {
        used += print_wall(l, n, look, size - used, text + used);
    }
    if (l->data->layout->nblocks <= MOST_OUTLINES) {
        used += (size_t)snprintf(text + used, size - used,
                                 ", {outline: {color: [0.6, 0.6, 0.6], opacity: 0.5, "
                                 "line_width: 1}}");
    }
    snprintf(text + used, size - used, "]");
}

/* Takes the layers known for the same volume, or for the grid; false: none are known. */
static bool reuse_layers(const looks *l, const char *field, status *s)
{
    if (!looks_reuse(l, field, "layers", s)) {
        return false;
    }
    if (*s == STATUS_OK && !l->config->has_annotations) {
        looks_reuse(l, field, "annotations", s);
    }
    return true;
}

/* Adds layers beside the volume to a config without layers. */
static status find_layers(looks *l)
{
    char text[3584];
    box3 box;
    status s = STATUS_OK;
    if (!auto_values_find(l->values, NULL, "layers")) {
        return s; /* layers were given */
    }
    const char *field = l->config->volume ? l->config->volume->field : looks_bare;
    if (!l->config->volume && l->config->layers[0].kind != IO_LAYER_GRID) {
        return l->config->has_annotations
                   ? s
                   : auto_values_add(l->values, NULL, "annotations",
                                     "{scalar_bar: true}");
    }
    if (reuse_layers(l, field, &s)) {
        return s == STATUS_OK ? auto_values_add_later(l->values, l->config, "layers.")
                              : s;
    }
    if (!l->config->volume) {
        s = looks_find_bare_layers(l);
        return s == STATUS_OK ? auto_values_add_later(l->values, l->config, "layers.")
                              : s;
    }
    s = auto_walls_find(l->data, &l->walls);
    if (s == STATUS_OK) {
        s = find_box(l, &box);
    }
    if (s == STATUS_OK) {
        print_layers(l, &box, sizeof text, text);
        s = auto_values_add(l->values, field, "layers", "%s", text);
    }
    s = s == STATUS_OK ? auto_values_add_later(l->values, l->config, "layers.") : s;
    return s == STATUS_OK && !l->config->has_annotations
               ? auto_values_add(l->values, field, "annotations", "{scalar_bar: true}")
               : s;
}

status app_auto_looks(const app_auto_data *data, const app_auto_values *known,
                      app_auto_values *values, io_config **config)
{
    looks l = {.data = data, .known = known, .values = values, .config = *config};
    l.walls.bounds = auto_no_box();
    const int first = values->count;
    status s = find_layers(&l);
    if (s == STATUS_OK) {
        s = looks_find_ranges(&l);
    }
    if (s == STATUS_OK) {
        s = find_opacity(&l);
    }
    if (s == STATUS_OK) {
        s = find_camera(&l);
    }
    auto_sample_destroy(&l.sample);
    s = parallel_agree(data->comm, s);
    return s == STATUS_OK
               ? parallel_agree(data->comm, auto_values_apply(values, first, config))
               : s;
}

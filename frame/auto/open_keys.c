/* Finds opacity, and the layers beside a volume, if a config leaves them open. */
#include "open_keys.h"
#include "grids.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "opacity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outlines of more blocks would hide the picture. */
enum { MOST_OUTLINES = 64 };

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

static size_t print_walls(const looks *l, bool are_translucent, size_t size, char *text)
{
    const auto_walls *walls = &l->walls;
    const char *look = are_translucent ? "color: [0.7, 0.7, 0.72], opacity: 0.12"
                                       : "color: [0.7, 0.7, 0.72]";
    size_t used = walls->has_marks ? print_wall(l, -1, look, size, text) : 0;
    for (int n = 0; n < walls->count && used + 512 < size; n++) {
        used += print_wall(l, n, look, size - used, text + used);
    }
    return used;
}

static size_t print_outline(const looks *l, size_t size, char *text)
{
    return l->data->layout->nblocks > MOST_OUTLINES
               ? 0
               : (size_t)snprintf(text, size,
                                  ", {outline: {color: [0.6, 0.6, 0.6], opacity: 0.5, "
                                  "line_width: 1}}");
}

static void print_layers(const looks *l, const box3 *box, size_t size, char *text)
{
    size_t used = (size_t)snprintf(text, size, "[{volume: {field: \"%s\", colors: %s}}",
                                   l->config->volume->field, choose_map(&l->flow));
    used += print_walls(l, enclose(&l->walls, box), size - used, text + used);
    used += print_outline(l, size - used, text + used);
    snprintf(text + used, size - used, "]");
}

/* ---- Slices ------------------------------------------------------------------------ */

static box3 box_of_grid(const looks *l)
{
    const grid_layout *layout = l->data->layout;
    const box3 bounds = auto_grids_bounds(l->data);
    return (box3){vec3_add(bounds.lo, layout->origin),
                  vec3_add(bounds.hi, layout->origin)};
}

static size_t print_slice(const char *field, int axis, vec3 point, size_t size,
                          char *text)
{
    return (size_t)snprintf(text, size,
                            "{contour: {field: \"%s\", bands: false, plane: {normal: "
                            "[%d, %d, %d], point: [%.6g, %.6g, %.6g]}}}",
                            field, axis == 0, axis == 1, axis == 2, point.v[0],
                            point.v[1], point.v[2]);
}

/* The axis across which a slice along the flow lies: neither the longest one of the box
 * nor one whose both sides are walls, if there is another. */
static int axis_of_slice(const box3 *box, const auto_cover *cover, int longest)
{
    int best = -1, best_sides = 3;
    for (int axis = 2; axis >= 0; axis--) {
        const int sides = cover->sides[axis][0] + cover->sides[axis][1];
        if (axis != longest && sides < best_sides && box->hi.v[axis] > box->lo.v[axis]) {
            best = axis;
            best_sides = sides;
        }
    }
    return best < 0 ? (longest + 1) % 3 : best;
}

/* Whether walls stand between the scene and the eye, wherever that is. */
static bool hide(const auto_cover *cover)
{
    bool do_hide = false;
    for (int axis = 0; axis < 3; axis++) {
        do_hide = do_hide || (cover->sides[axis][0] && cover->sides[axis][1]);
    }
    return do_hide;
}

/* The layers of a flow between walls: slices across it and one along it. A volume of what
 * is rare would show the layers at the walls alone, as a fog. */
static void print_slices(const looks *l, const box3 *box, const auto_cover *cover,
                         size_t size, char *text)
{
    static const double places[] = {0.2, 0.5, 0.8};
    const char *field = auto_field_of_sheets(l->data, l->config->volume->field);
    const vec3 extent = vec3_sub(box->hi, box->lo);
    const vec3 middle = vec3_scale(vec3_add(box->lo, box->hi), 0.5);
    int longest = 0;
    for (int axis = 1; axis < 3; axis++) {
        longest = extent.v[axis] > extent.v[longest] ? axis : longest;
    }
    size_t used = (size_t)snprintf(text, size, "[");
    used += print_slice(field, axis_of_slice(box, cover, longest), middle, size - used,
                        text + used);
    for (int n = 0; n < 3; n++) {
        vec3 point = middle;
        point.v[longest] = box->lo.v[longest] + places[n] * extent.v[longest];
        used += (size_t)snprintf(text + used, size - used, ", ");
        used += print_slice(field, longest, point, size - used, text + used);
    }
    used += print_walls(l, hide(cover), size - used, text + used);
    used += print_outline(l, size - used, text + used);
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
    const bool is_bare = !l->config->volume && l->config->layers[0].kind == IO_LAYER_GRID;
    if (!l->config->volume && !is_bare) {
        return l->config->has_annotations
                   ? s
                   : auto_values_add(l->values, NULL, "annotations",
                                     "{scalar_bar: true}");
    }
    const char *field = is_bare ? looks_bare_field(l) : l->config->volume->field;
    if (reuse_layers(l, field, &s)) {
        return s == STATUS_OK ? auto_values_add_later(l->values, l->config, "layers.")
                              : s;
    }
    if (is_bare) {
        s = looks_find_bare_layers(l);
        return s == STATUS_OK ? auto_values_add_later(l->values, l->config, "layers.")
                              : s;
    }
    s = auto_walls_find(l->data, &l->walls);
    const box3 all = box_of_grid(l);
    const auto_cover cover = auto_walls_cover(&l->walls, &all);
    if (s == STATUS_OK && cover.count == 0) {
        s = looks_find_box(l, &box);
    }
    if (s == STATUS_OK) {
        if (cover.count > 0) {
            print_slices(l, &all, &cover, sizeof text, text);
            s = auto_values_find(l->values, NULL, "look")
                    ? auto_values_add(l->values, NULL, "look", "screen")
                    : s;
            l->shown = all;
            l->has_shown = true;
        } else {
            print_layers(l, &box, sizeof text, text);
        }
        s = s == STATUS_OK ? auto_values_add(l->values, field, "layers", "%s", text) : s;
    }
    s = s == STATUS_OK ? auto_values_add_later(l->values, l->config, "layers.") : s;
    return s == STATUS_OK && !l->config->has_annotations
               ? auto_values_add(l->values, field, "annotations", "{scalar_bar: true}")
               : s;
}

/* Whether slices were found, which stand in the place of a volume. */
static bool has_slices(const looks *l)
{
    const io_volume_config *volume = l->config->volume;
    const char *layers =
        volume ? auto_values_find(l->values, volume->field, "layers") : NULL;
    return layers && !strstr(layers, "{volume: ");
}

status frame_auto_looks(const frame_auto_data *data, const frame_auto_values *known,
                        frame_auto_values *values, io_config **config)
{
    frame_auto_data now = *data; /* its config may be replaced */
    looks l = {.data = &now, .known = known, .values = values, .config = *config};
    l.walls.bounds = auto_no_box();
    int first = values->count;
    auto_grids grids;
    status s = auto_grids_find(data, &grids);
    if (s != STATUS_OK) {
        return s;
    }
    now.grids = grids.count > 0 ? &grids : NULL;
    s = find_layers(&l);
    if (s == STATUS_OK && (has_slices(&l) || !l.config->volume)) {
        s = parallel_agree(data->comm, auto_values_apply(values, first, config));
        first = values->count;
        l.config = *config;
        now.config = &l.config->data;
        l.field = NULL; /* a name of the config before */
    }
    if (s == STATUS_OK) {
        s = looks_find_ranges(&l);
    }
    if (s == STATUS_OK) {
        s = find_opacity(&l);
    }
    if (s == STATUS_OK) {
        s = looks_find_camera(&l);
    }
    auto_sample_destroy(&l.sample);
    auto_grids_clear(&grids);
    s = parallel_agree(data->comm, s);
    return s == STATUS_OK
               ? parallel_agree(data->comm, auto_values_apply(values, first, config))
               : s;
}

/* Finds a camera that a config leaves open. */
#include "grids.h"
#include "io/view.h"
#include "open_keys.h"
#include "render/annotate/annotate.h"
#include "view.h"

#include <math.h>
#include <string.h>

/*
 * The main field of the picture: that of the volume, of an isosurface, or of a layer that
 * a field colours.
 */
static looks_shown first_shown(const io_config *config)
{
    looks_shown found = {.name = "field"};
    bool is_surface = false;
    for (int n = config->nlayers - 1; n >= 0; n--) {
        looks_shown its = looks_shown_by(config, n);
        const bool cuts = config->layers[n].kind == IO_LAYER_ISOSURFACE;
        const bool is_better = !config->volume || config->layers[n].volume;
        if (cuts && !config->volume) {
            its = (looks_shown){n,       config->layers[n].tool->field,
                                "field", true,
                                false,   BASE_SCALE_LINEAR};
        }
        found = its.field && is_better && (cuts || !is_surface) ? its : found;
        is_surface = is_surface || cuts;
    }
    return found;
}

int looks_flat_axis(const looks *l)
{
    const double thin = 0.3;
    const box3 bounds = auto_grids_bounds(l->data);
    const vec3 size = vec3_sub(bounds.hi, bounds.lo);
    for (int axis = 0; axis < 3; axis++) {
        if (size.v[axis] < thin * size.v[(axis + 1) % 3] &&
            size.v[axis] < thin * size.v[(axis + 2) % 3]) {
            return axis;
        }
    }
    return -1;
}

double looks_line_width(const looks *l)
{
    const double plain = 1000.0; /* pictures with this side, or less, have lines of 1 */
    const double side =
        (double)(l->config->width < l->config->height ? l->config->width
                                                      : l->config->height) /
        l->config->scale;
    return fmax(1.0, round(10.0 * side / plain) / 10.0);
}

void looks_flatten(const looks *l, box3 *box)
{
    const int axis = looks_flat_axis(l);
    if (axis >= 0) {
        box->lo.v[axis] = box->hi.v[axis] = 0.5 * (box->lo.v[axis] + box->hi.v[axis]);
    }
}

status looks_clip(const looks *l, const char *field, const box3 *shown, int across)
{
    auto_text text = {.used = 0};
    if (!shown || io_config_given(l->config, "clip")) {
        return STATUS_OK;
    }
    const double room = /* for the lines of the axes box */
        2e-3 * vec3_length(vec3_sub(shown->hi, shown->lo));
    const vec3 around = vec3_make(room, room, room);
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2 && axis != across; side++) {
            const vec3 point =
                side ? vec3_add(shown->hi, around) : vec3_sub(shown->lo, around);
            const int sign = side ? -1 : 1; /* towards what stays */
            auto_text_print(
                &text, "%s{normal: [%d, %d, %d], point: [%.10g, %.10g, %.10g]}",
                text.used > 0 ? ", " : "[", sign * (axis == 0), sign * (axis == 1),
                sign * (axis == 2), point.v[0], point.v[1], point.v[2]);
        }
    }
    return auto_values_add(l->values, field, "clip", "%s]", text.text);
}

status looks_find_box(looks *l, box3 *box)
{
    const grid_layout *layout = l->data->layout;
    const looks_shown its = first_shown(l->config);
    if (l->has_shown) {
        *box = l->shown;
        return STATUS_OK;
    }
    status s = its.field ? looks_survey_shown(l, &its) : STATUS_OK;
    if (s == STATUS_OK) {
        *box = its.field ? l->flow.box : auto_grids_bounds(l->data);
        box->lo = vec3_add(box->lo, layout->origin);
        box->hi = vec3_add(box->hi, layout->origin);
        if (!l->config->volume && auto_sheet_axis(l->data) >= 0) {
            looks_flatten(l, box);
        }
    }
    return s;
}

/* The plane of a contour within the grid; all of the grid, if it is not across an axis.
 */
static box3 box_of_plane(const io_tool_config *contour, const box3 *all)
{
    box3 box = *all;
    for (int axis = 0; axis < 3 && contour->has_plane; axis++) {
        const double at = contour->point.v[axis];
        const double length = vec3_length(contour->normal);
        if (fabs(contour->normal.v[axis]) > 0.999 * length && at > all->lo.v[axis] &&
            at < all->hi.v[axis]) {
            box.lo.v[axis] = box.hi.v[axis] = at;
        }
    }
    return box;
}

bool looks_axes_are_open(const io_config *config, int layer)
{
    char key[LOOKS_KEY_SIZE];
    looks_key(config, layer, "bounds", key);
    const char *given = config->layers[layer].kind == IO_LAYER_AXES_BOX
                            ? io_config_given(config, key)
                            : NULL;
    return given && strcmp(given, "auto") == 0;
}

/* What a given layer draws of a grid and of the flow in it; false: nothing that has to be
 * in the picture. Outlines around a volume may reach out of it. */
static bool find_extent(const looks *l, int index, const box3 *all, const box3 *flow,
                        box3 *extent)
{
    const io_layer_config *layer = &l->config->layers[index];
    const bool is_around =
        !l->config->volume &&
        (layer->kind == IO_LAYER_OUTLINE || layer->kind == IO_LAYER_GRID ||
         (layer->kind == IO_LAYER_AXES_BOX && !layer->tool->has_bounds &&
          !looks_axes_are_open(l->config, index)));
    const bool is_wall = layer->kind == IO_LAYER_OBJECT && !l->config->volume &&
                         l->walls.bounds.lo.v[0] <= l->walls.bounds.hi.v[0];
    const bool is_flow = layer->volume || layer->kind == IO_LAYER_ISOSURFACE;
    *extent = layer->kind == IO_LAYER_CONTOUR ? box_of_plane(layer->tool, all)
              : is_wall                       ? l->walls.bounds
              : is_flow                       ? *flow
                                              : *all;
    return layer->shown && (is_around || is_wall || is_flow || layer->particles ||
                            layer->kind == IO_LAYER_CONTOUR);
}

/* Whether the plane of a contour, if it has one, passes through a box. */
static bool passes(const io_tool_config *contour, const box3 *box)
{
    const vec3 middle = vec3_scale(vec3_add(box->lo, box->hi), 0.5);
    const vec3 half = vec3_scale(vec3_sub(box->hi, box->lo), 0.5), *n = &contour->normal;
    const double reach =
        fabs(n->v[0]) * half.v[0] + fabs(n->v[1]) * half.v[1] + fabs(n->v[2]) * half.v[2];
    return !contour->has_plane ||
           fabs(vec3_dot(*n, vec3_sub(middle, contour->point))) <= reach;
}

/* Whether given layers are surfaces of found walls and nothing else. */
static bool shows_walls_alone(const looks *l)
{
    bool are = l->walls.bounds.lo.v[0] <= l->walls.bounds.hi.v[0];
    for (int n = 0; n < l->config->nlayers; n++) {
        const io_layer_config *layer = &l->config->layers[n];
        are = are && (!layer->shown || layer->kind == IO_LAYER_OBJECT);
    }
    return are;
}

/* Widens the box of the flow to all that given layers draw, unless the flow is a dot in
 * it: then what lies far from it stays outside of the picture. Local. */
static void fit_layers(const looks *l, box3 *box)
{
    const double dot = 0.2;
    const vec3 origin = l->data->layout->origin;
    const box3 bounds = auto_grids_bounds(l->data);
    const box3 all = {vec3_add(bounds.lo, origin), vec3_add(bounds.hi, origin)};
    box3 fitting = auto_no_box(), extent;
    bool sees_all = true;
    if (shows_walls_alone(l)) {
        *box = l->walls.bounds;
        return;
    }
    for (int n = 0; n < l->config->nlayers; n++) {
        const io_layer_config *layer = &l->config->layers[n];
        if (find_extent(l, n, &all, box, &extent)) {
            fitting = box3_union(fitting, extent);
        }
        sees_all =
            sees_all && (layer->kind != IO_LAYER_CONTOUR || passes(layer->tool, box));
    }
    const double size = vec3_length(vec3_sub(fitting.hi, fitting.lo));
    const bool is_dot = vec3_length(vec3_sub(box->hi, box->lo)) < dot * size;
    if (fitting.lo.v[0] <= fitting.hi.v[0] && !(is_dot && sees_all)) {
        *box = fitting;
    }
    if (!l->config->volume && auto_sheet_axis(l->data) >= 0) {
        looks_flatten(l, box);
    }
}

/* The box of the walls. Without walls: if the flow lies at one end of the grid along an
 * axis, that end is taken for a wall. */
static box3 find_floor(const looks *l, const box3 *box)
{
    const grid_layout *layout = l->data->layout;
    const box3 bounds = auto_grids_bounds(l->data);
    const vec3 lo = vec3_add(bounds.lo, layout->origin);
    const vec3 hi = vec3_add(bounds.hi, layout->origin);
    const box3 *flow = l->has_focus ? &l->focus : box;
    box3 floor = *box;
    for (int axis = 0; axis < 3 && (l->has_focus || !l->has_shown); axis++) {
        const double near = 0.05 * (hi.v[axis] - lo.v[axis]);
        const bool is_low = flow->lo.v[axis] - lo.v[axis] < near;
        const bool is_high = hi.v[axis] - flow->hi.v[axis] < near;
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

/* Whether a camera is turned or magnified, or seen from a given side. */
static bool is_turned(const io_camera_config *camera)
{
    return camera->view != IO_VIEW_AUTO || camera->azimuth != 0.0 ||
           camera->elevation != 0.0 || camera->zoom != 1.0;
}

/* Replaces the keys that turn a camera by a place, and those that magnify by a size. */
static status add_turn(looks *l, const io_camera_config *camera)
{
    static const char *const keys[] = {"camera.view", "camera.azimuth",
                                       "camera.elevation", "camera.zoom"};
    status s = add_place(l, true, "camera.position", camera->position);
    s = s == STATUS_OK ? add_place(l, true, "camera.look_at", camera->look_at) : s;
    s = s == STATUS_OK ? add_place(l, true, "camera.up", camera->up) : s;
    if (s == STATUS_OK && camera->zoom != 1.0) {
        s = camera->orthographic
                ? auto_values_add(l->values, NULL, "camera.height", "%.10g",
                                  camera->height)
                : auto_values_add(l->values, NULL, "camera.fov", "%.10g", camera->fov);
    } else if (s == STATUS_OK && camera->auto_height) {
        s = auto_values_add(l->values, NULL, "camera.height", "%.10g", camera->height);
    }
    for (int n = 0; n < 4 && s == STATUS_OK; n++) {
        s = auto_values_add(l->values, NULL, keys[n], "null");
    }
    return s;
}

/* Fails if a flat box is seen from its edge. */
static status check_edge(const looks *l, const box3 *box)
{
    static const char *const names[] = {
        [IO_VIEW_TOP] = "top",   [IO_VIEW_BOTTOM] = "bottom", [IO_VIEW_FRONT] = "front",
        [IO_VIEW_BACK] = "back", [IO_VIEW_LEFT] = "left",     [IO_VIEW_RIGHT] = "right"};
    static const char *const sides[] = {"left, right", "front, back", "top, bottom"};
    const io_view view = l->config->camera.view;
    const vec3 size = vec3_sub(box->hi, box->lo);
    for (int axis = 0; axis < 3; axis++) {
        const bool is_flat = size.v[axis] < 1e-6 * vec3_length(size);
        if (is_flat && view != IO_VIEW_AUTO && view != IO_VIEW_ISO &&
            !strstr(sides[axis], names[view])) {
            return io_config_fail(l->config, "camera.view",
                                  "the data are flat along %c, and from this side they "
                                  "are a line: take %s or iso",
                                  "xyz"[axis], sides[axis]);
        }
    }
    return STATUS_OK;
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

/* The size of letters, in pictures as wide as 1. */
static double letter_size(const io_config *config)
{
    const double letters = 51.2; /* of a picture's side, as pens have them */
    const double width = config->width / config->scale;
    const double side = fmin(width, config->height / config->scale);
    const double size = config->has_annotations ? config->annotations.font_size : 1.0;
    return size * fmax(side, ANNOTATE_LEAST_SIDE) / (letters * width);
}

/* The part of the picture's width that bars at the right take: a line of ten letters, and
 * more than that in large pictures, as letters are small there. It does not depend on the
 * titles, so that pictures of all fields have the same camera. */
static double bar_share(const looks *l)
{
    const double letters = 8.2, least = 0.12, most = 0.3;
    const io_annotations_config *annotations = &l->config->annotations;
    bool has = annotations->scalar_bar && annotations->bar.place == IO_BAR_RIGHT;
    for (int n = 0; n < annotations->nbars; n++) {
        has = has || annotations->bars[n].place == IO_BAR_RIGHT;
    }
    return has ? fmin(fmax(letters * letter_size(l->config), least), most) : 0.0;
}

/* Whether planes stand across others than the shortest axis of a box. */
static bool has_planes(const looks *l, const box3 *box)
{
    const vec3 size = vec3_sub(box->hi, box->lo);
    bool has = false;
    for (int n = 0; n < l->config->nlayers && !l->has_shown; n++) {
        const io_tool_config *tool = l->config->layers[n].tool;
        for (int axis = 0; axis < 3 && tool && tool->has_plane; axis++) {
            const double others = fmin(size.v[(axis + 1) % 3], size.v[(axis + 2) % 3]);
            has = has || (tool->normal.v[axis] != 0.0 && size.v[axis] > others);
        }
    }
    return has;
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
    const view_scene scene = {.box = *box,
                              .walls = *walls,
                              .cover = auto_walls_cover(&l->walls, box),
                              .has_planes = has_planes(l, box),
                              .aside = bar_share(l)};
    auto_view_find(l->config, &scene, camera);
    camera->auto_up = finds_up;
}

/* Room for the numbers beside an axes box. */
static void leave_room(const io_config *config, box3 *shown)
{
    const double room = fmin(fmax(0.03, 2.5 * letter_size(config)), 0.08);
    const vec3 around = vec3_scale(vec3_sub(shown->hi, shown->lo), room);
    shown->lo = vec3_sub(shown->lo, around);
    shown->hi = vec3_add(shown->hi, around);
}

static bool has_axes_box(const io_config *config)
{
    bool has = false;
    for (int n = 0; n < config->nlayers; n++) {
        has = has ||
              (config->layers[n].kind == IO_LAYER_AXES_BOX && config->layers[n].shown);
    }
    return has;
}

/* Adds what other data show, and remembers all of it. */
static void see_all(frame_auto_seen *seen, box3 *shown, box3 *floor)
{
    if (seen && seen->is_known) {
        *shown = box3_union(*shown, seen->shown);
        *floor = box3_union(*floor, seen->floor);
    }
    if (seen) {
        *seen = (frame_auto_seen){true, seen->is_last, *shown, *floor};
    }
}

/* Places the eye, or turns it, as far as the config leaves that open. box: what is
 * shown. Local. */
static void complete_camera(looks *l, bool is_open, const box3 *box, const box3 *floor,
                            io_camera_config *camera)
{
    box3 shown = *box, around = *floor;
    if (!is_open) {
        auto_view_turn(camera);
        return;
    }
    if (l->has_axes || has_axes_box(l->config)) {
        leave_room(l->config, &shown);
    }
    see_all(l->data->seen, &shown, &around);
    looks_view(l, &shown, &around, camera);
}

/* The box of an axes box that stands around what is shown; the grid's, where numbers are
 * those of data that the picture transforms. */
static status add_axes(looks *l, int layer, const box3 *given)
{
    const grid_view *view = io_source_common_view(l->data->source);
    const double thinnest = 1e-3 * vec3_length(vec3_sub(given->hi, given->lo));
    box3 around = *given, *box = &around;
    char key[LOOKS_KEY_SIZE];
    for (int axis = 0; axis < 3; axis++) {
        const double thick = box->hi.v[axis] - box->lo.v[axis];
        box->lo.v[axis] -= 0.5 * fmax(thinnest - thick, 0.0);
        box->hi.v[axis] += 0.5 * fmax(thinnest - thick, 0.0);
    }
    looks_key(l->config, layer, "bounds", key);
    return view && view->on ? auto_values_add(l->values, NULL, key, "null")
                            : auto_values_add(l->values, NULL, key,
                                              "[[%.6g, %.6g, %.6g], [%.6g, %.6g, %.6g]]",
                                              box->lo.v[0], box->lo.v[1], box->lo.v[2],
                                              box->hi.v[0], box->hi.v[1], box->hi.v[2]);
}

/* Takes the known bounds of open axes boxes; false: there is one whose are not known. */
static bool reuse_axes(const looks *l, status *s)
{
    bool are_known = true;
    char key[LOOKS_KEY_SIZE];
    for (int n = 0; n < l->config->nlayers && *s == STATUS_OK; n++) {
        looks_key(l->config, n, "bounds", key);
        are_known =
            (!looks_axes_are_open(l->config, n) || looks_reuse(l, NULL, key, s)) &&
            are_known;
    }
    return are_known;
}

status looks_find_camera(looks *l)
{
    io_camera_config camera = l->config->camera;
    box3 box = auto_no_box(), floor = box;
    status s = STATUS_OK;
    const bool turns = is_turned(&camera);
    const bool is_open = camera.auto_position || camera.auto_look_at || camera.auto_up ||
                         camera.auto_height;
    const bool has_axes = reuse_axes(l, &s);
    const bool has_camera = !turns && (!is_open || reuse_camera(l, &s));
    if (has_axes && has_camera) {
        return s;
    }
    const bool needs_box = s == STATUS_OK && (is_open || !has_axes);
    s = needs_box ? looks_find_box(l, &box) : s;
    s = s == STATUS_OK && is_open ? check_edge(l, &box) : s;
    if (s == STATUS_OK && needs_box) {
        floor = find_floor(l, &box);
        if (!l->has_shown) {
            fit_layers(l, &box);
        }
    }
    for (int n = 0; n < l->config->nlayers && s == STATUS_OK && !has_axes; n++) {
        s = looks_axes_are_open(l->config, n) ? add_axes(l, n, &box) : s;
    }
    if (s != STATUS_OK || has_camera) {
        return s;
    }
    complete_camera(l, is_open, &box, &floor, &camera);
    return turns ? add_turn(l, &camera) : add_camera(l, &camera);
}

#include "view.h"

#include <math.h>
#include <string.h>

/* The part of the picture that the box fills: bars and texts stand beside it. */
static const double filled = 0.86;

/* Limits for the ratio of the two shorter sides of a box: below the first it is a slab,
 * below the second a sheet. */
static const double slab = 0.35, sheet = 0.02;

/* A view is parallel to a direction if the cosine of their angle is greater. */
static const double parallel = 0.9;

/* The axes of a picture: right, up, and towards the viewer. */
typedef struct view_axes {
    vec3 right, up, back;
} view_axes;

static vec3 axis_of(int axis)
{
    return vec3_make(axis == 0, axis == 1, axis == 2);
}

/* Sorts the axes by the length of the box along them, the longest first. */
static void sort_axes(vec3 size, int order[3])
{
    for (int n = 0; n < 3; n++) {
        order[n] = n;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < 2; n++) {
            if (size.v[order[n]] < size.v[order[n + 1]]) {
                const int swapped = order[n];
                order[n] = order[n + 1];
                order[n + 1] = swapped;
            }
        }
    }
}

/* The side of a box's middle on which walls lie along an axis: -1, 1, or 0 if they lie on
 * both sides or there are none. */
static int wall_side(const box3 *box, const box3 *walls, int axis)
{
    const double half = 0.5 * (box->hi.v[axis] - box->lo.v[axis]);
    const double middle = box->lo.v[axis] + half;
    if (!(walls->lo.v[axis] <= walls->hi.v[axis])) {
        return 0;
    }
    return walls->hi.v[axis] < middle + 0.2 * half   ? -1
           : walls->lo.v[axis] > middle - 0.2 * half ? 1
                                                     : 0;
}

/* A viewpoint of a box: the upward direction, along an axis, and the direction to the
 * eye. */
typedef struct view_place {
    vec3 up, back;
} view_place;

/* The axis closest to a direction. */
static int main_axis(vec3 direction)
{
    int axis = 0;
    for (int n = 1; n < 3; n++) {
        axis = fabs(direction.v[n]) > fabs(direction.v[axis]) ? n : axis;
    }
    return axis;
}

/* The upward axis of a sheet: the second of its two axes is up, as y over x in a plot,
 * unless it is so much longer that it lies across. */
static int up_of_sheet(vec3 size, const int order[3])
{
    const double much = 1.3;
    const int first = order[0] < order[1] ? order[0] : order[1];
    const int second = order[0] < order[1] ? order[1] : order[0];
    return size.v[second] > much * size.v[first] ? first : second;
}

/* Chooses the viewpoint. `given`: the upward direction, or NULL: the box decides. */
static view_place find_place(const view_scene *scene, const vec3 *given)
{
    const box3 *box = &scene->box, *walls = &scene->walls;
    const vec3 size = vec3_sub(box->hi, box->lo);
    int order[3];
    sort_axes(size, order);
    const double ratio =
        size.v[order[1]] > 0.0 ? size.v[order[2]] / size.v[order[1]] : 1.0;
    const bool is_slab = ratio < slab;
    const int side = is_slab ? wall_side(box, walls, order[2]) : 0;
    int up = order[0] != 2 ? 2 : 1;
    if (given) {
        up = main_axis(*given);
    } else if (is_slab) {
        up = side != 0 ? order[2] : ratio < sheet ? up_of_sheet(size, order) : order[1];
    }
    const bool is_flat = is_slab && up != order[2];
    const double aside = scene->has_planes ? 1.0
                         : !is_flat        ? 0.5
                         : ratio < sheet   ? 0.0
                                           : 0.3;
    const double above = side > 0 && !given ? -aside : aside;
    const vec3 right = axis_of(order[0] != up ? order[0] : order[1]);
    const vec3 upwards =
        vec3_scale(axis_of(up), given && given->v[up] < 0.0 ? -1.0 : 1.0);
    const vec3 back =
        vec3_add(vec3_cross(right, upwards), vec3_add(vec3_scale(upwards, 0.9 * above),
                                                      vec3_scale(right, -0.9 * aside)));
    return (view_place){upwards, vec3_normalize(back)};
}

/* Turns the direction to the eye to the other side along axes where walls would hide the
 * scene. */
static vec3 avoid_walls(vec3 back, const auto_cover *cover)
{
    for (int axis = 0; axis < 3; axis++) {
        const int side = back.v[axis] > 0.0;
        if (cover->sides[axis][side] && !cover->sides[axis][!side]) {
            back.v[axis] = -back.v[axis];
        }
    }
    return back;
}

/* The upward direction for a view from a given place: that of the box, unless the view is
 * parallel to it; then the shorter of the other axes. */
static vec3 find_up(vec3 size, vec3 up, vec3 back)
{
    int order[3], axis = 2;
    if (!(fabs(vec3_dot(up, back)) > parallel)) {
        return up;
    }
    sort_axes(size, order);
    while (up.v[order[axis]] != 0.0) {
        axis--;
    }
    return axis_of(order[axis]);
}

static view_axes make_axes(vec3 back, vec3 up)
{
    const vec3 right = vec3_normalize(vec3_cross(up, back));
    return (view_axes){right, vec3_cross(back, right), back};
}

static vec3 corner_of(const box3 *box, int corner)
{
    return vec3_make(corner & 1 ? box->hi.v[0] : box->lo.v[0],
                     corner & 2 ? box->hi.v[1] : box->lo.v[1],
                     corner & 4 ? box->hi.v[2] : box->lo.v[2]);
}

/* The least distance of the eye from a point with all corners in the picture. `half`:
 * half the picture's width and height at distance 1. */
static double find_distance(const view_axes *axes, const box3 *box, vec3 middle,
                            const double half[2])
{
    double distance = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const vec3 at = vec3_sub(corner_of(box, corner), middle);
        const double nearer = vec3_dot(at, axes->back);
        const double across = fabs(vec3_dot(at, axes->right));
        const double along = fabs(vec3_dot(at, axes->up));
        distance = fmax(distance, nearer + across / (filled * half[0]));
        distance = fmax(distance, nearer + along / (filled * half[1]));
    }
    return distance;
}

/* Moves the middle of the picture so that the corners lie evenly around it, as seen from
 * that distance; infinite: along parallel rays. */
static vec3 centre(const view_axes *axes, const box3 *box, vec3 middle, double distance)
{
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    double nearness[2][2] = {{1.0, 1.0}, {1.0, 1.0}}; /* of the corners lo and hi */
    double move[2];
    for (int corner = 0; corner < 8; corner++) {
        const vec3 at = vec3_sub(corner_of(box, corner), middle);
        const double depth =
            isfinite(distance) ? 1.0 - vec3_dot(at, axes->back) / distance : 1.0;
        const double seen[2] = {vec3_dot(at, axes->right) / depth,
                                vec3_dot(at, axes->up) / depth};
        for (int n = 0; n < 2; n++) {
            nearness[n][0] = seen[n] < lo[n] ? 1.0 / depth : nearness[n][0];
            nearness[n][1] = seen[n] > hi[n] ? 1.0 / depth : nearness[n][1];
            lo[n] = fmin(lo[n], seen[n]);
            hi[n] = fmax(hi[n], seen[n]);
        }
    }
    for (int n = 0; n < 2; n++) {
        move[n] = (lo[n] + hi[n]) / (nearness[n][0] + nearness[n][1]);
    }
    middle = vec3_add(middle, vec3_scale(axes->right, move[0]));
    return vec3_add(middle, vec3_scale(axes->up, move[1]));
}

/* The height of a picture along parallel rays. */
static double find_height(const view_axes *axes, const view_scene *scene, vec3 middle,
                          double aspect)
{
    const double wide = filled * aspect * (1.0 - scene->aside);
    double height = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const vec3 at = vec3_sub(corner_of(&scene->box, corner), middle);
        height = fmax(height, 2.0 * fabs(vec3_dot(at, axes->right)) / wide);
        height = fmax(height, 2.0 * fabs(vec3_dot(at, axes->up)) / filled);
    }
    return height;
}

/* Rounds to about a thousandth of the size; further digits mean nothing. */
static double tidy(double x, double size)
{
    const double step = pow(10.0, floor(log10(size)) - 3.0);
    return round(x / step) * step + 0.0; /* no -0 */
}

static vec3 tidy_place(vec3 place, double size)
{
    return vec3_make(tidy(place.v[0], size), tidy(place.v[1], size),
                     tidy(place.v[2], size));
}

static void set_height(const io_config *config, const view_scene *scene,
                       const view_axes *axes, io_camera_config *camera)
{
    const double aspect = (double)config->width / config->height;
    camera->height = tidy(find_height(axes, scene, camera->look_at, aspect),
                          vec3_length(vec3_sub(scene->box.hi, scene->box.lo)));
}

/* Places the eye for a view along these axes, and the scene beside what stands aside. */
static void place_eye(const io_config *config, const view_scene *scene,
                      const view_axes *axes, io_camera_config *camera)
{
    const box3 *box = &scene->box;
    const double size = vec3_length(vec3_sub(box->hi, box->lo));
    const double aspect = (double)config->width / config->height;
    const double tangent = tan(camera->fov * acos(-1.0) / 360.0);
    const double half[2] = {tangent * aspect * (1.0 - scene->aside), tangent};
    double distance = camera->orthographic ? INFINITY : size;
    const int tries = camera->auto_look_at ? 8 : 1;
    for (int n = 0; n < tries; n++) {
        if (!camera->orthographic) {
            distance = find_distance(axes, box, camera->look_at, half);
        }
        if (camera->auto_look_at) {
            camera->look_at = centre(axes, box, camera->look_at, distance);
        }
    }
    if (camera->orthographic) {
        distance = 2.0 * size;
    } else {
        distance = find_distance(axes, box, camera->look_at, half);
    }
    if (camera->auto_height) {
        set_height(config, scene, axes, camera);
    }
    if (camera->auto_look_at) {
        const double width = camera->orthographic ? 0.5 * aspect * camera->height
                                                  : tangent * aspect * distance;
        camera->look_at =
            vec3_add(camera->look_at, vec3_scale(axes->right, scene->aside * width));
        camera->look_at = tidy_place(camera->look_at, size);
    }
    camera->position =
        tidy_place(vec3_add(camera->look_at, vec3_scale(axes->back, distance)), size);
}

/* Gives some size to a box that is a point. */
static box3 grow(const box3 *box)
{
    const double size = vec3_length(vec3_sub(box->hi, box->lo));
    if (size > 0.0) {
        return *box;
    }
    const vec3 half = vec3_make(0.5, 0.5, 0.5);
    return (box3){vec3_sub(box->lo, half), vec3_add(box->hi, half)};
}

/* ---- Turns ------------------------------------------------------------------------- */

/* The places of the eye for io_view. */
static const view_place sides[] = {[IO_VIEW_TOP] = {{{0, 1, 0}}, {{0, 0, 1}}},
                                   [IO_VIEW_BOTTOM] = {{{0, -1, 0}}, {{0, 0, -1}}},
                                   [IO_VIEW_FRONT] = {{{0, 0, 1}}, {{0, -1, 0}}},
                                   [IO_VIEW_BACK] = {{{0, 0, 1}}, {{0, 1, 0}}},
                                   [IO_VIEW_LEFT] = {{{0, 0, 1}}, {{-1, 0, 0}}},
                                   [IO_VIEW_RIGHT] = {{{0, 0, 1}}, {{1, 0, 0}}},
                                   [IO_VIEW_ISO] = {{{0, 0, 1}}, {{1, -1, 1}}}};

/* Turns a direction to the eye about the upward one, then raises it. The upward direction
 * turns, too, if it comes near that of the eye. */
static vec3 turn(const io_camera_config *camera, vec3 back, vec3 *up)
{
    const double degree = acos(-1.0) / 180.0;
    const double azimuth = camera->azimuth * degree,
                 elevation = camera->elevation * degree;
    if (azimuth == 0.0 && elevation == 0.0) {
        return back;
    }
    const vec3 pole = vec3_normalize(*up);
    const vec3 along = vec3_scale(pole, vec3_dot(pole, back));
    vec3 out = vec3_sub(back, along);
    out = vec3_add(vec3_scale(out, cos(azimuth)),
                   vec3_scale(vec3_cross(pole, out), sin(azimuth)));
    const vec3 turned = vec3_normalize(vec3_add(out, along));
    const vec3 right = vec3_normalize(vec3_cross(pole, turned));
    const vec3 above = vec3_cross(turned, right);
    const vec3 raised =
        vec3_add(vec3_scale(turned, cos(elevation)), vec3_scale(above, sin(elevation)));
    if (fabs(vec3_dot(raised, pole)) > 0.995) {
        *up = vec3_sub(vec3_scale(above, cos(elevation)),
                       vec3_scale(turned, sin(elevation)));
    }
    return raised;
}

/* Places the eye so that the box stays in the picture all the way around it. The box is
 * in the middle, with as much room at the left as bars take at the right. */
static void place_orbit(const io_config *config, const view_scene *scene,
                        const view_axes *axes, io_camera_config *camera)
{
    enum { PLACES = 72 };
    const double size = vec3_length(vec3_sub(scene->box.hi, scene->box.lo));
    const double aspect = (double)config->width / config->height;
    const double tangent = tan(camera->fov * acos(-1.0) / 360.0);
    view_scene even = *scene;
    even.aside = 2.0 * scene->aside;
    const double half[2] = {tangent * aspect * (1.0 - even.aside), tangent};
    double distance = 0.0, height = 0.0;
    for (int n = 0; n <= PLACES; n++) {
        const io_camera_config turned = {.azimuth = camera->path.orbit * n / PLACES};
        vec3 up = camera->up;
        const vec3 back = turn(&turned, axes->back, &up);
        const view_axes there = make_axes(back, up);
        distance =
            fmax(distance, find_distance(&there, &scene->box, camera->look_at, half));
        height = fmax(height, find_height(&there, &even, camera->look_at, aspect));
    }
    if (camera->auto_height) {
        camera->height = tidy(height, size);
    }
    distance = camera->orthographic ? 2.0 * size : distance;
    camera->position =
        tidy_place(vec3_add(camera->look_at, vec3_scale(axes->back, distance)), size);
}

static void magnify(io_camera_config *camera)
{
    const double half = acos(-1.0) / 360.0;
    camera->height /= camera->zoom;
    if (camera->zoom != 1.0) {
        camera->fov = atan(tan(camera->fov * half) / camera->zoom) / half;
    }
}

void auto_view_turn(io_camera_config *camera)
{
    const vec3 way = vec3_sub(camera->position, camera->look_at);
    const double distance = vec3_length(way);
    const vec3 back = turn(camera, vec3_scale(way, 1.0 / distance), &camera->up);
    camera->position = vec3_add(camera->look_at, vec3_scale(back, distance));
    magnify(camera);
}

void auto_view_find(const io_config *config, const view_scene *of,
                    io_camera_config *camera)
{
    view_scene scene = *of;
    scene.box = grow(&of->box);
    const box3 shown = scene.box;
    const vec3 size = vec3_sub(shown.hi, shown.lo);
    const bool is_given = camera->view != IO_VIEW_AUTO;
    const view_place place =
        is_given ? sides[camera->view]
                 : find_place(&scene, camera->auto_up ? NULL : &camera->up);
    const vec3 middle = vec3_scale(vec3_add(shown.lo, shown.hi), 0.5);
    if (camera->auto_look_at) {
        camera->look_at =
            camera->auto_position ? middle : tidy_place(middle, vec3_length(size));
    }
    vec3 back = !camera->auto_position
                    ? vec3_normalize(vec3_sub(camera->position, camera->look_at))
                : is_given ? vec3_normalize(place.back)
                           : avoid_walls(place.back, &scene.cover);
    if (camera->auto_up) {
        camera->up = is_given ? place.up : find_up(size, place.up, back);
    }
    if (camera->auto_position) {
        back = turn(camera, back, &camera->up);
    }
    const view_axes axes = make_axes(back, camera->up);
    if (camera->auto_position && camera->path.orbit != 0.0) {
        place_orbit(config, &scene, &axes, camera);
    } else if (camera->auto_position) {
        place_eye(config, &scene, &axes, camera);
    }
    if (camera->auto_height && !camera->auto_position) {
        set_height(config, &scene, &axes, camera);
    }
    if (camera->auto_position) {
        magnify(camera);
    } else {
        auto_view_turn(camera);
    }
}

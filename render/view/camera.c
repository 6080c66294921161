#include "camera.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Products of coordinates along a ray must stay finite: the signs of edges in
 * render/cells/cell.h consist of such products. */
static const double MOST_COORDINATE = 1e100;

static status check_view(const render_view *view, vec3 forward)
{
    const vec3 *vectors[3] = {&view->position, &view->look_at, &view->up};
    for (int n = 0; n < 9; n++) {
        if (!(fabs(vectors[n / 3]->v[n % 3]) <= MOST_COORDINATE)) {
            return base_fail(STATUS_USAGE,
                             "camera: position, look_at and up must be numbers up to %g",
                             MOST_COORDINATE);
        }
    }
    if (vec3_length(forward) == 0.0) {
        return base_fail(
            STATUS_USAGE,
            "camera.position and camera.look_at are the same point: move one");
    }
    if (vec3_length(vec3_cross(vec3_normalize(forward), vec3_normalize(view->up))) <
        1e-9) {
        return base_fail(STATUS_USAGE,
                         "camera.up is zero or parallel to the line of sight: "
                         "choose another direction");
    }
    if (view->orthographic && !(view->height > 0.0 && view->height <= MOST_COORDINATE)) {
        return base_fail(STATUS_USAGE,
                         "camera.height is %g: it must be positive and at most %g",
                         view->height, MOST_COORDINATE);
    }
    if (!view->orthographic && !(view->fov > 0.0 && view->fov < 180.0)) {
        return base_fail(STATUS_USAGE,
                         "camera.fov is %g: it must lie between 0 and 180 degrees",
                         view->fov);
    }
    return STATUS_OK;
}

status render_camera_create(const render_view *view, int width, int height, vec3 origin,
                            render_camera *out)
{
    vec3 forward = vec3_sub(view->look_at, view->position);
    status s = check_view(view, forward);
    if (s != STATUS_OK) {
        return s;
    }
    render_camera camera = {.width = width,
                            .height = height,
                            .window = {0, 0, width, height},
                            .orthographic = view->orthographic,
                            .eye = vec3_sub(view->position, origin),
                            .forward = vec3_normalize(forward)};
    camera.right = vec3_normalize(vec3_cross(camera.forward, vec3_normalize(view->up)));
    camera.up = vec3_cross(camera.right, camera.forward);
    camera.scale = view->orthographic ? 0.5 * view->height : tan(view->fov * PI / 360.0);
    render_camera_shift(&camera, (const double[2]){0.0, 0.0});
    *out = camera;
    return STATUS_OK;
}

void render_camera_shift(render_camera *camera, const double shift[2])
{
    camera->middle[0] = 0.5 * camera->width - shift[0];
    camera->middle[1] = 0.5 * camera->height - shift[1];
}

render_ray render_camera_ray(const render_camera *camera, int column, int row)
{
    double pixel = 2.0 * camera->scale / camera->height;
    double x = (column + 0.5 - camera->middle[0]) * pixel;
    double y = (camera->middle[1] - (row + 0.5)) * pixel;
    vec3 offset = vec3_add(vec3_scale(camera->right, x), vec3_scale(camera->up, y));
    if (camera->orthographic) {
        return (render_ray){vec3_add(camera->eye, offset), camera->forward};
    }
    return (render_ray){camera->eye, vec3_normalize(vec3_add(camera->forward, offset))};
}

/* Bounds in the picture of all points that grow() has added. */
typedef struct pixel_bounds {
    double x0, y0, x1, y1; /* in pixels */
} pixel_bounds;

static void grow(pixel_bounds *bounds, const render_camera *camera, vec3 view)
{
    const bool is_free = camera->slack > 0.0;
    double w = camera->orthographic ? 1.0 : view.v[2];
    double per_unit = camera->height / (2.0 * camera->scale);
    double x =
        (is_free ? 0.5 * camera->width : camera->middle[0]) + view.v[0] / w * per_unit;
    double y =
        (is_free ? 0.5 * camera->height : camera->middle[1]) - view.v[1] / w * per_unit;
    bounds->x0 = fmin(bounds->x0, x);
    bounds->x1 = fmax(bounds->x1, x);
    bounds->y0 = fmin(bounds->y0, y);
    bounds->y1 = fmax(bounds->y1, y);
}

static int clamp_pixel(double x, int least, int most)
{
    return x <= least ? least : x >= most ? most : (int)x;
}

/* The pixels of the whole picture, or of its window, within bounds. */
static pixel_rect to_rect(const pixel_bounds *bounds, const render_camera *camera,
                          pixel_rect all)
{
    /* Far more than rounding, far less than a pixel: a footprint may be too large, never
     * too small. */
    const double margin = 0.01 + camera->slack;
    pixel_rect rect = {clamp_pixel(ceil(bounds->x0 - 0.5 - margin), all.x0, all.x1),
                       clamp_pixel(ceil(bounds->y0 - 0.5 - margin), all.y0, all.y1),
                       clamp_pixel(floor(bounds->x1 + 0.5 + margin), all.x0, all.x1),
                       clamp_pixel(floor(bounds->y1 + 0.5 + margin), all.y0, all.y1)};
    return pixel_rect_is_empty(rect) ? (pixel_rect){0, 0, 0, 0} : rect;
}

/* Coordinates along right, up and forward from the eye. */
static vec3 to_view(const render_camera *camera, vec3 point)
{
    vec3 from_eye = vec3_sub(point, camera->eye);
    return vec3_make(vec3_dot(from_eye, camera->right), vec3_dot(from_eye, camera->up),
                     vec3_dot(from_eye, camera->forward));
}

double render_camera_pixel(const render_camera *camera, vec3 point)
{
    const double size = 2.0 * camera->scale / camera->height;
    return camera->orthographic ? size : size * render_camera_depth(camera, point);
}

bool render_camera_project(const render_camera *camera, vec3 point, double place[2])
{
    const vec3 view = to_view(camera, point);
    const double per_unit = camera->height / (2.0 * camera->scale);
    const double w = camera->orthographic ? 1.0 : view.v[2];
    if (!(view.v[2] > 0.0)) {
        return false;
    }
    place[0] = 0.5 * camera->width + view.v[0] / w * per_unit;
    place[1] = 0.5 * camera->height - view.v[1] / w * per_unit;
    return isfinite(place[0]) && isfinite(place[1]);
}

double render_camera_depth(const render_camera *camera, vec3 point)
{
    return vec3_dot(vec3_sub(point, camera->eye), camera->forward);
}

static pixel_bounds no_bounds(void)
{
    return (pixel_bounds){INFINITY, INFINITY, -INFINITY, -INFINITY};
}

/* The pixels of the whole picture that see the part of the points' hull at depth `near`
 * or more (side 1), or behind the eye at -near or less (side -1). The corners of this
 * part are the points on that side, and the cuts of lines between points of both sides.
 */
static pixel_rect rect_of_side(const render_camera *camera, int count, const vec3 *view,
                               double near, double side)
{
    pixel_bounds bounds = no_bounds();
    for (int a = 0; a < count; a++) {
        double depth_a = side * view[a].v[2] - near;
        if (depth_a < 0.0) {
            continue;
        }
        grow(&bounds, camera, view[a]);
        for (int b = 0; b < count; b++) {
            double depth_b = side * view[b].v[2] - near;
            if (depth_b < 0.0) {
                double share = depth_a / (depth_a - depth_b);
                vec3 along = vec3_sub(view[b], view[a]);
                grow(&bounds, camera, vec3_add(view[a], vec3_scale(along, share)));
            }
        }
    }
    return to_rect(&bounds, camera, (pixel_rect){0, 0, camera->width, camera->height});
}

/* How far rays of the picture are from the viewing direction at this depth, to the sides
 * or up and down. */
static double reach_aside(const render_camera *camera, int axis, double depth)
{
    const double pixels = axis == 0 ? camera->width : camera->height;
    const double middle = camera->middle[axis];
    const double farthest = camera->slack + fmax(middle, pixels - middle);
    return 1.01 * depth * camera->scale * farthest / (0.5 * camera->height);
}

pixel_rect render_camera_line_footprint(const render_camera *camera, int count,
                                        const vec3 *points)
{
    enum { MOST_POINTS = 8 };
    vec3 view[MOST_POINTS];
    double nearest = INFINITY, farthest = -INFINITY, extent = 0.0;
    for (int i = 0; i < count; i++) {
        view[i] = to_view(camera, points[i]);
        nearest = fmin(nearest, view[i].v[2]);
        farthest = fmax(farthest, view[i].v[2]);
        extent = fmax(extent, vec3_length(view[i]));
    }
    double near = 1e-9 * extent;
    if (camera->orthographic || nearest > near || farthest < -near) {
        pixel_bounds bounds = no_bounds();
        for (int i = 0; i < count; i++) {
            grow(&bounds, camera, view[i]);
        }
        return to_rect(&bounds, camera, camera->window);
    }
    /* Points nearer than `near` were left out above. There the picture's rays stay this
     * close to the eye. */
    box3 around = box3_empty();
    for (int i = 0; i < count; i++) {
        around = box3_union(around, (box3){view[i], view[i]});
    }
    vec3 reach =
        vec3_make(reach_aside(camera, 0, near), reach_aside(camera, 1, near), near);
    if (box3_meets(around, (box3){vec3_scale(reach, -1.0), reach})) {
        return camera->window;
    }
    /* One by one: points beside the eye lie far to one side of the picture, and points
     * next to them behind the eye far to the other side. */
    pixel_rect rect = rect_of_side(camera, count, view, near, 1.0);
    pixel_rect_grow(&rect, rect_of_side(camera, count, view, near, -1.0));
    return pixel_rect_intersect(rect, camera->window);
}

pixel_rect render_camera_footprint(const render_camera *camera, box3 box)
{
    vec3 corners[8];
    for (int c = 0; c < 8; c++) {
        corners[c] = vec3_make(c & 1 ? box.hi.v[0] : box.lo.v[0],
                               c & 2 ? box.hi.v[1] : box.lo.v[1],
                               c & 4 ? box.hi.v[2] : box.lo.v[2]);
        for (int axis = 0; axis < 3; axis++) {
            if (!isfinite(corners[c].v[axis])) {
                return camera->window;
            }
        }
    }
    return render_camera_line_footprint(camera, 8, corners);
}

/* The pixels of eight that lie from `first` up to the one before `last`. */
static unsigned bits_between(int first, int last)
{
    const unsigned low = 255u << (first > 0 ? first : 0);
    return last >= 8 ? low & 255u : low & ~(255u << last) & 255u;
}

/* The number of set bits of a byte. */
static int count_bits(unsigned byte)
{
    byte -= byte >> 1 & 0x55u;
    byte = (byte & 0x33u) + (byte >> 2 & 0x33u);
    return (int)((byte + (byte >> 4)) & 0xfu);
}

int render_camera_count_drawn(const render_camera *camera, pixel_rect rect)
{
    if (!camera->mask) {
        return (rect.x1 - rect.x0) * (rect.y1 - rect.y0);
    }
    const int64_t pitch = (camera->width + 7) / 8;
    int count = 0;
    for (int y = rect.y0; y < rect.y1; y++) {
        const uint8_t *row = camera->mask + pitch * y;
        for (int x = rect.x0 - rect.x0 % 8; x < rect.x1; x += 8) {
            count += count_bits(row[x / 8] & bits_between(rect.x0 - x, rect.x1 - x));
        }
    }
    return count;
}

/* Whether two cameras agree, except for shifts and masks. */
static bool look_alike(const render_camera *a, const render_camera *b)
{
    return a->width == b->width && a->height == b->height &&
           a->window.x0 == b->window.x0 && a->window.y0 == b->window.y0 &&
           a->window.x1 == b->window.x1 && a->window.y1 == b->window.y1 &&
           a->orthographic == b->orthographic && vec3_is_same(a->eye, b->eye) &&
           vec3_is_same(a->forward, b->forward) && vec3_is_same(a->right, b->right) &&
           vec3_is_same(a->up, b->up) && a->scale == b->scale && a->slack == b->slack &&
           a->attempt == b->attempt;
}

bool render_camera_is_same(const render_camera *a, const render_camera *b)
{
    return !a->mask && !b->mask && look_alike(a, b) && a->middle[0] == b->middle[0] &&
           a->middle[1] == b->middle[1];
}

bool render_camera_has_same_footprints(const render_camera *a, const render_camera *b)
{
    return render_camera_is_same(a, b) || (a->slack > 0.0 && look_alike(a, b));
}

vec3 render_camera_order_point(const render_camera *camera)
{
    return camera->orthographic ? camera->forward : camera->eye;
}

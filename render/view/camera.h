/* The camera: one ray through every pixel, at the same place in all of them. */
#ifndef RENDER_VIEW_CAMERA_H
#define RENDER_VIEW_CAMERA_H

#include "base/image.h"
#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The camera of a config, in the file's coordinates. */
typedef struct render_view {
    vec3 position, look_at, up;
    bool orthographic;
    double fov;    /* perspective: full vertical angle, degrees, in (0, 180) */
    double height; /* orthographic: height of the picture in the grid's units, > 0 */
} render_view;

/* The points origin + t * direction, |direction| = 1, t > 0 in front of the viewer. */
typedef struct render_ray {
    vec3 origin, direction;
} render_ray;

/* A camera for pictures of one size, relative to the layout's origin. */
typedef struct render_camera {
    int width, height;
    pixel_rect window;   /* the pixels that are drawn: all of them, unless the owner sets
                            fewer; may be empty */
    const uint8_t *mask; /* [height][(width + 7) / 8]: a bit for each pixel that is drawn,
                            the lowest for the leftmost; borrowed; NULL: all are */
    bool orthographic;
    vec3 eye; /* start of all rays (orthographic: the middle of the plane in which they
                 start) */
    vec3 forward, right, up; /* orthonormal; up points to row 0 */
    double middle[2]; /* the place in the picture, in pixels, that `forward` points to, if
                         rays went through the centres of pixels */
    double slack;     /* pixels: footprints hold for all shifts up to this one, to each
                         side; 0: for the camera's own shift alone */
    double scale; /* half the picture's height: with perspective at distance 1, else in
                     grid units */
    int attempt;  /* another number is another view: nothing is used again of a picture
                     whose drawing was stopped (base_stop_set) */
} render_camera;

/* Makes a camera for pictures of width x height pixels; `origin` is the layout's. Local.
 * Errors: STATUS_USAGE if position and look_at coincide, if up is zero or parallel to the
 * line between them, or if fov or height is out of range. */
status render_camera_create(const render_view *view, int width, int height, vec3 origin,
                            render_camera *out);

/* Moves the place in each pixel through which its ray goes: by a shift, in pixels to the
 * right and down, from the centre. With slack, the shift is at most that. Local. */
void render_camera_shift(render_camera *camera, const double shift[2]);

/* The ray through the pixel at this column and row: without a shift through its centre,
 * (c + 1/2, r + 1/2). */
render_ray render_camera_ray(const render_camera *camera, int column, int row);

/* A footprint: the pixels of the window whose rays, extended to whole lines, can meet the
 * box; never too few. A box with an infinite side gives the whole window. */
pixel_rect render_camera_footprint(const render_camera *camera, box3 box);

/* The footprint of the convex hull of `count` (at most 8) points. Rays are extended to
 * whole lines, also behind the viewer. Never too few pixels. */
pixel_rect render_camera_line_footprint(const render_camera *camera, int count,
                                        const vec3 *points);

/* Distance of a point from the eye's plane along the viewing direction. */
double render_camera_depth(const render_camera *camera, vec3 point);

/* The size of a pixel at a point in front of the viewer, in the grid's units. */
double render_camera_pixel(const render_camera *camera, vec3 point);

/* The place of a point in the picture, in pixels from its upper left corner; the centre
 * of pixel (c, r) is (c + 1/2, r + 1/2). false: it lies behind the viewer. */
bool render_camera_project(const render_camera *camera, vec3 point, double place[2]);

/* Whether the mask lets a pixel be drawn. */
static inline bool render_camera_draws(const render_camera *camera, int column, int row)
{
    const int64_t pitch = (camera->width + 7) / 8;
    return !camera->mask || (camera->mask[pitch * row + column / 8] >> column % 8 & 1);
}

/* The number of pixels of a rectangle within the picture that it lets be drawn. */
int render_camera_count_drawn(const render_camera *camera, pixel_rect rect);

/* Whether two cameras draw the same pixels with the same rays. Cameras with a mask are
 * never the same: the mask may have changed. */
bool render_camera_is_same(const render_camera *a, const render_camera *b);

/* Whether two cameras have the same footprints: they are the same, or differ by no more
 * than their mask, and a shift within the slack of both. */
bool render_camera_has_same_footprints(const render_camera *a, const render_camera *b);

/* The `view` of grid_partition_order: the eye, or the direction of parallel rays. */
vec3 render_camera_order_point(const render_camera *camera);

#endif

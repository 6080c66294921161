/* The camera: one ray through the centre of every pixel. */
#ifndef RENDER_VIEW_CAMERA_H
#define RENDER_VIEW_CAMERA_H

#include "base/image.h"
#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>

/* What a config says of the camera, in the file's coordinates. */
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
    pixel_rect window; /* the pixels that are drawn: all of them, unless the owner narrows
                          it; may be empty */
    bool orthographic;
    vec3 eye; /* where rays start (orthographic: the middle of their plane) */
    vec3 forward, right, up; /* orthonormal; up points to row 0 */
    double scale; /* half the picture's height: at distance 1, or orthographic in grid
                     units */
} render_camera;

/*
 * Makes a camera for pictures of width x height pixels; `origin` is the layout's. Local.
 * Errors: STATUS_USAGE where position and look_at coincide, up is parallel to the line
 * between them or zero, or fov or height are out of range.
 */
status render_camera_create(const render_view *view, int width, int height, vec3 origin,
                            render_camera *out);

/* The ray through the centre of the pixel at this column and row, (c + 1/2, r + 1/2). */
render_ray render_camera_ray(const render_camera *camera, int column, int row);

/* The pixels of the window whose rays, taken as whole lines, can meet the box; never too
 * few. A box with an infinite side gives the whole window. */
pixel_rect render_camera_footprint(const render_camera *camera, box3 box);

/* The pixels of the window whose rays, taken as whole lines that also reach behind the
 * viewer, can meet the convex hull of `count` (at most 8) points; never too few. */
pixel_rect render_camera_line_footprint(const render_camera *camera, int count,
                                        const vec3 *points);

/* Distance of a point from the eye's plane along the viewing direction. */
double render_camera_depth(const render_camera *camera, vec3 point);

/* Whether two cameras have the same rays and draw the same of them. */
bool render_camera_is_same(const render_camera *a, const render_camera *b);

/* What grid_partition_order wants: the eye, or the direction of parallel rays. */
vec3 render_camera_order_point(const render_camera *camera);

#endif

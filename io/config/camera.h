/* The keys `camera` and `clip` of a config, and the limits of thresholds. */
#ifndef IO_CONFIG_CAMERA_H
#define IO_CONFIG_CAMERA_H

#include "base/vec.h"
#include "film/film.h"

#include <stdbool.h>

/* Sides from which a camera that a config leaves open sees the data: the eye stands at
 * the upper end of z (top), at the lower end of y (front), and so on. */
typedef enum io_view {
    IO_VIEW_AUTO,
    IO_VIEW_TOP,
    IO_VIEW_BOTTOM,
    IO_VIEW_FRONT,
    IO_VIEW_BACK,
    IO_VIEW_LEFT,
    IO_VIEW_RIGHT,
    IO_VIEW_ISO
} io_view;

/* The key `camera`. */
typedef struct io_camera_config {
    vec3 position, look_at, up;
    bool auto_position, auto_look_at, auto_up, auto_height; /* found from the data */
    io_view view;
    double azimuth, elevation, zoom; /* of the given or found camera, in degrees; zoom 1:
                                        as it is */
    bool orthographic;               /* projection: perspective | orthographic */
    double fov;                      /* perspective: full vertical angle, degrees */
    double height; /* orthographic: height of the picture in the grid's units */
    io_path_config path;
    double near, far; /* depths of the drawn part: 0 <= near < far <= INFINITY */
} io_camera_config;

/* A layer of the kind threshold, beside its field, block, from and to. */
typedef struct io_limits_config {
    double above, below; /* -INFINITY, INFINITY: not given */
    bool whole_cells;    /* key cells */
} io_limits_config;

enum { IO_MAX_CLIPS = 16 };

/* An entry of the key `clip`, in the file's coordinates. */
typedef struct io_clip_config {
    vec3 point,
        normal;   /* keeps the side that the normal points to, of any length but 0 */
    bool has_box; /* instead, keeps what lies between two corners */
    vec3 box[2];
    double radius; /* above 0: instead, keeps a sphere around `point` */
} io_clip_config;

#endif

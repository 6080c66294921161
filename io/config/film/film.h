/*
 * Films: keys that change from frame to frame.
 *
 *     film: {frames: 120}
 *     camera:
 *       path: {orbit: 360}
 *     keys:
 *       layers.0.isosurface.value: [[0, 0.2], [100, 0.8]]
 *
 * The canonical text of a config has none of these keys: each frame has a config of its
 * own (frame/film/film.h), which draws that picture alone.
 */
#ifndef IO_CONFIG_FILM_FILM_H
#define IO_CONFIG_FILM_FILM_H

#include <stdbool.h>

/* The key `film`. */
typedef struct io_film_config {
    int frames;     /* pictures; 0: not given */
    bool over_time; /* `at` of keyframes and `keys`: the time of the solution; else the
                       number of the frame, from 0 */
    double rate;    /* frames a second of a movie */
} io_film_config;

/* An entry of camera.path.keyframes. Of each value there are as many numbers as it has
 * (3, or 1 for fov and height) or none. */
typedef struct io_keyframe_config {
    double at, hold;
    int nposition, nlook_at, nup, nfov, nheight;
    double *position, *look_at, *up, *fov, *height;
} io_keyframe_config;

/* The key `camera.path`. */
typedef struct io_path_config {
    double orbit; /* degrees over all frames */
    bool eases;
    int nkeyframes;
    io_keyframe_config *keyframes; /* [nkeyframes], ascending */
} io_path_config;

#endif

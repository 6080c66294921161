/* The keys `lights` and `lighting` of a config. */
#ifndef IO_CONFIG_LIGHTING_H
#define IO_CONFIG_LIGHTING_H

#include "base/vec.h"

#include <stdbool.h>

typedef enum io_light_kind {
    IO_LIGHT_HEAD,      /* headlight: at the camera */
    IO_LIGHT_DIRECTION, /* direction: parallel light, as of the sun */
    IO_LIGHT_POSITION   /* position: a point, without falloff */
} io_light_kind;

enum { IO_MAX_LIGHTS = 16 };

/* An entry of the key `lights`. */
typedef struct io_light_config {
    io_light_kind kind;
    bool headlight; /* for loading; `kind` has the result */
    vec3 direction; /* direction in which the light shines; not 0 */
    vec3 position;  /* in the file's coordinates */
    double color[3], intensity;
} io_light_config;

/* The key `lighting.distance_cue`. */
typedef struct io_cue_config {
    bool on;
    double strength; /* 0..1 */
    bool has_color;  /* false: the colour of the background */
    double color[3];
    bool has_range;  /* false: the depths of the grid's bounds */
    double range[2]; /* depths at which fading begins and ends, in the grid's units */
} io_cue_config;

/* The key `lighting.silhouettes`. */
typedef struct io_silhouette_config {
    bool on;
    double width; /* pixels, with the scale */
    double color[3];
} io_silhouette_config;

/* The key `lighting.shadows`. */
typedef struct io_shadow_config {
    bool on;
    double strength; /* 0..1 */
    double softness; /* of a light: its diameter as an angle, in degrees */
    int resolution, volume_resolution;
} io_shadow_config;

/* The key `lighting.occlusion`. */
typedef struct io_occlusion_config {
    bool on;
    double strength; /* 0..1 */
    double radius;   /* over the diagonal of the grid's bounds, > 0 */
    int directions, resolution, volume_resolution;
} io_occlusion_config;

/* The key `lighting`. */
typedef struct io_lighting_config {
    io_shadow_config shadows;
    io_occlusion_config occlusion;
    io_cue_config cue;
    io_silhouette_config silhouettes;
} io_lighting_config;

#endif

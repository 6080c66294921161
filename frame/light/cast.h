/* Drawing the map of a light on all ranks. */
#ifndef FRAME_LIGHT_CAST_H
#define FRAME_LIGHT_CAST_H

#include "frame/layers/layers.h"
#include "render/light/shadow.h"
#include "render/optical_depth.h"

/* What casts shadows. */
typedef struct shadow_casters {
    const frame_scene *scene;
    frame_layers *layers;
    render_shadows *shadows; /* receives the maps */
    box3 bounds;             /* encloses it */
    bool has_surfaces;       /* the same on every rank */
    bool are_translucent;    /* some of the surfaces */
    render_scene *volume;    /* NULL: it casts none; the same on every rank */
} shadow_casters;

/* The size of a map. */
typedef struct shadow_size {
    int texels; /* along the longer side, rounded up to a multiple of `points` */
    int points; /* of the grid, along the longer side of the map, and along its rays */
    int nhits;
} shadow_size;

/* How a light sees the casters: its map's projection and sizes, and the planes. */
typedef struct shadow_sight {
    shadow_view view;
    double extent[2];  /* of the map; with perspective at distance 1 */
    double depths[2];  /* of the casters */
    int width, height; /* points of the grid */
    int texels_per_point;
} shadow_sight;

/* Aims a light at the casters' bounds: one far away in the direction `to_light` (of
 * length 1), or one at a place. Local. Errors: STATUS_USAGE if the place lies within the
 * bounds or too near. */
status shadow_sight_far(const shadow_casters *casters, vec3 to_light,
                        const shadow_size *size, shadow_sight *out);
status shadow_sight_near(const shadow_casters *casters, vec3 place,
                         const shadow_size *size, shadow_sight *out);

/*
 * Draws the map of a light: hits of surfaces, and the grid `through`. What *map has is
 * overwritten, and must have been freed. Collective. Errors: STATUS_MEMORY, those of
 * drawing.
 */
status shadow_cast(const shadow_casters *casters, const shadow_sight *sight,
                   const shadow_size *size, shadow_map *map);

void shadow_map_clear(shadow_map *map);

/* A grid with the planes of a sight, without values. Local. */
shadow_grid shadow_sight_grid(const shadow_sight *sight, const shadow_size *size);

/* Makes the maps of the sky. Collective. Errors as shadow_cast. */
status shadow_cast_sky(const shadow_casters *casters, render_shadows *shadows);

#endif

/* Shadows: how much light comes to a point, past surfaces and through volumes.
 *
 * A shadow map is a picture from a light: along each of its rays the first surfaces
 * (Williams 1978, Casting curved shadows on curved surfaces, SIGGRAPH '78), and the
 * transmittance of the volume from the light to each of some planes across the view
 * (Lokovic and Veach 2000, Deep shadow maps, SIGGRAPH 2000, have it as functions).
 * Surfaces compare their depth with those of the texels around (percentage-closer
 * filtering: Reeves, Salesin and Cook 1987, Rendering antialiased shadows with depth
 * maps, SIGGRAPH '87). Light far away in all directions makes the ambient occlusion:
 * the mean of many coarse maps.
 *
 * Weights of texels and comparisons of depths are continuous: no threshold makes a pixel
 * jump if rounding differs. */
#ifndef RENDER_LIGHT_SHADOW_H
#define RENDER_LIGHT_SHADOW_H

#include "base/vec.h"
#include "shade.h"

#include <stdbool.h>
#include <stdint.h>

/* A surface on a ray from the light. */
typedef struct shadow_hit {
    float depth; /* along the ray from the light's plane or place; INFINITY: none */
    float alpha; /* 0..1 */
} shadow_hit;

/* Most hits that a texel keeps. */
enum { SHADOW_MOST_HITS = 4 };

/* The projection from a light. A point p relative to the layout's origin has the place
 * (u, v) in units of the map's width and height, 0..1 where the map has texels. */
typedef struct shadow_view {
    bool is_perspective;            /* from a place, else from far away */
    vec3 eye, right, down, forward; /* orthonormal */
    double scale[2]; /* u = 1/2 + scale[0] * ((p - eye) . right); with perspective divided
                        by (p - eye) . forward; v likewise, with `down` */
} shadow_view;

/* Transmittance at the points of a grid, from the light to there; 1 without a volume.
 * Linear in between. */
typedef struct shadow_grid {
    float to[3][4];   /* place of p in the grid along axis n: to[n] . (p, 1), in points */
    float divisor[4]; /* perspective: places along 0 and 1 are divided by its product with
                         (p, 1) */
    bool is_perspective;
    int n[3];      /* [2 or more]; n[0] is the fastest */
    float *values; /* [n[2]][n[1]][n[0]]; NULL: there is none, and light passes */
} shadow_grid;

/* The map of a light. */
typedef struct shadow_map {
    shadow_view view;
    int width, height; /* texels */
    int nhits;         /* of a texel, at most SHADOW_MOST_HITS */
    shadow_hit *hits;  /* [height][width][nhits], by ascending depth; NULL: no surfaces */
    double texel;      /* size of a texel; with perspective at distance 1 */
    double softness;   /* diameter of the light over its distance; 0: a point */
    double planes[2];  /* depth of the first plane of `through`, and their distance */
    shadow_grid through; /* the volume */
    shadow_grid all;     /* volume and surfaces, for points of the volume */
} shadow_map;

/* All shadows of a picture; zero: none. */
typedef struct render_shadows {
    float strength; /* 0..1: the part of a light that shadows take away */
    shadow_map lights[RENDER_MAX_LIGHTS]; /* in the order of the lights */
    int nsky;
    shadow_map *sky;         /* [nsky]: from far away in all directions, surfaces only */
    float occlusion;         /* 0..1: its strength; 0: none */
    double reach;            /* surfaces farther away than this do not occlude */
    shadow_grid sky_all;     /* mean of the maps, for points of the volume */
    shadow_grid sky_through; /* of the volume alone, for surfaces */
    float step; /* parts of ways through a shaded volume are not longer; 0: any length */
} render_shadows;

/* The place of a point in a map, and its depth; false behind the light. Local. */
bool render_shadow_place(const shadow_view *view, vec3 point, double place[2],
                         double *depth);

/* How much of light number n comes to a point of a surface, 0..1. normal: unit vector, of
 * either sense. Any thread. */
double render_shadow_of_light(const render_shadows *shadows, int n, vec3 point,
                              vec3 normal);

/* How much of the light from all around comes to a point of a surface, 0..1, weighted by
 * the cosine to the normal on the viewer's side. Any thread. */
double render_shadow_of_sky(const render_shadows *shadows, vec3 point, vec3 normal,
                            vec3 to_viewer);

/* The value of a grid at a point; 1 without one. Any thread. */
double render_shadow_through(const shadow_grid *grid, vec3 point);

/* Adds a hit to those of a texel ([nhits]), unless it is there already. */
void render_shadow_add(int nhits, shadow_hit *hits, shadow_hit hit);

/* How much light comes past the surfaces of a map to a point in space, 0..1. Any
 * thread. */
double render_shadow_at(const shadow_map *map, vec3 point, double reach);

/* Fills one row of `all` on each plane with `through` times the light that comes past the
 * surfaces; values: [all->n[0]][…] of both. Any thread. */
void render_shadow_join(const shadow_map *map, int row);

#endif

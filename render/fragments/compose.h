/* Putting a picture together: the fragments of several layers, ray by ray in order of
 * depth, for the volume in between. */
#ifndef RENDER_FRAGMENTS_COMPOSE_H
#define RENDER_FRAGMENTS_COMPOSE_H

#include "fragments.h"

#include <stdbool.h>

enum { COMPOSE_PIXELS = FRAGMENTS_TILE * FRAGMENTS_TILE };

/* The fragments of a tile's rays. */
typedef struct compose_tile {
    int first[COMPOSE_PIXELS + 1]; /* where those of a pixel start, row after row of
                                      FRAGMENTS_TILE */
    int count[COMPOSE_PIXELS];     /* how many of them are seen */
    int capacity;
    render_fragment *items;  /* sorted along each ray; those that are seen come first */
    int32_t *layers, *index; /* [capacity]: which layer an item is of, and where it is in
                                there */
} compose_tile;

/* The rays of a tile whose fragments are gathered; pointers are borrowed. */
typedef struct compose_rays {
    pixel_rect rect;
    int width;            /* of the picture */
    const float *t0, *t1; /* [COMPOSE_PIXELS]: [t0, t1) of each ray is drawn; distances as
                             cell_ray counts them */
    bool seen_only; /* leave out fragments that are clear, or behind an opaque one */
} compose_rays;

/*
 * Gathers the fragments of one tile from `count` layers: of each pixel those in the part
 * of its ray that is drawn. Where several lie at the same place, the layer that comes
 * first is in front. What comes out does not depend on the order within a layer. Returns
 * false without memory. Local.
 */
bool render_compose_gather(int count, const render_fragments *const *layers,
                           const compose_rays *rays, compose_tile *out);

void render_compose_clear(compose_tile *tile);

/* Whether any of the layers has a fragment in the tile. */
bool render_compose_has(int count, const render_fragments *const *layers, int64_t tile);

/* Blends a fragment behind what a ray has gathered. */
static inline void compose_blend(const render_fragment *fragment, float rgb[3],
                                 float *transmittance)
{
    for (int c = 0; c < 3; c++) {
        rgb[c] += *transmittance * fragment->rgba[c];
    }
    *transmittance *= 1.0f - fragment->rgba[3];
}

#endif

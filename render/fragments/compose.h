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

/*
 * Gathers the fragments of one tile from `count` layers. Of each pixel those stay that
 * lie in [t0, t1) of its ray (distances as cell_ray counts them; [COMPOSE_PIXELS]); where
 * colours count (seen_only), also without those that are clear, up to the first that
 * hides the rest. Where several lie at the same place, the layer that
 * comes first is in front. What comes out does not depend on the order within a layer.
 * width: of the picture. Returns false without memory. Local.
 */
bool render_compose_gather(int count, const render_fragments *const *layers, int64_t tile,
                           int width, pixel_rect rect, const float *t0, const float *t1,
                           bool seen_only, compose_tile *out);

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

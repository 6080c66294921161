/* Sorts the fragments of several layers along each ray, in order of depth. The volume
 * renderer blends them with its segments in between. */
#ifndef RENDER_FRAGMENTS_COMPOSE_H
#define RENDER_FRAGMENTS_COMPOSE_H

#include "fragments.h"

#include <stdbool.h>

enum { COMPOSE_PIXELS = FRAGMENTS_TILE * FRAGMENTS_TILE };

/* A fragment of a layer. */
typedef struct compose_item {
    float place;   /* its t, in front of its level */
    int32_t layer; /* and its index in that layer: */
    int32_t index;
} compose_item;

/* The fragments of a tile's rays. */
typedef struct compose_tile {
    int first[COMPOSE_PIXELS + 1]; /* start of each pixel's fragments, row after row of
                                      FRAGMENTS_TILE */
    int count[COMPOSE_PIXELS];     /* number of the pixel's fragments that are used */
    int capacity;
    compose_item *order;    /* [capacity]: sorted along each ray; of each pixel the used
                               ones come first */
    render_fragment *items; /* [capacity]: in the same order; only if seen_only */
} compose_tile;

/* The rays of a tile whose fragments are collected; pointers are borrowed. */
typedef struct compose_rays {
    pixel_rect rect;
    int width;              /* of the picture */
    const float *t0, *t1;   /* [COMPOSE_PIXELS]: the part [t0, t1) of each ray is drawn;
                               distances as in cell_ray */
    const float *origin[2]; /* [COMPOSE_PIXELS]: as in cell_ray */
    bool seen_only; /* leave out fragments that are clear, or behind an opaque one */
} compose_rays;

/* Collects the fragments of one tile from `count` layers: for each pixel those in the
 * drawn part of its ray. Each layer has a level: fills in the order of the layers, above
 * them lines, likewise. Fragments are sorted by their places, which lie in front of t by
 * the level (render_fragments_lift). So of several at the same place the highest level is
 * in front, and one part of a ray has each of them. The t of out->items lie in [t0, t1)
 * and do not descend. The result does not depend on the order within a layer. Returns
 * false without memory. Local. */
bool render_compose_gather(int count, const render_fragments *const *layers,
                           const compose_rays *rays, compose_tile *out);

void render_compose_clear(compose_tile *tile);

/* Whether any of the layers has a fragment in the tile. */
bool render_compose_has(int count, const render_fragments *const *layers, int64_t tile);

/* Blends a fragment behind the colour that a ray has accumulated. */
static inline void compose_blend(const render_fragment *fragment, float rgb[3],
                                 float *transmittance)
{
    for (int c = 0; c < 3; c++) {
        rgb[c] += *transmittance * fragment->rgba[c];
    }
    *transmittance *= 1.0f - fragment->rgba[3];
}

#endif

/* Where rays meet isosurfaces: what kernels find (render/kernel/walk.h) for render/iso.c.
 */
#ifndef RENDER_CELLS_HITS_H
#define RENDER_CELLS_HITS_H

#include "march.h"

#include <math.h>
#include <stdint.h>

/* A place where the scalar along a ray takes one of the values. */
typedef struct walk_hit {
    int walk;     /* number of the ray */
    int value;    /* number of the value */
    float t;      /* distance along the ray, counted as cell_ray says */
    float share;  /* of the way through the cell, 0..1 */
    int priority; /* of the cell's block */
    march_cell cell;
    cell_crossing entry, exit;
} walk_hit;

/* A list of hits that grows; all zero at first. */
typedef struct walk_hits {
    int count;
    int64_t capacity;
    walk_hit *items;
    bool failed; /* without memory */
} walk_hits;

/* What is looked for. */
typedef struct walk_iso {
    int nvalues;
    const float *values; /* [nvalues] */
    bool is_opaque;      /* nothing behind a ray's first hit is seen */
    walk_hits *hits;     /* what was found, in any order */
} walk_iso;

void render_hits_push(walk_hits *hits, const walk_hit *hit);

/* Whether a scalar that goes from s0 to s1 takes the value on its way. Of two segments
 * that follow each other just one does so where they meet. */
static inline bool hits_crosses(float s0, float s1, float value)
{
    return (s0 < value) != (s1 < value) && isfinite(s0) && isfinite(s1);
}

/* Where on the way it does so, 0..1. */
static inline float hits_share(float s0, float s1, float value)
{
    const double rise = (double)s1 - (double)s0; /* more than float32 may hold */
    const float share = (float)(((double)value - (double)s0) / rise);
    return fminf(fmaxf(share, 0.0f), 1.0f);
}

#endif

/* Hits of rays with isosurfaces: the kernels (render/kernel/walk.h) find them for
 * render/iso.c. */
#ifndef RENDER_CELLS_HITS_H
#define RENDER_CELLS_HITS_H

#include "march.h"

#include <math.h>
#include <stdint.h>

/* A place on a ray at which the scalar takes one of the isovalues. */
typedef struct walk_hit {
    int walk;     /* index of the ray : index of the isovalue */
    int value;    /* index of the isovalue */
    float t;      /* distance along the ray, as in cell_ray */
    float share;  /* of the way through the cell from entry to exit, 0..1 */
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

struct walk_gate; /* gate.h */

/* The isovalues to find, or the spans of a gate. */
typedef struct walk_iso {
    int nvalues;
    const float *values;    /* [nvalues] */
    bool is_opaque;         /* only a ray's first hit is visible */
    walk_hits *hits;        /* receives the hits, in any order */
    struct walk_gate *gate; /* not NULL: receives spans, and nothing else is found */
} walk_iso;

void render_hits_push(walk_hits *hits, const walk_hit *hit);

/* Whether a scalar that changes from s0 to s1 takes the value in between. At the point
 * that two consecutive segments share, exactly one of them reports a crossing. */
static inline bool hits_crosses(float s0, float s1, float value)
{
    return (s0 < value) != (s1 < value) && isfinite(s0) && isfinite(s1);
}

/* Share of the way at which it does so, 0..1. */
static inline float hits_share(float s0, float s1, float value)
{
    const double rise = (double)s1 - (double)s0; /* float32 may overflow */
    const float share = (float)(((double)value - (double)s0) / rise);
    return fminf(fmaxf(share, 0.0f), 1.0f);
}

#endif

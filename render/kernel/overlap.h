/* Rays on which blocks overlap: of overset grids, and of blocks that abut badly. */
#ifndef RENDER_KERNEL_OVERLAP_H
#define RENDER_KERNEL_OVERLAP_H

#include "render/light/shade_cell.h"
#include "walk.h"

#include <stdint.h>

/* A stretch of a ray through one cell; the scalar is linear along it. */
typedef struct overlap_segment {
    float t0, t1;
    double s0, s1;     /* at a cut to more digits than float32 has: parts must add up */
    int priority;      /* of the cell's block */
    shade_factors lit; /* D and S, where the volume is shaded */
} overlap_segment;

/* The way of a ray through the cells of one run: all that it covers. */
typedef struct overlap_cover {
    float t0, t1;
    int priority;
    float end_order; /* where it ends on triangles */
} overlap_cover;

/* What one ray needs; kept from ray to ray. All zero at first. */
typedef struct overlap_scratch {
    int nsegments;
    int64_t segments_capacity;
    overlap_segment *segments;
    int nparts;
    int64_t parts_capacity;
    overlap_segment *parts; /* what is drawn of them */
    int ncovers;
    int64_t covers_capacity;
    overlap_cover *covers;
    bool failed; /* without memory */
} overlap_scratch;

void render_overlap_clear(overlap_scratch *scratch);

/*
 * Follows a ray whose runs overlap and belong to different blocks: each point of the ray
 * is drawn once, from the block with the smallest priority number among those that have a
 * present cell there. Within one block overlapping runs (of folded cells) are all drawn.
 * walk->runs are the ray's entries; rgb, transmittance and first_t are filled in. The
 * result does not depend on which bricks beyond the drawn part of the ray are there.
 */
void render_overlap_walk(const walk_scene *scene, ray_walk *walk,
                         overlap_scratch *scratch, render_counters *counters);

/* The same for isosurfaces (scene->iso): adds the hits in what is drawn of the ray, which
 * is number `number`. */
void render_overlap_find(const walk_scene *scene, const ray_walk *walk, int number,
                         overlap_scratch *scratch, render_counters *counters);

#endif

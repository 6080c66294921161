/* Rays on which blocks overlap: on overset grids, and on blocks that do not match at
 * their interface. */
#ifndef RENDER_KERNEL_OVERLAP_H
#define RENDER_KERNEL_OVERLAP_H

#include "render/light/shade_cell.h"
#include "walk.h"

#include <stdint.h>

/* A stretch of a ray through one cell, along which the scalar is linear. */
typedef struct overlap_line {
    float t0, t1, s0, s1;
} overlap_line;

/* A part of one. All parts know the whole, as they must add up. */
typedef struct overlap_segment {
    overlap_line whole;
    float t0, t1;      /* the part */
    int priority;      /* of the cell's block */
    shade_factors lit; /* D and S, if the volume is shaded */
} overlap_segment;

/* The stretch of a ray that is covered by the cells of one run. */
typedef struct overlap_cover {
    float t0, t1;
    int priority;
    float end_order; /* its end on triangles */
} overlap_cover;

/* Memory for one ray, reused from ray to ray. All zero at first. */
typedef struct overlap_scratch {
    int nsegments;
    int64_t segments_capacity;
    overlap_segment *segments;
    int nparts;
    int64_t parts_capacity;
    overlap_segment *parts; /* drawn parts of the segments */
    int ncovers;
    int64_t covers_capacity;
    overlap_cover *covers;
    bool failed; /* without memory */
} overlap_scratch;

void render_overlap_clear(overlap_scratch *scratch);

/* Follows a contended ray. Each point of the ray is drawn once, by the block with the
 * smallest priority number among those with a present cell there. Overlapping runs of one
 * block (in folded cells) are all drawn. walk->runs are the ray's entries. Fills in rgb,
 * transmittance and first_t. The result does not depend on bricks beyond the drawn part
 * of the ray. */
void render_overlap_walk(const walk_scene *scene, ray_walk *walk,
                         overlap_scratch *scratch, render_counters *counters);

/* The same for isosurfaces (scene->iso): adds the hits in the drawn part of the ray.
 * number: index of the ray. */
void render_overlap_find(const walk_scene *scene, const ray_walk *walk, int number,
                         overlap_scratch *scratch, render_counters *counters);

#endif

/* A tile on its way through the renderer: its rays, fragments and spans. Private to
 * draw.c and tile_draw.c. */
#ifndef RENDER_TILE_PART_H
#define RENDER_TILE_PART_H

#include "ray_cache.h"
#include "render/fragments/compose.h"
#include "render/fragments/spans.h"
#include "tile_rays.h"

/* Input for drawing tiles; pointers are borrowed. */
typedef struct volume_job {
    const walk_kernel *kernel;
    const march_grid *grid; /* NULL: there is no volume */
    const render_transfer *transfer;
    const render_style *style;
    render_clip_view view;
    tile_plan *plan;
    render_kept *kept; /* ways of rays; NULL: none */
    bool records;      /* keeps the ways of tiles that have none */
    image *img;
    const render_sample_set *samples; /* drawn in place of the image; NULL: none */
} volume_job;

/* The rays of a tile, of one sample, and their fragments. */
typedef struct tile_part {
    int64_t tile;
    int sample;
    render_camera camera; /* of the sample */
    tile_rays rays;
    compose_tile fragments; /* if has_fragments */
    bool has_fragments;
    spans_tile spans; /* of the rays */
    int nrays;        /* that enter the grid, or meet fragments */
} tile_part;

/* Whether layers of a sample have fragments in a tile of the plan. */
bool render_tile_has_layers(const volume_job *job, int sample, pixel_rect rect);

/* Finds the fragments and the spans of a tile, whose rays are cast. Returns false without
 * memory. */
bool render_tile_gather(const volume_job *job, tile_part *part);

/* Blends fragments of a ray behind its light: those in front of a place, or all that are
 * left behind its last cell. */
void render_tile_blend_before(float t, ray_walk *ray);
void render_tile_blend_rest(ray_walk *ray);

/* Puts the light of a walk along a span behind that of its ray. */
void render_tile_end_span(ray_walk *walk, ray_walk *ray);

#endif

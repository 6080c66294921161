/* The segments of lines that each tile of a picture may see. Private to render/lines. */
#ifndef RENDER_LINES_TRAILS_BIN_H
#define RENDER_LINES_TRAILS_BIN_H

#include "trails.h"

/* A straight piece of a line between two points, or, with a == b, a point. */
typedef struct trail_segment {
    int64_t line; /* ascending; a line is drawn once per pixel */
    int64_t a, b; /* points */
} trail_segment;

typedef struct trail_bins {
    int64_t nsegments;
    trail_segment *segments; /* [nsegments] */
    int64_t *first;          /* [tiles + 1]: start of each tile's items */
    int64_t *items;          /* [first[tiles]]: segments, ascending within a tile */
} trail_bins;

/* Local. Errors: STATUS_MEMORY; *out is then empty. */
status trail_bins_make(const render_trails *trails, const render_camera *camera,
                       trail_bins *out);
void trail_bins_clear(trail_bins *bins);

/* A point of a line, in double precision. */
static inline vec3 trail_point(const render_trails *trails, int64_t point)
{
    const float *p = trails->points[point];
    return vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

/* Place of a point in the picture, for lines with a width. */
typedef struct trail_projection {
    double x, y, depth; /* pixels; along the viewing direction */
} trail_projection;

trail_projection trail_project(const render_camera *camera, vec3 point);

/* Cuts off the part of a segment that is too near to the eye's plane for projection.
 * *from and *to: the remaining part, 0 at a and 1 at b. False if nothing remains. */
bool trail_clip(const render_camera *camera, vec3 a, vec3 b, double *from, double *to);

/* The footprint of a segment between two points: the pixels that may see it; never too
 * few. */
pixel_rect trail_footprint(const render_trails *trails, const render_camera *camera,
                           vec3 a, vec3 b);

#endif

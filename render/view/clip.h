/* Which part of a ray is drawn: inside a box, between the near and the far plane, on the
 * near side of clipping planes. */
#ifndef RENDER_VIEW_CLIP_H
#define RENDER_VIEW_CLIP_H

#include "camera.h"

#include <stdbool.h>

enum { RENDER_MAX_CUTS = 16 };

/* Keeps the points p with normal . p >= offset; |normal| = 1, p relative to the layout's
 * origin. */
typedef struct render_cut {
    vec3 normal;
    double offset;
} render_cut;

/* What is cut off of a picture; transparent, the caller fills it in. */
typedef struct render_cuts {
    double near, far; /* distances along the viewing direction, 0 <= near < far; 0 and
                         INFINITY where nothing is cut off */
    int count;
    render_cut planes[RENDER_MAX_CUTS]; /* [count] */
} render_cuts;

/*
 * Finds the half-open part [t0, t1) of a ray of the camera that lies in the half-open
 * box, in front of the viewer, and that `cuts` (may be NULL) leave; t0 >= t1 where there
 * is none. Neighbouring boxes compute the same t on their common plane, so that nothing
 * is left out or doubled in between. Local.
 */
void render_clip_ray(const render_camera *camera, const render_ray *ray, box3 box,
                     const render_cuts *cuts, double *t0, double *t1);

/* Whether the same is cut off; NULL: nothing. Local. */
bool render_cuts_are_same(const render_cuts *a, const render_cuts *b);

#endif

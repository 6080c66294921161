/* Clipping: the drawn part of a ray lies inside a box, between the near and the far
 * plane, and on the kept side of clipping planes. */
#ifndef RENDER_VIEW_CLIP_H
#define RENDER_VIEW_CLIP_H

#include "camera.h"

#include <stdbool.h>

enum { RENDER_MAX_CUTS = 16 + 6, RENDER_MAX_SPHERES = 16 }; /* 6: sides of a box */

/* Keeps the points p with normal . p >= offset; |normal| = 1, p relative to the layout's
 * origin. */
typedef struct render_cut {
    vec3 normal;
    double offset;
} render_cut;

/* Keeps the points inside of a sphere; relative to the layout's origin. */
typedef struct render_sphere {
    vec3 center;
    double radius;
} render_sphere;

/* Near and far plane, clipping planes and spheres; transparent, the caller fills it in.
 */
typedef struct render_cuts {
    double near, far; /* distances along the viewing direction, 0 <= near < far; 0 and
                         INFINITY keep all */
    int count;
    render_cut planes[RENDER_MAX_CUTS]; /* [count] */
    int nspheres;
    render_sphere spheres[RENDER_MAX_SPHERES]; /* [nspheres] */
} render_cuts;

/* Finds the half-open part [t0, t1) of a camera ray that is drawn: in front of the
 * viewer, in the half-open box, and kept by `cuts` (may be NULL). t0 >= t1 if nothing is
 * left. Neighbouring boxes compute the same t on their common plane, so that no point
 * between them is lost or drawn twice. Local. */
void render_clip_ray(const render_camera *camera, const render_ray *ray, box3 box,
                     const render_cuts *cuts, double *t0, double *t1);

/* Whether both cut off the same; NULL cuts off nothing. Local. */
bool render_cuts_are_same(const render_cuts *a, const render_cuts *b);

#endif

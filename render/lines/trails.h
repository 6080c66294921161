/* Lines in space, drawn as fragments: tubes or spheres with a radius in the grid's units,
 * or lines with a width in pixels. Used for trails of particles and edges of blocks.
 *
 * Tubes are cylinders with a sphere at each point, lit by their normals. Lines with a
 * width have no normal. They are lit like thin tubes, by the normal that faces the light
 * best (M. Zoeckler, D. Stalling, H.-C. Hege, Interactive visualization of 3D-vector
 * fields using illuminated streamlines, IEEE Visualization '96, 1996). Their edges are
 * smoothed by pixel coverage.
 *
 * If a pixel sees a line several times, as at the joints of its segments, it gets one
 * fragment. For a tube this is the nearest one, for a line with a width the one with the
 * largest coverage. */
#ifndef RENDER_LINES_TRAILS_H
#define RENDER_LINES_TRAILS_H

#include "render/fragments/fragments.h"
#include "render/light/shade.h"
#include "render/view/camera.h"
#include "render/view/colors.h"

typedef enum render_trails_kind {
    RENDER_TRAILS_TUBES,
    RENDER_TRAILS_LINES,
    RENDER_TRAILS_SPHERES, /* one at each point, independent of each other */
    RENDER_TRAILS_CONES    /* one for each pair of points: its base lies around the first,
                              its tip at the second */
} render_trails_kind;

/* Points [first, first + count), joined one after the other. A single point is a sphere
 * or a dot. */
typedef struct render_trail {
    int64_t first, count;
} render_trail;

/* The lines to draw; transparent, the caller fills it in. All pointers are borrowed. */
typedef struct render_trails {
    render_trails_kind kind;
    int64_t ntrails;
    const render_trail *trails; /* [ntrails] */
    const float (*points)[3];   /* relative to the layout's origin; a point that is not
                                   finite breaks its line */
    double radius; /* of tubes, spheres and bases of cones, in the grid's units, > 0 */
    double width;  /* of lines, in pixels, > 0 */
    const render_colors *colors; /* NULL: all have `color` */
    const float *values;         /* for `colors`: one per point, linear in between; NULL
                                    without colours */
    float color[3];              /* linear */
    float opacity;               /* 0 to 1 */
    const float *fade;           /* factors of the opacity, one per point; NULL: 1 */
    const render_shade *shade;   /* NULL: flat */
} render_trails;

/* Draws the visible part of the lines in front of the viewer. The result depends only on
 * the arguments, not on the number of threads. A viewer inside a tube sees its inside.
 * Local. Errors: STATUS_MEMORY. */
status render_trails_draw(const render_trails *trails, const render_camera *camera,
                          int threads, render_fragments *out);

#endif

/*
 * Lines in space, drawn as fragments: as tubes or spheres with a radius in the grid's
 * units, or as lines with a width in pixels. Trails of particles, edges of blocks.
 *
 * Tubes are cylinders with a sphere at each point, lit by their normals. Lines of a width
 * have no normal: they are lit as if they were thin tubes, by the normal that faces the
 * light best (M. Zoeckler, D. Stalling, H.-C. Hege, Interactive visualization of
 * 3D-vector fields using illuminated streamlines, IEEE Visualization '96, 1996), and
 * their edges are smoothed by how much of a pixel they cover.
 *
 * Where a pixel sees a line several times, as at the joints of its segments, it gets one
 * fragment: of a tube the nearest, of a line of a width the one that covers most.
 */
#ifndef RENDER_LINES_TRAILS_H
#define RENDER_LINES_TRAILS_H

#include "render/fragments/fragments.h"
#include "render/light/shade.h"
#include "render/view/camera.h"
#include "render/view/colors.h"

typedef enum render_trails_kind {
    RENDER_TRAILS_TUBES,
    RENDER_TRAILS_LINES,
    RENDER_TRAILS_SPHERES /* one at each point, each for itself */
} render_trails_kind;

/* Points [first, first + count), joined one after the other; one alone is a sphere or a
 * dot. */
typedef struct render_trail {
    int64_t first, count;
} render_trail;

/* What is drawn; transparent, the caller fills it in. All pointers are borrowed. */
typedef struct render_trails {
    render_trails_kind kind;
    int64_t ntrails;
    const render_trail *trails;  /* [ntrails] */
    const float (*points)[3];    /* relative to the layout's origin; those that are not
                                    finite break their lines */
    double radius;               /* of tubes and spheres, in the grid's units, > 0 */
    double width;                /* of lines, in pixels, > 0 */
    const render_colors *colors; /* NULL: `color` is that of all */
    const float *values;         /* for `colors`: one per point, linear between them; NULL
                                    without */
    float color[3];              /* linear */
    float opacity;               /* 0 to 1 */
    const float *fade;           /* factors of the opacity, one per point; NULL: 1 */
    const render_shade *shade;   /* NULL: flat */
} render_trails;

/*
 * Draws the lines in front of the viewer as far as they lie in the picture. What comes
 * out depends on nothing but the arguments, and not on the number of threads. A viewer
 * within a tube sees its inside. Local. Errors: STATUS_MEMORY.
 */
status render_trails_draw(const render_trails *trails, const render_camera *camera,
                          int threads, render_fragments *out);

#endif

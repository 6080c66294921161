/*
 * Isosurfaces, found by rays: within a cell the scalar is linear along a ray, so that the
 * place where it takes a value is known exactly, and nothing is stored (Parker et al.
 * 1998, Interactive ray tracing for isosurface rendering, IEEE Visualization '98, finds
 * it on the trilinear map instead).
 */
#ifndef RENDER_ISO_H
#define RENDER_ISO_H

#include "render/view/colors.h"
#include "volume.h"

enum { RENDER_MAX_ISOVALUES = 32 };

/* How isosurfaces look; transparent, the caller fills it in. */
typedef struct render_iso_look {
    int nvalues;
    float values[RENDER_MAX_ISOVALUES]; /* [nvalues], finite */
    float color[3];                     /* where there is no colour map */
    const render_colors *colors;        /* borrowed, or NULL */
    const grid_store *color_store; /* borrowed: whose scalar colours the surface, a store
                                      of the same bricks, of a field at vertices; NULL:
                                      the value of the surface itself */
    float opacity;                 /* 0..1 */
    const render_shade *shade; /* borrowed; NULL: not lit. Else the store needs gradients,
                                  which are the normals */
    const render_cuts *cuts;   /* borrowed; NULL: nothing is cut off */
    double *seconds;           /* of the picture's tiles, as in render_style */
} render_iso_look;

/*
 * A transfer function that is clear but around the values: what scenes and loading want
 * to know of an isosurface (render_scene_shows). Local. Errors: STATUS_MEMORY.
 */
status render_iso_places(const render_iso_look *look, render_transfer **out);

/*
 * Finds the part of the isosurfaces inside the box of the request as fragments. Its
 * transfer function is of render_iso_places; its style is not looked at. The scene's
 * field lives at vertices. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL where gradients
 * are missing or the scalar lives in cells.
 */
status render_iso_draw(render_scene *scene, const render_iso_look *look,
                       const render_request *request, render_fragments *out,
                       render_counters *counters);

#endif

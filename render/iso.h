/* Isosurfaces, found by rays. Within a cell the scalar is linear along a ray, so the
 * place at which it takes a value is known exactly, and nothing is stored. (Parker et al.
 * 1998, Interactive ray tracing for isosurface rendering, IEEE Visualization '98, find it
 * on the trilinear map instead.) */
#ifndef RENDER_ISO_H
#define RENDER_ISO_H

#include "render/view/colors.h"
#include "volume.h"

enum { RENDER_MAX_ISOVALUES = 32 };

/* The look of isosurfaces; transparent, the caller fills it in. */
typedef struct render_iso_look {
    int nvalues;
    float values[RENDER_MAX_ISOVALUES]; /* [nvalues], finite */
    float color[3];                     /* without a colour map */
    const render_colors *colors;        /* borrowed, or NULL */
    const grid_store *color_store; /* borrowed: a store of the same bricks with a field at
                                      vertices, whose scalar colours the surface; NULL:
                                      the isovalue does */
    float opacity;                 /* 0..1 */
    bool finds_all; /* also fragments behind the first one of a rank, if opacity is 1 */
    const render_shade *shade; /* borrowed; NULL: not lit. Otherwise the store needs
                                  gradients, which are the normals */
    const render_cuts *cuts;   /* borrowed; NULL: nothing is cut off */
    double *seconds;           /* of the picture's tiles, as in render_style */
} render_iso_look;

/* The limits of a gate; transparent, the caller fills it in. */
typedef struct render_limits {
    float lo, hi;     /* of the scalar; may be infinite; if both are, values do not
                         matter */
    bool whole_cells; /* cells with all vertices within them; else exact within cells */
    int block;        /* only this block and its copies are open; -1: all are */
    bool has_box;     /* and of these the cells [from, to) along each axis */
    int64_t from[3], to[3];
} render_limits;

/* Finds the spans in which the scalar lies within limits (render/fragments/spans.h), each
 * a little longer at both ends: by the roundings of things at the same place
 * (render_fragments_end). The request's transfer function is that of
 * render_limits_places; of its style, cuts and seconds are used. Local. Errors:
 * STATUS_MEMORY. */
status render_gate_draw(render_scene *scene, const render_limits *limits,
                        const render_request *request, render_fragments *out,
                        render_counters *counters);

/* Makes a transfer function that is clear outside of the limits. Local. Errors:
 * STATUS_MEMORY. */
status render_limits_places(const render_limits *limits, render_transfer **out);

/* Makes a transfer function that is clear except at the isovalues. Scenes and loading use
 * it to skip bricks without the isosurface (render_scene_shows). Local. Errors:
 * STATUS_MEMORY. */
status render_iso_places(const render_iso_look *look, render_transfer **out);

/* Finds the fragments of the isosurfaces inside the box of the request. The request's
 * transfer function is that of render_iso_places; its style is ignored. The scene's field
 * lives at vertices. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL if gradients are
 * missing or the scalar lives in cells. */
status render_iso_draw(render_scene *scene, const render_iso_look *look,
                       const render_request *request, render_fragments *out,
                       render_counters *counters);

#endif

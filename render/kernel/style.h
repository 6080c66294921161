/* How cells are drawn, and what is counted meanwhile. */
#ifndef RENDER_KERNEL_STYLE_H
#define RENDER_KERNEL_STYLE_H

#include "render/fragments/fragments.h"
#include "render/light/shade.h"
#include "render/transfer/transfer.h"
#include "render/view/clip_view.h"

#include <stdbool.h>
#include <stdint.h>

/* What one call did. */
typedef struct render_counters {
    int64_t rays;      /* that met a cell */
    int64_t crossings; /* cells that rays went through */
    int64_t lost_rays; /* that ended inside the grid: 0 unless there is a defect */
    int64_t nan_cells; /* crossings of cells whose scalar is not a finite number:
                          drawn transparent */
} render_counters;

/* How cells are drawn: for one ray after the other, or for one cell after the other all
 * rays that cross it. The picture is the same to the last bit. */
typedef enum render_method {
    RENDER_RAYCAST,
    RENDER_PLANES, /* quicker where cells are much larger than pixels */
    RENDER_AUTO    /* whichever is, tile by tile */
} render_method;

typedef struct render_style {
    render_method method;
    bool trilinear; /* faces are bilinear patches, the scalar follows the trilinear map;
                       otherwise faces are two triangles each, the scalar is bilinear on
                       them and linear in between */
    const render_shade *shade; /* borrowed; NULL: not shaded. The store needs gradients
                                  (grid_store_add_gradients); methods are all the ray
                                  caster */
    const render_cuts *cuts;   /* borrowed; NULL: nothing is cut off */
    int nlayers;               /* of surfaces, lines and so on in the volume */
    const render_fragments *const *layers; /* [nlayers], borrowed: of pictures of this
                                              size */
    double *
        seconds; /* of the picture's tiles (render/fragments/fragments.h), row after row:
                    what each takes of a processor is added; NULL: nobody wants to know */
} render_style;

typedef struct walk_kernel walk_kernel;

/* A picture to be drawn; pointers are borrowed. */
typedef struct render_request {
    const render_style *style;
    const render_transfer *transfer;
    const render_camera *camera;
    box3 clip;                 /* half-open: what lies outside of it is not drawn */
    int threads;               /* > 0 */
    const walk_kernel *kernel; /* NULL: the fastest that this processor runs */
} render_request;

static inline render_clip_view render_request_view(const render_request *request)
{
    return (render_clip_view){request->camera, request->clip, request->style->cuts};
}

#endif

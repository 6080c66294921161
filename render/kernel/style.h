/* The style in which cells are drawn, and the counters of a picture. */
#ifndef RENDER_KERNEL_STYLE_H
#define RENDER_KERNEL_STYLE_H

#include "render/fragments/fragments.h"
#include "render/light/shade.h"
#include "render/transfer/transfer.h"
#include "render/view/clip_view.h"
#include "render/view/samples.h"

#include <stdbool.h>
#include <stdint.h>

/* Counts of one call. */
typedef struct render_counters {
    int64_t rays;       /* rays that met a cell */
    int64_t crossings;  /* cells that rays passed */
    int64_t lost_rays;  /* rays that ended inside the grid: 0 unless there is a defect */
    int64_t nan_cells;  /* crossings of cells whose scalar is not a finite number:
                           drawn transparent */
    int64_t kept_bytes; /* memory for what the scene keeps of rays */
} render_counters;

/* The method of drawing cells: ray by ray (image order), or cell by cell with all rays
 * that cross the cell (object order). The picture is bitwise the same. */
typedef enum render_method {
    RENDER_RAYCAST,
    RENDER_PLANES, /* faster if cells are much larger than pixels */
    RENDER_AUTO    /* the faster of the two, chosen for each tile */
} render_method;

typedef struct render_style {
    render_method method;
    bool trilinear; /* faces are bilinear patches, and the scalar follows the trilinear
                       map. Otherwise a face is two triangles, and the scalar is bilinear
                       on faces and linear in between */
    bool quadratic; /* the scalar bends between the faces where that matters
                       (render/cells/bend_lanes.h); not together with trilinear */
    const render_shade *shade; /* borrowed; NULL: not shaded. The store needs gradients
                                  (grid_store_add_gradients), unless
                                  render_shade_needs_gradients says otherwise. Every
                                  method then is the ray caster */
    const render_cue *cue;     /* borrowed; of the layers: fragments fade with their
                                  depth; NULL: they do not. The volume's stands in
                                  `shade` */
    const render_cuts *cuts;   /* borrowed; NULL: nothing is cut off */
    bool is_whole;             /* spans of layers do not matter to the volume */
    int nlayers;               /* of surfaces, lines and so on in the volume */
    const render_fragments *const *layers; /* [nlayers], borrowed: fragments of pictures
                                              of this size */
    double *seconds; /* of the picture's tiles (render/fragments/fragments.h), row after
                        row: processor time of each tile is added; NULL: not measured */
} render_style;

/* Samples of the pixels of a camera's mask that are drawn together. Rays through one
 * pixel pass the same cells, so that this takes less time than one sample after the
 * other. */
typedef struct render_sample_set {
    int count;                             /* 1 to RENDER_MOST_SAMPLES */
    double shifts[RENDER_MOST_SAMPLES][2]; /* [count], for render_camera_shift */
    int64_t npixels;                       /* of the mask */
    const int32_t *before;                 /* as from render_mask_number */
    float *rgba; /* [npixels][count][4]: the colours, in the order of the mask */
    const render_fragments *const *layers; /* [count][nlayers], borrowed: in place of
                                              render_style.layers */
} render_sample_set;

typedef struct walk_kernel walk_kernel;

/* Request for a picture; pointers are borrowed. */
typedef struct render_request {
    const render_style *style;
    const render_transfer *transfer;
    const render_camera *camera;
    box3 clip;    /* half-open; only the part inside is drawn */
    int threads;  /* > 0 */
    int64_t keep; /* most bytes that a scene keeps of rays while the view stays, for later
                     pictures; 0: nothing */
    bool is_ending; /* too few pictures follow for recording more ways; those that are
                       kept are used */
    const walk_kernel *kernel;        /* NULL: the fastest kernel for this processor */
    const render_sample_set *samples; /* these of the camera's mask, and the image stays
                                         as it is; NULL: one sample of all pixels */
} render_request;

static inline render_clip_view render_request_view(const render_request *request)
{
    return (render_clip_view){request->camera, request->clip, request->style->cuts};
}

#endif

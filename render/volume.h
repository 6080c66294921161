/* The volume renderer: rays march through the cells of the bricks that a rank holds. */
#ifndef RENDER_VOLUME_H
#define RENDER_VOLUME_H

#include "base/image.h"
#include "base/status.h"
#include "base/vec.h"
#include "grid/brick.h"
#include "render/camera.h"
#include "render/transfer.h"

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
} render_style;

/*
 * Draws the part of the volume inside the half-open box `clip` into img (transparent
 * before), front to back from the camera, with `threads` threads. Sets img->active. The
 * picture does not depend on the number of threads, nor on which bricks beyond the box
 * the store holds. Local. Errors: STATUS_MEMORY.
 */
status render_volume(const render_style *style, const grid_store *store,
                     const render_transfer *transfer, const render_camera *camera,
                     box3 clip, int threads, image *img, render_counters *counters);

#endif

/* The quadrilaterals that each tile may show, and the samples of a tile. */
#ifndef RENDER_SURFACE_SAMPLE_H
#define RENDER_SURFACE_SAMPLE_H

#include "mesh.h"

/* Samples that one thread finds. */
typedef struct surface_samples {
    int64_t count, capacity;
    surface_sample *items;
    bool failed;
} surface_samples;

/* Quadrilaterals by tile. */
typedef struct surface_plan {
    const surface_mesh *mesh;
    const render_camera *camera;
    box3 clip;
    const render_cuts *cuts; /* may be NULL */
    int columns, rows;
    pixel_rect *rects; /* [nquads] */
    int64_t *first;    /* [tiles + 1]: start of each tile's quadrilaterals in `quads` */
    int32_t *quads;
} surface_plan;

/* Adds the samples of a tile that are not clipped, quadrilateral by quadrilateral.
 * Several threads may call it at once, each with a list of its own. */
void surface_sample_tile(const surface_plan *plan, int64_t tile, surface_samples *list);

#endif

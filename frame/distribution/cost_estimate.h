/* The cost estimate: expected work and bytes of all bricks of a scene before they are
 * loaded. */
#ifndef FRAME_DISTRIBUTION_COST_ESTIMATE_H
#define FRAME_DISTRIBUTION_COST_ESTIMATE_H

#include "kind.h"

/* Values of each brick. A zeroed estimate holds none. */
typedef struct cost_estimate {
    int64_t nbricks;
    pixel_rect *rects; /* [nbricks]: pixels of the whole picture that the brick may cover;
                          empty: none */
    double *cells;     /* [nbricks]: cells that a ray meets in the brick, of all layers */
    int64_t *bytes; /* [nbricks]: memory on a rank that draws the brick, of all layers */
    int64_t
        *owned_bytes; /* [nbricks]: memory on a rank whose owned box the brick meets */
} cost_estimate;

/* The scene has its camera and its layers. Local. Errors: STATUS_MEMORY. */
status cost_estimate_create(const distribution_state *state, cost_estimate *out);
void cost_estimate_clear(cost_estimate *estimate);

#endif

/* What the bricks of a scene are expected to cost and to take, before they are loaded. */
#ifndef APP_FRAME_DISTRIBUTION_COST_ESTIMATE_H
#define APP_FRAME_DISTRIBUTION_COST_ESTIMATE_H

#include "kind.h"

/* Of each brick; zero holds none. */
typedef struct cost_estimate {
    int64_t nbricks;
    pixel_rect *rects; /* [nbricks]: pixels of the whole picture that may see it; empty:
                          none */
    double *cells;     /* [nbricks]: that a ray meets there, of all layers */
    int64_t *bytes;    /* [nbricks]: in memory of a rank that draws it, of all layers */
    int64_t *owned_bytes; /* [nbricks]: of a rank at whose home it is */
} cost_estimate;

/* The scene has its camera, and the layers are there. Local. Errors: STATUS_MEMORY. */
status cost_estimate_create(const distribution_state *state, cost_estimate *out);
void cost_estimate_clear(cost_estimate *estimate);

#endif

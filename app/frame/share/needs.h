/* What the bricks of a scene are expected to cost and to take, before they are loaded. */
#ifndef APP_FRAME_SHARE_NEEDS_H
#define APP_FRAME_SHARE_NEEDS_H

#include "kind.h"

/* Of each brick; zero holds none. */
typedef struct share_needs {
    int64_t nbricks;
    pixel_rect *rects;   /* [nbricks]: pixels of the whole picture that may see it; empty:
                            none */
    double *cells;       /* [nbricks]: that a ray meets there, of all layers */
    int64_t *bytes;      /* [nbricks]: in memory of a rank that draws it, of all layers */
    int64_t *home_bytes; /* [nbricks]: of a rank at whose home it is */
} share_needs;

/* The scene has its camera, and the layers are there. Local. Errors: STATUS_MEMORY. */
status share_needs_create(const share_state *state, share_needs *out);
void share_needs_clear(share_needs *needs);

#endif

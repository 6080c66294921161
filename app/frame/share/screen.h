/* Sort-first: the state of rectangles. */
#ifndef APP_FRAME_SHARE_SCREEN_H
#define APP_FRAME_SHARE_SCREEN_H

#include "gather.h"
#include "kind.h"

typedef struct share_screen {
    render_screen *rectangles;
    bool follows;          /* balance: cost */
    render_costs measured; /* seconds that tiles of the last picture took here */
    render_costs average;  /* the same of all ranks, over the last pictures */
    bool has_average;
    share_gather gather;
    io_png_range range; /* of the picture that this rank has */
} share_screen;

#endif

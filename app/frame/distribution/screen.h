/* Sort-first: the state of rectangles. */
#ifndef APP_FRAME_DISTRIBUTION_SCREEN_H
#define APP_FRAME_DISTRIBUTION_SCREEN_H

#include "assemble.h"
#include "kind.h"

typedef struct distribution_screen {
    render_screen *rectangles;
    bool follows;          /* balance: cost */
    render_costs measured; /* seconds that tiles of the last picture took here */
    render_costs average;  /* the same of all ranks, over the last pictures */
    bool has_average;
    distribution_assembly assembly;
    io_png_range range; /* of the picture that this rank has */
} distribution_screen;

#endif

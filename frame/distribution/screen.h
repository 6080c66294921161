/* Sort-first: the state of the rectangles. */
#ifndef FRAME_DISTRIBUTION_SCREEN_H
#define FRAME_DISTRIBUTION_SCREEN_H

#include "assemble.h"
#include "kind.h"

typedef struct distribution_screen {
    render_screen *rectangles;
    bool follows;          /* with balance: cost, rectangles follow the measurements */
    render_costs measured; /* seconds of the last picture's tiles on this rank */
    render_costs
        average; /* the same summed over all ranks, averaged over the last pictures */
    bool has_average;
    distribution_assembly assembly;
    io_png_range range; /* range of the picture that this rank has */
} distribution_screen;

#endif

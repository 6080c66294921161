/* Sort-last: the state of boxes. */
#ifndef APP_FRAME_DISTRIBUTION_BOX_H
#define APP_FRAME_DISTRIBUTION_BOX_H

#include "kind.h"

typedef struct distribution_box {
    grid_partition *tree; /* boxes: the homes, or a tree of its own */
    double *weights;      /* [layout->nbricks]: what bricks cost; NULL: by cells */
    int *order;           /* [ranks]: ranks from front to back */
    composite_result composited;
    io_png_range *ranges; /* of the picture that this rank has */
    double least_seconds; /* draw_seconds of the fastest of the settled pictures since
                             boxes were last looked at; INFINITY: there were none */
    int pictures, wanted; /* how many there were, and are wanted before the next look */
    double cost_factor;   /* what this rank's points cost beside others', by the clock */
    int corrections;      /* how often the clock has corrected that */
    int moves;            /* how often boxes have moved lately */
} distribution_box;

#endif

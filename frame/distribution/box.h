/* Sort-last: the state of the boxes. */
#ifndef FRAME_DISTRIBUTION_BOX_H
#define FRAME_DISTRIBUTION_BOX_H

#include "frame/scene/work_samples.h"
#include "kind.h"

typedef struct distribution_box {
    grid_partition *tree; /* the boxes: the owned boxes, or a tree of its own */
    double *weights; /* [layout->nbricks]: cost of each brick; NULL: its cells count */
    int *order;      /* [ranks]: ranks from front to back */
    composite_result composited;
    io_png_range *ranges; /* ranges of the picture that this rank has */
    double least_seconds; /* draw_seconds of the fastest settled picture since the last
                             check of the balance; INFINITY: there was none */
    int pictures, wanted; /* settled pictures measured since then, and wanted before the
                             next check */
    double cost_factor;   /* cost of this rank's work samples relative to those of others,
                             by the clock */
    int corrections;      /* number of corrections of that factor */
    int moves;            /* number of recent moves */
    frame_work_samples work; /* of the first one of adaptive samples: the others are of
                              edges alone */
} distribution_box;

#endif

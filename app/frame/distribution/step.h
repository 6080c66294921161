/* A picture as shares see it: the times of the last one, this rank's drawing, results. */
#ifndef APP_FRAME_DISTRIBUTION_STEP_H
#define APP_FRAME_DISTRIBUTION_STEP_H

#include "io/picture/png_strip.h"
#include "picture.h"

/* Times of the last picture on this rank, as on a processor of its own. */
typedef struct distribution_times {
    int drawn;             /* pictures so far */
    bool is_settled;       /* it was drawn with bricks that were there before */
    double render_seconds; /* of processors: drawing */
    double draw_seconds; /* the same with compositing, but for waiting: what a rank has to
                            do from one time that ranks wait for each other to the next */
    double load_seconds; /* loading */
} distribution_times;

/* This rank's drawing of a step. */
typedef struct distribution_drawn {
    const io_step *step;
    pixel_rect active; /* of the image */
} distribution_drawn;

/* The result of putting a picture together. */
typedef struct distribution_result {
    composite_counters counters;
    bool is_in_room; /* its pieces lie in app_picture_room, and nobody needs images */
} distribution_result;

#endif

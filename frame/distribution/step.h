/* A picture as the distribution sees it: times of the last one, this rank's drawing, the
 * result. */
#ifndef FRAME_DISTRIBUTION_STEP_H
#define FRAME_DISTRIBUTION_STEP_H

#include "io/picture/png_strip.h"
#include "picture.h"

/* Times of the last picture on this rank, as if it had a processor of its own. */
typedef struct distribution_times {
    int drawn;             /* pictures so far */
    bool is_settled;       /* it was drawn with bricks loaded before */
    double render_seconds; /* processor seconds of drawing */
    double draw_seconds; /* processor seconds of drawing and compositing without waiting:
                            the work between two synchronisations */
    double load_seconds; /* seconds of loading */
} distribution_times;

/* This rank's drawing of a step. */
typedef struct distribution_drawn {
    const io_step *step;
    pixel_rect active; /* active rectangle of the image */
} distribution_drawn;

/* The result of putting a picture together. */
typedef struct distribution_result {
    composite_counters counters;
    composite_choice
        choice; /* how images were blended; without an algorithm: not at all */
    composite_reason reason;
    const composite_problem *problem; /* that the schedule solved; borrowed until the next
                                         picture. NULL: images were not blended */
    int position;            /* of this rank in visibility order, if images are blended */
    bool is_in_shared_bytes; /* its pieces are shared bytes; images may be overwritten */
} distribution_result;

#endif

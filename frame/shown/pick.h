/* The point that a picture shows at a place of it. */
#ifndef FRAME_SHOWN_PICK_H
#define FRAME_SHOWN_PICK_H

#include "base/status.h"

#include <stdbool.h>

typedef struct frame_pick {
    bool is_there; /* something is shown there */
    double x[3];   /* in the coordinates of the picture */
    int layer;     /* number of the layer in the config; -1: the volume */
} frame_pick;

struct frame_job;

/* Loads the data of a frame, and aims its camera, without a picture: for frame_job_pick
 * and for values of its step. Collective. Errors: those of frame_job_render. */
status frame_job_aim(struct frame_job *job, int frame);

/*
 * Finds the first surface, line or sphere at a place of the picture that was drawn or
 * aimed at last, `at`: parts of its width and height, 0 to 1. In a volume, the point that
 * adds most to the pixel, if it lies in front. Collective, with the same place. Errors:
 * STATUS_USAGE (the place lies outside), those of drawing and of frame_probe_values.
 */
status frame_job_pick(struct frame_job *job, const double at[2], frame_pick *out);

#endif

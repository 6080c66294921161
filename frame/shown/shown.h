/* Pictures that are shown, not written: a job hands them over in memory. */
#ifndef FRAME_SHOWN_H
#define FRAME_SHOWN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A picture. On ranks other than 0 `bytes` stays NULL. */
typedef struct frame_shown {
    bool wants_pixels; /* else the bytes of a PNG file */
    int width, height;
    int pixel_bytes; /* of pixels: 3, or 4 with opacity; twice as many of 16 bits */
    uint8_t *bytes;  /* malloc'ed; pixels: [height][width][pixel_bytes] */
    size_t size;
} frame_shown;

void frame_shown_clear(frame_shown *shown);

struct frame_job;
struct frame_result;

/*
 * Draws a frame of a job with `is_shown`. *out is the picture; its `wants_pixels` is
 * given. *is_whole is false if the drawing was stopped (base_stop_set) on any rank: then
 * there is no picture, and later ones use nothing of it. Collective. Errors: those of
 * frame_job_render.
 */
status frame_job_show(struct frame_job *job, int frame, frame_shown *out,
                      struct frame_result *result, bool *is_whole);

#endif

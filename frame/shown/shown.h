/* Pictures that are shown, not written: a job hands them over in memory. */
#ifndef FRAME_SHOWN_H
#define FRAME_SHOWN_H

#include "base/status.h"
#include "frame/shown/picture.h"

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

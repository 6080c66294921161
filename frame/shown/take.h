/* The end of a frame whose picture is shown: for frame.c. */
#ifndef FRAME_SHOWN_TAKE_H
#define FRAME_SHOWN_TAKE_H

#include "io/config/config.h"
#include "io/picture/png_strip.h"
#include "io/source.h"

struct frame_job;

/* Whether nobody wants a picture that is shown any more (base_stop_set on any rank);
 * false for others. Collective. */
bool frame_shown_is_unwanted(const struct frame_job *job);

/* Hand a finished picture over: its strips, or its pixels. With pixels, *s is the status
 * of finishing on this rank, and becomes that of all; returns whether there are no strips
 * to make. Collective. Errors: STATUS_MEMORY. */
status frame_shown_take_strips(struct frame_job *job, const io_step *step,
                               io_png_strips *strips);
bool frame_shown_take_pixels(struct frame_job *job, const io_png_share *share, status *s);

#endif

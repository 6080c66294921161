/*
 * Pictures of other data beside those of a job: entries of `pictures` with `data`. Each
 * set of data has a job of its own, which draws with the film and the writer of the first
 * one. Frames are the steps of the first one.
 */
#ifndef FRAME_FILM_BESIDE_H
#define FRAME_FILM_BESIDE_H

#include "frame/job_state.h"

/* Makes the config of a picture, whose open values are to be found, with the names of
 * data sets that are guessed for its data. Collective. Errors: STATUS_USAGE,
 * STATUS_MEMORY. */
status frame_beside_picture(const struct frame_job *job, int picture, io_config **out);

/* Makes the jobs of all further data sets, up to their grids. Collective. Errors: those
 * of frame_job_create; STATUS_USAGE if steps do not belong together. */
status frame_beside_begin(struct frame_job *job);

/* Gives all jobs the configs of their first pictures. Collective. Errors: STATUS_MEMORY.
 */
status frame_beside_take(struct frame_job *job);

/* Prepares these jobs for drawing. Collective. Errors: those of frame_job_create. */
status frame_beside_prepare(struct frame_job *job);

/* The job that draws a picture of each frame. Local. */
struct frame_job *frame_beside_job(const struct frame_job *job, int picture);

/* Finds the steps of a job beside those of the one that leads. Collective. Errors:
 * STATUS_USAGE, STATUS_MEMORY. */
status frame_beside_match(struct frame_job *job);

/* The step (index) of a job for a place among those of its film. Local. */
int frame_beside_step(const struct frame_job *job, int place);

void frame_beside_destroy(struct frame_job *job);

#endif

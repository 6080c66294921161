/* A job turns to the frames of its film. */
#ifndef FRAME_FILM_TURN_H
#define FRAME_FILM_TURN_H

#include "base/status.h"

struct frame_job;

/* Gives the job the config of a frame. Collective. Errors: those of frame_job_change. */
status frame_film_turn_to(struct frame_job *job, int frame);

#endif

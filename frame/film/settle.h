/* Values that configs of a job leave open. */
#ifndef FRAME_FILM_SETTLE_H
#define FRAME_FILM_SETTLE_H

#include "frame/job_state.h"

/*
 * Finds values that a config leaves open, from the data of a job; *config becomes one
 * with them. Values that are `known` (may be NULL) stay. Adds to *values. Collective.
 * Errors: those of frame_auto_fields and frame_auto_looks.
 */
status frame_film_settle(struct frame_job *job, const frame_auto_values *known,
                         frame_auto_values *values, io_config **config);

/* Finds the values that the configs of all pictures of the job's film leave open, and
 * makes jobs for those of other data: these share what they leave open alike. Collective.
 * Errors: those of frame_film_settle and frame_beside_begin. */
status frame_film_settle_all(struct frame_job *job);

#endif

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

#endif

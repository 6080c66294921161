/* Completes a config with values found from its data (frame/auto/auto.h). */
#ifndef FRAME_COMPLETE_H
#define FRAME_COMPLETE_H

#include "frame/auto/auto.h"
#include "job.h"

/*
 * Loads the config of a job and finds all values that it leaves open, without drawing. If
 * `values` is not NULL, *values becomes the found values; release them with
 * frame_auto_values_clear. Collective. Errors: those of frame_job_create before it loads
 * bricks.
 */
status frame_config_complete(MPI_Comm comm, const char *config_path,
                             const frame_job_options *options, frame_auto_values *values,
                             io_config **out);

#endif

/* Completes a config with values found from its data (frame/auto/auto.h). */
#ifndef FRAME_COMPLETE_H
#define FRAME_COMPLETE_H

#include "frame/auto/auto.h"
#include "job.h"

/*
 * Loads the config of a job and finds all values that it leaves open, without drawing. If
 * `values` is not NULL, *values becomes the found values; release them with
 * app_auto_values_clear. Collective. Errors: those of app_job_create before it loads
 * bricks.
 */
status app_config_complete(MPI_Comm comm, const char *config_path,
                           const app_job_options *options, app_auto_values *values,
                           io_config **out);

#endif

/* A config with all that it leaves open, found from its data (app/frame/auto/auto.h). */
#ifndef APP_FRAME_COMPLETE_H
#define APP_FRAME_COMPLETE_H

#include "app/frame/auto/auto.h"
#include "job.h"

/*
 * Loads the config of a job and finds in its data what it leaves open, without drawing
 * anything. *values, if not NULL, becomes what was found, for app_auto_values_clear.
 * Collective. Errors: those of app_job_create that come before bricks are loaded.
 */
status app_config_complete(MPI_Comm comm, const char *config_path,
                           const app_job_options *options, app_auto_values *values,
                           io_config **out);

#endif

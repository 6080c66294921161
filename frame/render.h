/* Renders all frames of a config. */
#ifndef FRAME_RENDER_H
#define FRAME_RENDER_H

#include "job.h"

/*
 * Renders the frames of a config, with progress on standard output unless `quiet`, and
 * warns of pictures that show nothing. Collective. Errors: those of app_job_create and
 * app_job_render, the same on every rank.
 */
status app_render(MPI_Comm comm, const char *config_path, const app_job_options *options,
                  bool quiet);

/* Warns of a picture that shows nothing, or only one colour. Local. */
void app_render_warn(const app_frame *frame);

#endif

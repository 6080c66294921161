/* Renders all frames of a config. */
#ifndef FRAME_RENDER_H
#define FRAME_RENDER_H

#include "job.h"

/*
 * Renders the frames of a config, with progress on standard output unless `quiet`, and
 * warns of pictures that show nothing. Ends after the current frame if a signal asks for
 * it (base_ending_catch), with a warning. Collective. Errors: those of frame_job_create
 * and frame_job_render, the same on every rank.
 */
status frame_render(MPI_Comm comm, const char *config_path,
                    const frame_job_options *options, bool quiet);

/* Whether a signal has asked any rank for an end (base/ending/ending.h). Collective. */
bool frame_render_ends(MPI_Comm comm);

/* Warns of a picture that shows nothing, or only one colour. Local. */
void frame_render_warn(const frame_result *frame);

#endif

/* Draws checkpoints as they appear: karman render CONFIG --follow RUN_DIR. */
#ifndef RUN_FOLLOW_FOLLOW_H
#define RUN_FOLLOW_FOLLOW_H

#include "base/status.h"
#include "frame/job.h"

#include <mpi.h>

typedef struct follow_request {
    const char *config; /* path */
    const char *folder; /* folder in which files appear */
    double until;       /* ends after so many seconds without a new file; 0: never */
    const frame_job_options *options;
    bool quiet; /* no progress */
} follow_request;

/*
 * Draws the steps of each data file that appears in the folder, in the order of their
 * names, each (step, time) once. data.file of the config may be a pattern for their names
 * ("out_*.h5"); otherwise all files with its extension count. Files with other names, or
 * names that begin with a dot, are ignored: a writer gives a file its name when it is
 * complete. If a file cannot be drawn, it is tried again several times, then skipped with
 * a warning. Ends if the folder has a file `stop`, or after `until`. Ranges that the
 * config leaves open are those of the first file. Collective. Errors: STATUS_USAGE (the
 * config), STATUS_INPUT (there is no such folder; no file could be drawn), STATUS_OUTPUT,
 * STATUS_MEMORY; the same on every rank.
 */
status follow_program(MPI_Comm comm, const follow_request *request);

#endif

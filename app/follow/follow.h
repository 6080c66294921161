/* Drawing checkpoints as they appear: karman render CONFIG --follow RUN_DIR. */
#ifndef APP_FOLLOW_FOLLOW_H
#define APP_FOLLOW_FOLLOW_H

#include "app/frame/job.h"
#include "base/status.h"

#include <mpi.h>

typedef struct app_follow_request {
    const char *config; /* path */
    const char *folder; /* where files appear */
    double until;       /* ends after so many seconds without a new file; 0: never */
    const app_job_options *options;
    bool quiet; /* no progress */
} app_follow_request;

/*
 * Draws the steps of each HDF5 file that appears in the folder, in the order of their
 * names, each (step, time) once, with the config, whose data.file may be a pattern
 * ("out_*.h5") for the names; else all files *.h5 count. Files whose names begin with a
 * dot, and all that end otherwise, are not looked at: a file has its name when it is
 * complete. A file that cannot be drawn is tried again some times, then skipped with a
 * warning. Ends when the folder holds a file `stop`, or as `until` says. Ranges that the
 * config leaves open are those of the first file. Collective. Errors: STATUS_USAGE (the
 * config), STATUS_INPUT (there is no such folder; not one file could be drawn),
 * STATUS_OUTPUT, STATUS_MEMORY; the same on every rank.
 */
status app_follow(MPI_Comm comm, const app_follow_request *request);

#endif

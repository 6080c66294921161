/* The overrides of the config for each followed file. The same on every rank; local. */
#ifndef RUN_FOLLOW_OVERRIDES_H
#define RUN_FOLLOW_OVERRIDES_H

#include "frame/job.h"
#include "io/config/config.h"

#include <stdbool.h>
#include <stdint.h>

/* Overrides as frame_job_options takes them. */
typedef struct follow_overrides {
    int count;
    char **texts; /* [count] */
    int file;     /* index of the first override of the current file; these come last */
} follow_overrides;

/* Begins with the overrides of the command line. Errors: STATUS_MEMORY. */
status follow_overrides_create(int count, const char *const *texts,
                               follow_overrides *out);

void follow_overrides_clear(follow_overrides *overrides);

/* The number of the step in the name of a file, if data.file has %d for it or is a
 * folder; -1: names have none. Looks into the file system. */
int64_t follow_number(const io_config *config, const char *name);

/* Whether data.steps selects the step of this number; -1 is always selected. */
bool follow_is_selected(const io_config *config, int64_t number);

/*
 * Replaces the overrides of the previous file by those of a file: data.file, data.steps
 * if its name has the number of the step and, if the config asks for timings, a path of
 * its own: timings-out_0001.json for out_0001.h5. Errors: STATUS_USAGE (a path is too
 * long or no UTF-8), STATUS_MEMORY.
 */
status follow_overrides_name(follow_overrides *overrides, const io_config *config,
                             const char *folder, const char *name);

/* Fixes the values that a job has found, for all later files, and warns of ranges.
 * Errors: STATUS_MEMORY. */
status follow_overrides_freeze(follow_overrides *overrides, const frame_job *job);

#endif

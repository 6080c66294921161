/* What a config is overridden with for each of the files that are followed. Every rank
 * has the same; local. */
#ifndef APP_FOLLOW_OVERRIDES_H
#define APP_FOLLOW_OVERRIDES_H

#include "app/frame/job.h"
#include "io/config/config.h"

#include <stdint.h>

/* Overrides as app_job_options takes them. */
typedef struct follow_overrides {
    int count;
    int64_t capacity;
    char **texts; /* [count] */
    int file;     /* where those of a file begin: they are the last ones */
} follow_overrides;

/* Begins with those of the command line. Errors: STATUS_MEMORY. */
status follow_overrides_create(int count, const char *const *texts,
                               follow_overrides *out);

void follow_overrides_clear(follow_overrides *overrides);

/*
 * Puts in those of a file, in the place of those of the one before: data.file, and where
 * the config asks for timings a file of their own, timings-out_0001.json for out_0001.h5.
 * Errors: STATUS_USAGE (a path that is too long or no UTF-8), STATUS_MEMORY.
 */
status follow_overrides_name(follow_overrides *overrides, const io_config *config,
                             const char *folder, const char *name);

/*
 * Makes what the config leaves open that which a job has found, for all files that
 * follow, and tells of ranges. Errors: STATUS_MEMORY.
 */
status follow_overrides_freeze(follow_overrides *overrides, const app_job *job);

#endif

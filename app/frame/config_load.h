/* One config for all ranks. */
#ifndef APP_FRAME_CONFIG_LOAD_H
#define APP_FRAME_CONFIG_LOAD_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdbool.h>

/* What goes with the config of a job. Zero: nothing does. */
typedef struct app_job_options {
    int noverrides;
    const char *const
        *overrides; /* [noverrides]: "image.width=512", as --set; borrowed */
    int threads;    /* of each rank; 0: cores of the node over its ranks */
    bool resume;    /* keep frames that are complete and of the same config */
    bool is_part;   /* data.file is one of several files, which have the steps together */
    const char *text;  /* of the config, in the place of a file's; NULL; borrowed */
    const char *field; /* of the volume, in the place of the config's; NULL; borrowed */
    bool shows_config; /* app_render prints the config first, with all that was found */
} app_job_options;

/*
 * Rank 0 reads the config file, every rank parses the same text with the same overrides
 * ([noverrides], as io_config_parse). Collective. Errors: as io_config_read, the same on
 * every rank.
 */
status app_config_load(MPI_Comm comm, const char *path, int noverrides,
                       const char *const *overrides, io_config **out);

/* The same for a job: with its overrides, from its text where it has one. */
status app_config_load_for(MPI_Comm comm, const char *path,
                           const app_job_options *options, io_config **out);

#endif

/* Configs for data files that have none. */
#ifndef APP_CASE_H
#define APP_CASE_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

/* The place of such a config in messages; its paths lead from the working directory. */
#define APP_CASE_PLACE "the command line"

/* Whether a file is data rather than a config: rank 0 looks. Collective. */
bool app_case_is_data(MPI_Comm comm, const char *path);

/*
 * A config for a data file, which leaves open all that can be found from it; malloc'ed,
 * the same on every rank. In a file of another layout than karman's, grid and fields are
 * guessed (io/listing/guess.h), with a warning. `frames`: where pictures go; NULL:
 * NAME.png here for NAME.h5, or NAME_%04d.png for all steps. Without %d there is one
 * picture, of the last step. Collective. Errors: STATUS_INPUT (no grid is found),
 * STATUS_USAGE (a path that is no UTF-8), STATUS_MEMORY.
 */
status app_case_make(MPI_Comm comm, const char *path, const char *frames, bool all_steps,
                     char **text);

/* The path of pictures for `--set output.frames=…`: from the working directory, wherever
 * the config lies; malloc'ed. Local. Errors: as app_case_make. */
status app_case_frames(const char *config, const char *frames, char **override);

#endif

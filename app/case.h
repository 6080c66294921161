/* Makes configs for data files without one. */
#ifndef APP_CASE_H
#define APP_CASE_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

/* The place of such a config in messages. Its paths are relative to the working
 * directory. */
#define APP_CASE_PLACE "the command line"

/* Whether a file holds data and is no config. Rank 0 looks into it. Collective. */
bool app_case_is_data(MPI_Comm comm, const char *path);

/*
 * Makes a config for a data file; it leaves open all keys whose values can be found from
 * the data. *text is malloc'ed and the same on every rank. If the file has another layout
 * than karman's, grid and fields are guessed (io/sources/listing/guess.h), with a
 * warning. `frames`: the path of the pictures; NULL: NAME.png in the working directory
 * for NAME.h5, or NAME_%04d.png for all steps. A path without %d gives one picture, of
 * the last step. Collective. Errors: STATUS_INPUT (no grid is found), STATUS_USAGE (a
 * path is no UTF-8), STATUS_MEMORY.
 */
status app_case_make(MPI_Comm comm, const char *path, const char *frames, bool all_steps,
                     char **text);

/*
 * Makes the override `output.frames=…`, with the path relative to the working directory,
 * whatever the config's folder. *override is malloc'ed. Local. Errors: as app_case_make.
 */
status app_case_frames(const char *config, const char *frames, char **override);

/*
 * Makes the override `data.steps=…` of an option --steps: A:B, A:B:C, a number, `first`,
 * `last`, `all`, or numbers with commas between them. *override is malloc'ed. Local.
 * Errors: STATUS_USAGE, STATUS_MEMORY.
 */
status app_case_steps(const char *text, char **override);

/* Makes a message about that override name the option instead. Local. */
void app_case_name_steps(const char *text, const char *override);

/* Loads a config, or makes one for a data file, of all its steps. Collective. Errors:
 * those of both. */
status app_case_load(MPI_Comm comm, const char *path, int noverrides,
                     const char *const *overrides, io_config **out);

#endif

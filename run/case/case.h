/* Makes configs for data files without one. */
#ifndef CASE_CASE_H
#define CASE_CASE_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

/* The pictures of a config for a data file: of the last step, of each step, or several
 * frames of the last step. */
typedef enum case_frames { CASE_LAST, CASE_STEPS, CASE_FRAMES } case_frames;

/* Whether a file holds data and is no config. Rank 0 looks into it. Collective. */
bool case_is_data(MPI_Comm comm, const char *path);

/*
 * Makes a config for a data file; it leaves open all keys whose values can be found from
 * the data. *text is malloc'ed and the same on every rank. If the file has another layout
 * than karman's, grid and fields are guessed (io/sources/listing/guess.h), with a
 * warning. Pictures are called NAME.png in the working directory for NAME.h5, or
 * NAME_%04d.png for several. Collective. Errors:
 * STATUS_INPUT (no grid is found), STATUS_USAGE (a path is no UTF-8), STATUS_MEMORY.
 */
status case_make(MPI_Comm comm, const char *path, case_frames which, char **text);

enum { CASE_MOST_FILES = 4 };

/* The same for several data files, [count], whose pictures stand beside each other in
 * one, each with its name as a title. Collective. */
status case_make_beside(MPI_Comm comm, int count, const char *const *paths,
                        case_frames which, char **text);

/* The same for arrays in memory, of which `name` is the place in messages. Local. Errors:
 * STATUS_MEMORY. */
status case_make_of_arrays(const char *name, char **text);

/* The place of such a config in messages: the name of the data file. Its paths are
 * relative to the working directory. Borrowed from `path`. */
const char *case_place(const char *path);

/* Takes that place out of the message of a failure: of a made config, the fault lies in
 * the data. Local. */
void case_drop_place(const char *path);

/*
 * A path of the command line, which is relative to the working directory, for a config
 * whose paths are relative to its folder: malloc'ed, in quotes. Local. Errors:
 * STATUS_USAGE (it is no UTF-8), STATUS_INPUT, STATUS_MEMORY.
 */
status case_path(const char *config, const char *path, char **quoted);

/*
 * Makes the override `data.steps=…` of an option --steps: A:B, A:B:C, a number, `first`,
 * `last`, `all`, or numbers with commas between them. *override is malloc'ed. Local.
 * Errors: STATUS_USAGE, STATUS_MEMORY.
 */
status case_steps(const char *text, char **override);

/* Makes a message about that override name the option instead. Local. */
void case_name_steps(const char *text, const char *override);

/* Loads a config, or makes one for a data file, of all its steps. Collective. Errors:
 * those of both. */
status case_load(MPI_Comm comm, const char *path, int noverrides,
                 const char *const *overrides, io_config **out);

#endif

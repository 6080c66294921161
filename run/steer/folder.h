/*
 * Files of a run directory: whole files written by rename, lines that are appended, reads
 * of limited size. There are no locks. A failure to write is reported once; the next
 * write tries again. No MPI calls; local; one thread.
 */
#ifndef RUN_STEER_FOLDER_H
#define RUN_STEER_FOLDER_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STEER_MAX_PATH = 4096 };

/* A directory to write to. */
typedef struct steer_folder {
    char *path;        /* owned */
    bool has_said;     /* the failure to write is reported */
    bool guards;       /* of a program, which guards orders/ */
    bool group_orders; /* the group may write into orders/ */
} steer_folder;

/* Joins a folder and a name inside it; false if the path is too long. */
bool steer_path_join(const char *folder, const char *name, char path[STEER_MAX_PATH]);

/* Makes the directory, its parents, and the folders orders, answers and frames in it.
 * Keeps existing ones. False, with errno, on failure. */
bool steer_folder_make(const char *path);

/*
 * Lets the owner alone write into orders/, or his group, too, whatever the umask. False,
 * with errno, on failure. _is_guarded: whether the open directory `handle` is such a
 * folder of this user: somebody who may write into the run directory could have put
 * another one in its place.
 */
bool steer_orders_guard(const steer_folder *folder);
bool steer_orders_is_guarded(const steer_folder *folder, int handle);

/* Writes JSON to a file of the directory, by rename. NULL (no memory) is a failure, too.
 * Returns false on failure, which is reported once. */
bool steer_folder_write(steer_folder *folder, const char *name, const json_t *json);

/* Reads a whole file: malloc'ed, with a 0 at the end. Errors: STATUS_INPUT (missing, no
 * regular file, more than `most` bytes), STATUS_MEMORY. */
status steer_file_read(const char *path, size_t most, char **text, size_t *size);

/* Lines for a file of the directory. The initial state is zero except for `name`. */
typedef struct steer_lines {
    const char *name; /* of the file */
    char *text;       /* [used] of `capacity` bytes: lines still to be written */
    size_t used;
    int64_t capacity;
    bool has_begun; /* the file ends with a complete line */
} steer_lines;

/* Queues a line, and releases `json`. If `json` is NULL (no memory), no line is queued.
 * The line is dropped if more than a megabyte is queued, as on a full disk. */
void steer_lines_add(steer_lines *lines, json_t *json);

/* Appends the queued lines to the file. Lines that cannot be written stay queued. */
void steer_lines_flush(steer_lines *lines, steer_folder *folder);

void steer_lines_clear(steer_lines *lines);

#endif

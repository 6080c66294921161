/*
 * Files of a run directory: whole ones by rename, lines that are appended, bounded reads.
 * Nothing here locks, and nothing fails loudly: a directory that cannot be written is
 * reported once, and tried again whenever there is something to write. No MPI calls;
 * local; one thread.
 */
#ifndef APP_STEER_FOLDER_H
#define APP_STEER_FOLDER_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STEER_MAX_PATH = 4096 };

/* A directory that is written to. */
typedef struct steer_folder {
    char *path;    /* owned */
    bool has_said; /* that it cannot be written */
} steer_folder;

/* Joins a folder and a name inside it; false where that is too long for a path. */
bool steer_path_join(const char *folder, const char *name, char path[STEER_MAX_PATH]);

/* Makes the directory, those above it, and orders, answers and frames in it; what is
 * there stays. False, with errno, where that cannot be. */
bool steer_folder_make(const char *path);

/* Writes a file of the directory by rename, from JSON; NULL (no memory) is a failure,
 * too. What cannot be written is reported once; false then. */
bool steer_folder_write(steer_folder *folder, const char *name, const json_t *json);

/* Reads a file whole: malloc'ed, with a 0 at the end. Errors: STATUS_INPUT (missing, no
 * regular file, more than `most` bytes), STATUS_MEMORY. */
status steer_file_read(const char *path, size_t most, char **text, size_t *size);

/* Lines that go to a file of the directory. Zero but for `name` is the beginning. */
typedef struct steer_lines {
    const char *name; /* of the file */
    char *text;       /* [used] of `capacity` bytes: what is still to be written */
    size_t used;
    int64_t capacity;
    bool has_begun; /* the file's last line is known to be whole */
} steer_lines;

/* Adds a line to those that wait, and lets go of `json`, which may be NULL (no memory: no
 * line). Where more than a megabyte waits (a full disk), the line is dropped. */
void steer_lines_add(steer_lines *lines, json_t *json);

/* Appends the lines that wait to the file; what cannot be written waits on. */
void steer_lines_flush(steer_lines *lines, steer_folder *folder);

void steer_lines_clear(steer_lines *lines);

#endif

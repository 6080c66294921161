/* Files that appear in a folder. For one rank; local. */
#ifndef RUN_FOLLOW_FILES_H
#define RUN_FOLLOW_FILES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { FOLLOW_NAME = 256, FOLLOW_PATTERN = 1024 };

typedef enum follow_state { FOLLOW_NEW, FOLLOW_DRAWN, FOLLOW_SKIPPED } follow_state;

/* A file, with its identity at the last look. If another file takes its name, that one is
 * new. */
typedef struct follow_file {
    char name[FOLLOW_NAME];
    follow_state state;
    int tries;          /* failed attempts */
    int64_t identity;   /* inode number */
    int64_t size;       /* bytes */
    int64_t changed[2]; /* time of the last change: seconds and nanoseconds */
} follow_file;

typedef struct follow_files {
    char *folder;                 /* owned */
    char pattern[FOLLOW_PATTERN]; /* of names; "": extensions of data files */
    int count;
    follow_file *files; /* [count], sorted by base_path_compare */
} follow_files;

/*
 * Chooses the names to look for: the name part of `data_file` if it is a pattern with *,
 * ? or [, or with %d for a number; otherwise all with its extension. If it has none, as a
 * folder, names with the extensions of data files count. Errors: STATUS_USAGE (the
 * pattern is too long), STATUS_MEMORY.
 */
status follow_files_create(const char *folder, const char *data_file, follow_files *out);

void follow_files_clear(follow_files *files);

/* Looks into the folder. Files that appeared are new; files that disappeared are
 * forgotten. Errors: STATUS_INPUT (the folder is gone), STATUS_MEMORY. */
status follow_files_look(follow_files *files);

/* The first new file, or NULL. Borrowed until the next look. */
follow_file *follow_files_next(const follow_files *files);

/* Whether the folder holds a file `stop`. */
bool follow_files_stop(const follow_files *files);

#endif

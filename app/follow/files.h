/* Files that appear in a folder. For one rank; local. */
#ifndef APP_FOLLOW_FILES_H
#define APP_FOLLOW_FILES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { FOLLOW_NAME = 256, FOLLOW_PATTERN = 1024 };

typedef enum follow_state { FOLLOW_NEW, FOLLOW_DRAWN, FOLLOW_SKIPPED } follow_state;

/* A file, and which one it was when it was last looked at: one that takes the name of
 * another is a new one. */
typedef struct follow_file {
    char name[FOLLOW_NAME];
    follow_state state;
    int tries;          /* that failed */
    int64_t identity;   /* of the file system */
    int64_t size;       /* bytes */
    int64_t changed[2]; /* seconds and nanoseconds */
} follow_file;

typedef struct follow_files {
    char *folder;                 /* owned */
    char pattern[FOLLOW_PATTERN]; /* of names */
    int count;
    int64_t capacity;
    follow_file *files; /* [count], in the order of their names */
} follow_files;

/* Which names count: those of `data_file` where that is a pattern, with *, ? or [, else
 * *.h5. Errors: STATUS_USAGE (the pattern is too long), STATUS_MEMORY. */
status follow_files_create(const char *folder, const char *data_file, follow_files *out);

void follow_files_clear(follow_files *files);

/* Looks into the folder: what has come is new. What is gone is forgotten. Errors:
 * STATUS_INPUT (the folder is gone), STATUS_MEMORY. */
status follow_files_look(follow_files *files);

/* The first new file, or NULL. Borrowed until the next look. */
follow_file *follow_files_next(const follow_files *files);

/* Whether the folder holds a file `stop`. */
bool follow_files_stop(const follow_files *files);

/* -1, 0 or 1 as a comes before, with or after b: numbers in names count as numbers, so
 * that out_9.h5 comes before out_10.h5. */
int follow_name_compare(const char *a, const char *b);

#endif

/* Output files: each appears complete under its name, or not at all. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether two paths lead to one existing file. Local. */
bool io_file_is_same(const char *a, const char *b);

/* The path of a file that `path` names: relative to its folder, or absolute. False: it is
 * too long. Local. */
bool io_file_beside(const char *path, const char *name, char *out, size_t size);

/* Makes the missing folders of `path`. Local. Errors: STATUS_OUTPUT. */
status io_file_make_folders(const char *path);

/* A temporary name beside `path`, for use while the file is written. It contains the
 * host and the process number, so that two programs do not write one file. malloc'ed.
 * Local. Errors: STATUS_MEMORY. */
status io_file_temporary_name(const char *path, char **out);

/* Makes a new file under a temporary name, in place of one that a killed program left.
 * Others may write into the folder: a link there is removed, not followed. Returns a
 * descriptor for writing, or -1 with errno. Local. */
int io_file_create(const char *temporary);

/* Renames a finished temporary file to `path`; removes it if that fails. Local. Errors:
 * STATUS_OUTPUT. */
status io_file_commit(const char *temporary, const char *path);

/* Tests whether io_file_make could make the file: makes missing folders and, for a
 * moment, a file beside it. Messages name the file `shown`, as the user wrote it. Local.
 * Errors: those of io_file_make. */
status io_file_try(const char *path, const char *shown);

/* Writes the contents of a file. Returns false, with errno set, on failure. */
typedef bool io_file_contents(FILE *file, const void *context);

/*
 * Makes the file `path` with the contents that `write` produces. Missing folders are
 * made; the file is written under a temporary name, then renamed. A device or a pipe is
 * written as it is: no file takes its place. Local. Errors, after
 * which no file remains: STATUS_OUTPUT (among them a full disk that shows only on
 * closing), STATUS_MEMORY.
 */
status io_file_make(const char *path, io_file_contents *write, const void *context);

/* The same for `size` bytes. */
status io_file_write(const char *path, const void *data, size_t size);

/* Prints text as XML has it in attributes and between tags. Local. */
void io_file_print_escaped(FILE *out, const char *text);

#endif

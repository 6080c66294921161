/* Output files that are there whole or not at all. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Makes the folders that `path` lies in, where they are missing. Local. Errors:
 * STATUS_OUTPUT. */
status io_file_make_folders(const char *path);

/* A name beside `path` for the file while it is written: the process's number is in it,
 * so that two programs do not meet. malloc'ed. Local. Errors: STATUS_MEMORY. */
status io_file_temporary_name(const char *path, char **out);

/* Gives a finished temporary file its name; removes it where that fails. Local.
 * Errors: STATUS_OUTPUT. */
status io_file_commit(const char *temporary, const char *path);

/* Finds out whether io_file_make could make the file: makes folders that are missing and,
 * for a moment, a file beside it. Messages call it `shown`, as the user wrote it. Local.
 * Errors: those of io_file_make. */
status io_file_try(const char *path, const char *shown);

/* Writes the contents of a file; false, with errno, where that fails. */
typedef bool io_file_contents(FILE *file, const void *context);

/*
 * Makes the file `path` of what `write` puts into it: folders are made, the file is
 * written under a temporary name, then renamed. Local. Errors: STATUS_OUTPUT (also a full
 * disk that shows only when the file is closed), STATUS_MEMORY; nothing is left behind.
 */
status io_file_make(const char *path, io_file_contents *write, const void *context);

/* The same for `size` bytes. */
status io_file_write(const char *path, const void *data, size_t size);

/* The same by a temporary name of one's own, in a folder that is there: what a killed
 * program leaves behind, the next one writes over. The bytes are on the disk before the
 * file has its name. */
status io_file_write_by(const char *temporary, const char *path, const void *data,
                        size_t size);

#endif

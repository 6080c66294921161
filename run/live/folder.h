/* Reads files below a folder only, because the content of a run directory is not
 * trusted. */
#ifndef RUN_LIVE_FOLDER_H
#define RUN_LIVE_FOLDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * Opens the regular file `path`, relative to `folder`, for reading. Each part of the path
 * is opened on its own and must not be a symbolic link, "." or "..". So no file outside
 * the folder is reached, even if somebody replaces folders meanwhile. Pipes and devices
 * are refused. Returns a descriptor, with the result of fstat in *info, or -1.
 */
int live_folder_open(const char *folder, const char *path, struct stat *info);

/* Whether `path` is a folder below `folder`, reached by the same rules. */
bool live_folder_has_folder(const char *folder, const char *path);

/* Reads a file of at most `most` bytes as JSON: a new reference, or NULL if it is
 * missing, too large or not JSON. */
json_t *live_folder_json(const char *folder, const char *path, size_t most);

#endif

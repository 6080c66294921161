/* Files below a folder, and nothing else: what a run directory says is not trusted. */
#ifndef APP_LIVE_FOLDER_H
#define APP_LIVE_FOLDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * Opens the regular file `path`, relative to `folder`, for reading. Each part of the path
 * is opened on its own and must not be a symbolic link, "." or "..", so nothing outside
 * the folder is reached, even where somebody exchanges folders meanwhile; pipes and
 * devices are refused. Returns a descriptor and what fstat says of it, or -1.
 */
int live_folder_open(const char *folder, const char *path, struct stat *info);

/* Whether `path` is a folder below `folder` that is reached in the same way. */
bool live_folder_has_folder(const char *folder, const char *path);

/* Reads a file of at most `most` bytes as JSON. A new reference, or NULL: not there, too
 * large, no JSON. */
json_t *live_folder_json(const char *folder, const char *path, size_t most);

#endif

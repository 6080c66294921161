/* The new file without values: groups, headers of data sets and attributes. */
#ifndef APP_CONVERT_SKELETON_H
#define APP_CONVERT_SKELETON_H

#include "plan.h"

typedef struct convert_skeleton {
    int descriptor; /* of a nameless file with holes in the place of values; -1: none */
    int64_t size;   /* bytes of the whole file */
} convert_skeleton;

/*
 * Makes the skeleton by HDF5, and sets the offset of each array. HDF5 works in memory, or
 * in /tmp if there is no such file: if it met a full disk, it could not even close the
 * file. *out has the descriptor -1 before. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status convert_skeleton_make(convert_plan *plan, const char *path, convert_skeleton *out);

/* Refuses a file that is larger than the limit of this process, which would end it by a
 * signal. Local. Errors: STATUS_OUTPUT. */
status convert_skeleton_check_limit(const char *path, double size);

/* Writes the skeleton into a file of its size. Returns false, with errno set, on failure.
 * Local. */
bool convert_skeleton_copy(const convert_skeleton *skeleton, int descriptor);

void convert_skeleton_close(convert_skeleton *skeleton);

#endif

/* Output files: each appears complete under its name, or not at all. Local. */
#ifndef EXAMPLES_SOLVER_OUTPUT_H
#define EXAMPLES_SOLVER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Of a path. A longer one is cut, and is still longer than the system takes. */
enum { SOLVER_FILE_SIZE = 4096 + 64 };

/* Fails because of errno. */
bool solver_output_fail(const char *path);

/* Makes the missing folders of a path. */
bool solver_output_folders(const char *path);

/* Makes a new file in place of one that a killed program left; a link there is removed,
 * not followed. Returns a descriptor for writing, or -1 with errno. */
int solver_output_create(const char *part);

/* Renames a finished file to `path`; removes it if that fails. */
bool solver_output_commit(const char *part, const char *path);

/* Makes a file of `size` bytes. It is written as `part`, down to the disk, then
 * renamed. */
bool solver_output_write(const char *part, const char *path, const void *data,
                         size_t size);

#endif

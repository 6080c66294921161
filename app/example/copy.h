/* Files of examples. */
#ifndef APP_EXAMPLE_COPY_H
#define APP_EXAMPLE_COPY_H

#include "base/status.h"

#include <stdbool.h>

/* Reads a file with the paths of its copy: all files of a copied example lie in one
 * folder. malloc'ed. Errors: STATUS_INPUT, STATUS_MEMORY. */
status example_file_read(const char *folder, const char *name, char **out);

/* Checks that a file of that name may be written: it does not exist, or holds `text`.
 * Errors: STATUS_OUTPUT. */
status example_file_check(const char *folder, const char *name, const char *text);

/* Writes the file unless it exists; *is_new tells. Errors: STATUS_OUTPUT; then there is
 * no file. */
status example_file_write(const char *folder, const char *name, const char *text,
                          bool *is_new);

#endif

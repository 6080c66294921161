/* Files of examples. */
#ifndef APP_EXAMPLE_COPY_H
#define APP_EXAMPLE_COPY_H

#include "base/status.h"

#include <stdbool.h>

/* Reads a file as its copy will be: paths lead to where all files of an example lie in
 * one folder. malloc'ed. Errors: STATUS_INPUT, STATUS_MEMORY. */
status example_file_read(const char *folder, const char *name, char **out);

/* Whether a file of that name may be written: there is none, or it holds `text`. Errors:
 * STATUS_OUTPUT. */
status example_file_check(const char *folder, const char *name, const char *text);

/* Writes it where there is none. Errors: STATUS_OUTPUT; then there is no file. */
status example_file_write(const char *folder, const char *name, const char *text,
                          bool *is_new);

#endif

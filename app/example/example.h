/* Examples: configs of the program, to copy and change. All functions are local. */
#ifndef APP_EXAMPLE_EXAMPLE_H
#define APP_EXAMPLE_EXAMPLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

enum { EXAMPLE_MOST = 64 };

/* Lists the names of all examples, sorted; each is malloc'ed. Errors: STATUS_INPUT (no
 * examples are found). */
status example_names(int *count, char *names[EXAMPLE_MOST]);

/* Prints a line for each example: its name and title. Errors as above. */
status example_list(FILE *stream);

/* Writes how to get the data of a sample into `advice` of `size` bytes; false: the config
 * is none of the samples. */
bool example_advise(const char *config, size_t size, char *advice);

/*
 * Copies an example to a folder, which is made if it is missing, makes its data, and
 * prints the next steps. Nothing is overwritten: existing files must have the same
 * contents, and existing data is kept. Errors: STATUS_USAGE (no such example, with the
 * nearest one), STATUS_OUTPUT (another file of that name exists; a file cannot be
 * written; the data cannot be made).
 */
status example_put(const char *name, const char *folder, FILE *stream);

#endif

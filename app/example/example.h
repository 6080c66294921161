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

/* Whether karman-dataset makes the data of a config, by its first comment: then 'karman
 * example NAME' copies both. NAME goes into `name` of `size` bytes. */
bool example_makes_data(const char *config, size_t size, char *name);

/*
 * Copies an example to a folder, which is made if it is missing, makes its data, and
 * prints the next steps. Nothing is overwritten: existing files must have the same
 * contents, and existing data is kept. Errors: STATUS_USAGE (no such example, with the
 * nearest one), STATUS_OUTPUT (another file of that name exists; a file cannot be
 * written; the data cannot be made).
 */
status example_put(const char *name, const char *folder, FILE *stream);

#endif

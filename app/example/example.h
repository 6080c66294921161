/* Examples: configs that come with the program, to copy and to change. Everything here is
 * local. */
#ifndef APP_EXAMPLE_EXAMPLE_H
#define APP_EXAMPLE_EXAMPLE_H

#include "base/status.h"

#include <stdio.h>

enum { EXAMPLE_MOST = 64 };

/* The names of all examples, sorted; each is malloc'ed. Errors: STATUS_INPUT (there are
 * none to be found). */
status example_names(int *count, char *names[EXAMPLE_MOST]);

/* Prints a line for each: its name and title. Errors as above. */
status example_list(FILE *stream);

/*
 * Copies an example to a folder, which is made where it is missing, makes its data, and
 * prints what to do next. Nothing is overwritten: files that are there must hold the
 * same; data that is there is kept. Errors: STATUS_USAGE (no such example, with the
 * nearest one), STATUS_OUTPUT (another file of that name is there; it cannot be written;
 * the data cannot be made).
 */
status example_put(const char *name, const char *folder, FILE *stream);

#endif

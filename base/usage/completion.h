/* Completion of a program's command line in shells, from the tables of argp. */
#ifndef BASE_USAGE_COMPLETION_H
#define BASE_USAGE_COMPLETION_H

#include "base/status.h"
#include "usage.h"

#include <stdio.h>

/* Prints the completion script of a shell. words: ends with an entry whose name is NULL.
 * Local. Errors: STATUS_USAGE (unknown shell). */
status usage_completion_print(const usage_program *program, const usage_words *words,
                              const char *shell, FILE *stream);

#endif

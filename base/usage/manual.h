/* Man pages of a program, from the tables of argp. */
#ifndef BASE_USAGE_MANUAL_H
#define BASE_USAGE_MANUAL_H

#include "base/status.h"
#include "usage.h"

#include <stdio.h>

/* The folder of "--man FOLDER", or NULL. The build calls programs with this option; help
 * texts do not mention it. */
const char *usage_manual_folder(int argc, char **argv);

/* Writes NAME.1 and, for each command, NAME-COMMAND.1 into an existing folder. Local.
 * Errors: STATUS_OUTPUT. */
status usage_manual_write(const usage_program *program, const char *folder);

/* Open a page for writing, and close it. Errors: STATUS_OUTPUT. */
status usage_manual_open(const char *folder, const char *name, int section, FILE **out);
status usage_manual_close(const char *name, FILE **page);

#endif

/* Command lines: argp for all ranks. It does not print or exit by itself. */
#ifndef APP_ARGUMENTS_H
#define APP_ARGUMENTS_H

#include "base/status.h"

#include <argp.h>
#include <stdbool.h>

/* Whether --help, -? or --usage is among the arguments. If so and if `prints`, prints the
 * help. */
bool app_arguments_help(const struct argp *argp, bool prints, int argc, char **argv);

/*
 * Parses the arguments on this rank; argv[0] is the command's name for messages. The
 * parser of argp passes ARGP_KEY_ERROR on to app_arguments_reject. Every rank parses the
 * same arguments. Local. Errors: STATUS_USAGE.
 */
status app_arguments_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Records the option that argp rejected. */
error_t app_arguments_reject(const struct argp_state *state);

/* Records a surplus argument. The parser returns the result of this function. */
error_t app_arguments_surplus(const char *argument);

#endif

/* Command lines: argp for all ranks, without printing or exiting behind their back. */
#ifndef APP_ARGUMENTS_H
#define APP_ARGUMENTS_H

#include "base/status.h"

#include <argp.h>
#include <stdbool.h>

/* Whether --help, -? or --usage is among the arguments. It is printed then, if `prints`.
 */
bool app_arguments_help(const struct argp *argp, bool prints, int argc, char **argv);

/*
 * Parses the arguments on this rank; argv[0] is the command's name for messages. The
 * parser of argp hands ARGP_KEY_ERROR to app_arguments_reject. Every rank parses the
 * same. Local. Errors: STATUS_USAGE.
 */
status app_arguments_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Records which option argp stumbled over. */
error_t app_arguments_reject(const struct argp_state *state);

/* Records that there is an argument too many; the parser returns what this does. */
error_t app_arguments_surplus(const char *argument);

#endif

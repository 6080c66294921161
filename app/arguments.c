#include "arguments.h"

#include <errno.h>
#include <string.h>

bool app_arguments_help(const struct argp *argp, bool prints, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool help = strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0;
        bool usage = strcmp(argv[i], "--usage") == 0;
        if (help || usage) {
            if (prints) {
                argp_help(argp, stdout, usage ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP,
                          argv[0]);
            }
            return true;
        }
    }
    return false;
}

status app_arguments_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    error_t error = argp_parse(argp, argc, argv,
                               ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, input);
    if (!error) {
        return STATUS_OK;
    }
    return base_fail(STATUS_USAGE, "'%s' was called wrongly: see '%s --help'", argv[0],
                     argv[0]);
}

error_t app_arguments_reject(const struct argp_state *state)
{
    if (state->next > 0 && state->next <= state->argc) {
        base_fail(
            STATUS_USAGE,
            "'%s' does not know the option '%s', or it lacks its value: see '%s --help'",
            state->argv[0], state->argv[state->next - 1], state->argv[0]);
    }
    return 0;
}

error_t app_arguments_surplus(const char *argument)
{
    base_fail(STATUS_USAGE, "'%s' is one argument too many", argument);
    return EINVAL;
}

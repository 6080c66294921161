/* karman example [EXAMPLE [FOLDER]]: copies configs to begin with. */
#include "app/example/example.h"
#include "arguments.h"
#include "base/launched.h"
#include "cmd.h"

#include <stdlib.h>

typedef struct example_arguments {
    const char *name, *folder;
} example_arguments;

static error_t parse_argument(int key, char *argument, struct argp_state *state)
{
    example_arguments *arguments = state->input;
    if (key == ARGP_KEY_ERROR) {
        return app_arguments_reject(state);
    }
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    if (arguments->folder) {
        return app_arguments_surplus(argument);
    }
    if (arguments->name) {
        arguments->folder = argument;
    } else {
        arguments->name = argument;
    }
    return 0;
}

const struct argp cmd_example_argp = {
    .parser = parse_argument,
    .args_doc = "\nEXAMPLE [FOLDER]",
    .doc = "Lists the examples; with EXAMPLE, copies the config of one into this folder, "
           "or into FOLDER, makes its data, and prints the next commands. Existing files "
           "are not overwritten."
           "\vExit status: 0 done, 1 failed at run time, 2 wrong usage."};

status cmd_example(int argc, char **argv)
{
    example_arguments arguments = {NULL, NULL};
    status s = app_arguments_parse(&cmd_example_argp, argc, argv, &arguments);
    if (s != STATUS_OK) {
        return s;
    }
    if (!arguments.name) {
        return example_list(stdout);
    }
    if (base_launched_size() > 1) {
        return base_fail(STATUS_USAGE, "example starts karman-dataset itself: call it "
                                       "without mpiexec");
    }
    return example_put(arguments.name, arguments.folder ? arguments.folder : "", stdout);
}

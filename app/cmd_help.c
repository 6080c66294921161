/* karman help config [PATH]: describes the keys of a config. */
#include "arguments.h"
#include "cmd.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"

#include <string.h>

typedef struct help_arguments {
    const char *topic, *path;
} help_arguments;

static error_t parse_argument(int key, char *argument, struct argp_state *state)
{
    help_arguments *arguments = state->input;
    if (key == ARGP_KEY_ERROR) {
        return app_arguments_reject(state);
    }
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    if (arguments->path != NULL) {
        return app_arguments_surplus(argument);
    }
    if (arguments->topic == NULL) {
        arguments->topic = argument;
    } else {
        arguments->path = argument;
    }
    return 0;
}

const struct argp cmd_help_argp = {
    .parser = parse_argument,
    .args_doc = "config [PATH]",
    .doc =
        "Prints the keys of a config file, each with its meaning, type, range and "
        "default. With PATH, such as camera.fov or layers.volume, prints one key, or all "
        "keys of a section. docs/user/config.md has the details."};

status cmd_help(int argc, char **argv)
{
    help_arguments arguments = {NULL, NULL};
    status s = app_arguments_parse(&cmd_help_argp, argc, argv, &arguments);
    if (s != STATUS_OK) {
        return s;
    }
    if (arguments.topic == NULL || strcmp(arguments.topic, "config") != 0) {
        return base_fail(STATUS_USAGE,
                         "help needs a topic: 'karman help config'; 'karman COMMAND "
                         "--help' is about a command");
    }
    return io_keys_help(io_config_keys, arguments.path, stdout);
}

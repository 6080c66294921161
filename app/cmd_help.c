/* karman help config [PATH]: describes the keys of a config. */
#include "arguments.h"
#include "cmd.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"

#include <string.h>

typedef struct help_arguments {
    app_arguments common;
    const char *topic, *path;
} help_arguments;

static const app_option rows[] = {
    {.keep = APP_ARGUMENT, APP_AT(help_arguments, topic)},
    {.keep = APP_ARGUMENT, APP_AT(help_arguments, path)},
    {0},
};

const app_line cmd_help_line = {
    .options = rows,
    .arguments = "[COMMAND|config|PATH]",
    .doc = "Prints help on a command; or with 'config' the keys of a config file, each "
           "with its meaning, type, range and default. With PATH, such as camera, "
           "camera.fov or layers.volume, prints one key, or all keys of a section. "
           "docs/user/config.md has the details."};

status cmd_help(int argc, char **argv)
{
    help_arguments arguments = {0};
    status s = app_arguments_read(&cmd_help_line, argc, argv, &arguments.common);
    if (s != STATUS_OK) {
        return s;
    }
    const bool is_config = strcmp(arguments.topic, "config") == 0;
    if (!is_config && arguments.path) {
        return base_fail(STATUS_USAGE, "help takes one topic: 'karman help %.64s.%.64s'?",
                         arguments.topic, arguments.path);
    }
    return io_keys_help(io_config_keys, is_config ? arguments.path : arguments.topic,
                        stdout);
}

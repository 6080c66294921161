/* karman example [EXAMPLE [FOLDER]]: copies configs to begin with. */
#include "app/example/example.h"
#include "arguments.h"
#include "base/launched.h"
#include "cmd.h"

#include <stdlib.h>

typedef struct example_arguments {
    app_arguments common;
    const char *name, *folder;
} example_arguments;

static const app_option rows[] = {
    {.keep = APP_ARGUMENT, APP_AT(example_arguments, name)},
    {.keep = APP_ARGUMENT, APP_AT(example_arguments, folder)},
    {0},
};

const app_line cmd_example_line = {
    .options = rows,
    .arguments = "\nEXAMPLE [FOLDER]",
    .doc =
        "Lists the examples; with EXAMPLE, copies the config of one into this folder, or "
        "into FOLDER, makes its data, and prints the next commands. Existing files are "
        "not overwritten.\vExit status: 0 done, 1 failed at run time, 2 wrong usage."};

status cmd_example(int argc, char **argv)
{
    example_arguments arguments = {0};
    status s = app_arguments_read(&cmd_example_line, argc, argv, &arguments.common);
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

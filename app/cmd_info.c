/* karman info FILE: shows the contents of a data file. */
#include "app/info/info.h"
#include "arguments.h"
#include "cmd.h"

#include <string.h>

typedef struct info_arguments {
    app_info_request request;
    status result;
} info_arguments;

enum { OPTION_JSON = 'j', OPTION_RANGES = 'r' };

static const struct argp_option option_table[] = {
    {"json", OPTION_JSON, NULL, 0, "Print JSON, for programs", 0},
    {"ranges", OPTION_RANGES, "STEPS", 0,
     "Steps over which ranges of fields are taken: 'ends' (the first and the last; the "
     "default), 'all' (reads the whole file) or 'none'",
     0},
    {0},
};

static void set_ranges(info_arguments *arguments, const char *text)
{
    if (strcmp(text, "ends") == 0) {
        arguments->request.ranges = APP_INFO_ENDS;
    } else if (strcmp(text, "all") == 0) {
        arguments->request.ranges = APP_INFO_ALL;
    } else if (strcmp(text, "none") == 0) {
        arguments->request.ranges = APP_INFO_NONE;
    } else {
        arguments->result =
            base_fail(STATUS_USAGE, "--ranges %s: give 'ends', 'all' or 'none'", text);
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    info_arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->request.json = true;
        return 0;
    case OPTION_RANGES:
        set_ranges(arguments, text);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->request.file) {
            arguments->result =
                base_fail(STATUS_USAGE, "info takes one file, but '%s' follows '%s'",
                          text, arguments->request.file);
        }
        arguments->request.file = text;
        return 0;
    case ARGP_KEY_ERROR:
        return app_arguments_reject(state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_info_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc =
        "Shows the contents of a data file. For PLOT3D, CGNS and karman's own layout: "
        "format, blocks, bounds, "
        "memory, fields with their ranges, steps, and cells that are blanked, inverted "
        "or "
        "without volume. For any other layout: data sets with shape, type and "
        "attributes, "
        "candidates for coordinates and fields, what the file holds if it is read so, "
        "and a "
        "data section to paste into a config."
        "\vFILE may also be a config (.yaml), whose data section names the data sets of "
        "another layout.\n"
        "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

static status parse_arguments(int argc, char **argv, info_arguments *arguments)
{
    status s = app_arguments_parse(&cmd_info_argp, argc, argv, arguments);
    if (s != STATUS_OK || (s = arguments->result) != STATUS_OK) {
        return s;
    }
    if (!arguments->request.file) {
        return base_fail(STATUS_USAGE, "info needs a file: see '%s --help'", argv[0]);
    }
    return STATUS_OK;
}

status cmd_info(MPI_Comm comm, int argc, char **argv)
{
    info_arguments arguments = {.result = STATUS_OK};
    status s = parse_arguments(argc, argv, &arguments);
    return s == STATUS_OK ? app_info_print(comm, &arguments.request) : s;
}

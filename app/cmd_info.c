/* karman info FILE: shows the contents of a data file. */
#include "app/info/info.h"
#include "arguments.h"
#include "cmd.h"

#include <string.h>

typedef struct info_arguments {
    app_arguments common;
    app_info_request request;
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

static status set_ranges(void *into, const app_place *place, const char *text)
{
    static const char *const names[] = {
        [APP_INFO_ENDS] = "ends", [APP_INFO_ALL] = "all", [APP_INFO_NONE] = "none"};
    (void)place;
    for (int n = 0; n < (int)(sizeof names / sizeof names[0]); n++) {
        if (strcmp(text, names[n]) == 0) {
            ((info_arguments *)into)->request.ranges = (app_info_ranges)n;
            return STATUS_OK;
        }
    }
    return base_fail(STATUS_USAGE, "--ranges %s: give 'ends', 'all' or 'none'", text);
}

static const app_place places[] = {
    {OPTION_JSON, APP_KEEP_FLAG, .offset = offsetof(info_arguments, request.json)},
    {OPTION_RANGES, APP_KEEP_BY_CALL, .take = set_ranges},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, .offset = offsetof(info_arguments, request.file),
     .names = {"info takes one file", "info needs a file"}},
    {0},
};

const struct argp cmd_info_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
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

status cmd_info(MPI_Comm comm, int argc, char **argv)
{
    info_arguments arguments = {.common.places = places};
    const status s = app_arguments_read(&cmd_info_argp, argc, argv, &arguments.common);
    return s == STATUS_OK ? app_info_print(comm, &arguments.request) : s;
}

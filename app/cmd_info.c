/* karman info FILE: shows the contents of a data file. */
#include "app/info/info.h"
#include "app/info/statistics.h"
#include "arguments.h"
#include "cmd.h"
#include "numbers/numbers.h"

#include <string.h>

typedef struct info_arguments {
    numbers_arguments numbers; /* for statistics */
    app_info_request request;
    bool statistics;
} info_arguments;

enum { OPTION_RANGES = 'r', OPTION_STATISTICS = 256 };

static const struct argp_option option_table[] = {
    {"json", NUMBERS_JSON, NULL, 0, "Print JSON, for programs", 0},
    {"ranges", OPTION_RANGES, "STEPS", 0,
     "Steps over which ranges of fields are taken: 'ends' (the first and the last; the "
     "default), 'all' (reads the whole file) or 'none'",
     0},
    {"statistics", OPTION_STATISTICS, NULL, 0,
     "Print extremes, means, percentiles by volume and a histogram of each field instead",
     0},
    {NULL, 0, NULL, 0, "With --statistics:", 1},
    {"derive", NUMBERS_DERIVE, "NAME=EXPRESSION", 0,
     "Define a field: speed=mag(velocity); may be given again", 1},
    {"fields", NUMBERS_FIELDS, "NAMES", 0,
     "Of these fields, in the file or derived, or of expressions; with commas between "
     "them. Of all in the file otherwise",
     1},
    {"set", NUMBERS_SET, "KEY=VALUE", 0,
     "Use another value than the config's: data.gamma=1.3", 1},
    {"steps", NUMBERS_STEPS, "A:B[:C]", 0,
     "Over these steps, all together: from A to B, both included, in strides of C; a "
     "number, 'first', 'all', or numbers with commas between them. The last one "
     "otherwise",
     1},
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
    {OPTION_RANGES, APP_KEEP_BY_CALL, .take = set_ranges},
    {OPTION_STATISTICS, APP_KEEP_FLAG, .offset = offsetof(info_arguments, statistics)},
    {NUMBERS_DERIVE, APP_KEEP_BY_CALL, .take = numbers_derive},
    {NUMBERS_FIELDS, APP_KEEP_TEXT, NUMBERS_AT(fields)},
    {NUMBERS_JSON, APP_KEEP_FLAG, NUMBERS_AT(is_json)},
    {NUMBERS_SET, APP_KEEP_BY_CALL, .take = numbers_set},
    {NUMBERS_STEPS, APP_KEEP_TEXT, NUMBERS_AT(steps)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, NUMBERS_AT(file),
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

/* numbers_work */
static status find_statistics(MPI_Comm comm, void *arguments, io_config *config)
{
    const info_arguments *a = arguments;
    return app_info_statistics(comm, a->numbers.fields, a->numbers.is_json, config);
}

status cmd_info(MPI_Comm comm, int argc, char **argv)
{
    info_arguments a = {.numbers.common.places = places};
    status s = app_arguments_read(&cmd_info_argp, argc, argv, &a.numbers.common);
    const bool others = a.numbers.fields || a.numbers.steps || a.numbers.noverrides > 0;
    if (s == STATUS_OK && others && !a.statistics) {
        s = base_fail(STATUS_USAGE, "--derive, --fields, --set and --steps need "
                                    "--statistics");
    }
    if (s != STATUS_OK || a.statistics) {
        return numbers_run(comm, &a.numbers, s, find_statistics);
    }
    a.request.file = a.numbers.file;
    a.request.json = a.numbers.is_json;
    return app_info_print(comm, &a.request);
}

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

static const app_option rows[] = {
    {"json", 'j', NULL, "Print JSON, for programs", APP_FLAG, NUMBERS_AT(is_json)},
    {"ranges", 'r', "STEPS",
     "Steps over which ranges of fields are taken: 'ends' (the first and the last; the "
     "default), 'all' (reads the whole file) or 'none'",
     APP_CHOICE, APP_AT(info_arguments, request.ranges),
     .words = {"ends", "all", "none"}},
    {"statistics", 0, NULL,
     "Print extremes, means, percentiles by volume and a histogram of each field instead",
     APP_FLAG, APP_AT(info_arguments, statistics)},
    {.help = "Options that ask for statistics, too:"},
    NUMBERS_DERIVE,
    NUMBERS_FIELDS("Of these fields, in the file or derived, or of expressions; with "
                   "commas between them. Of all in the file otherwise"),
    NUMBERS_SET,
    NUMBERS_STEPS("Over these steps, all together: from A to B, both included, in "
                  "strides of C; a number, 'first', 'all', or numbers with commas "
                  "between them. The last one otherwise"),
    {.keep = APP_ARGUMENT,
     NUMBERS_AT(file),
     .words = {"info takes one file", "info needs a file"}},
    {0},
};

const app_line cmd_info_line = {
    .options = rows,
    .arguments = "FILE",
    .doc =
        "Shows the contents of a data file. For PLOT3D, CGNS and karman's own layout: "
        "format, blocks, bounds, memory, fields with their ranges, steps, and cells that "
        "are blanked, inverted or without volume. For any other layout: data sets with "
        "shape, type and attributes, candidates for coordinates and fields, what the "
        "file holds if it is read so, and a data section to paste into a config.\vFILE "
        "may also be a config (.yaml), whose data section names the data sets of another "
        "layout.\nExit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

/* numbers_work */
static status find_statistics(MPI_Comm comm, void *arguments, io_config *config)
{
    const info_arguments *a = arguments;
    return app_info_statistics(comm, a->numbers.fields, a->numbers.is_json, config);
}

status cmd_info(MPI_Comm comm, int argc, char **argv)
{
    info_arguments a = {0};
    status s = app_arguments_read(&cmd_info_line, argc, argv, &a.numbers.common);
    const bool others = a.numbers.fields || a.numbers.steps || a.numbers.noverrides > 0;
    if (s != STATUS_OK || a.statistics || others) {
        return numbers_run(comm, &a.numbers, s, find_statistics);
    }
    a.request.file = a.numbers.file;
    a.request.json = a.numbers.is_json;
    return app_info_print(comm, &a.request);
}

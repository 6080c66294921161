/* karman probe FILE and karman line FILE: numbers at points and along lines. */
#include "app/cmd.h"
#include "app/probe/sample.h"
#include "numbers.h"

enum { MOST_AT = 1000 };

typedef struct probe_arguments {
    numbers_arguments numbers;
    const char *at[MOST_AT];
    app_sample_request request;
} probe_arguments;

static status add_at(void *into, const app_option *option, const char *text)
{
    probe_arguments *a = into;
    (void)option;
    if (a->request.nat == MOST_AT) {
        return base_fail(STATUS_USAGE,
                         "--at %s: more than %d points go into a file: "
                         "--points FILE",
                         text, MOST_AT);
    }
    a->at[a->request.nat++] = text;
    return STATUS_OK;
}

#define AT(member) APP_AT(probe_arguments, member)
#define COMMON_OPTIONS                                                                   \
    NUMBERS_OPTIONS("Values of these fields, in the file or derived, or of "             \
                    "expressions; with commas between them. All of the file otherwise"), \
    {                                                                                    \
        "vertices", 'v', "BLOCK:I,J,K",                                                  \
            "At vertices of a block, by indices from 0, ranges a:b or ':'; -1 is the "   \
            "last: wing:0:80,5,3",                                                       \
            APP_TEXT, AT(request.vertices)                                               \
    }

static const app_option probe_options[] = {
    {"at", 'a', "X,Y,Z", "At this point; may be given again", APP_BY_CALL,
     .take = add_at},
    {"points", 'p', "FILE", "At the points of a text file, three numbers a line",
     APP_TEXT, AT(request.points)},
    COMMON_OPTIONS,
    NUMBERS_FILE("probe"),
    {0},
};

static const app_option line_options[] = {
    {"from", 0, "X,Y,Z", "The first point", APP_TEXT, AT(request.from)},
    {"to", 0, "X,Y,Z", "The last point", APP_TEXT, AT(request.to)},
    {"count", 'n', "N", "Points of the line; 200 otherwise", APP_WHOLE, AT(request.count),
     2, 10000000},
    {"stream", 0, "X,Y,Z",
     "Along the streamline through this point, up- and downstream, instead", APP_TEXT,
     AT(request.stream)},
    COMMON_OPTIONS,
    NUMBERS_FILE("line"),
    {0},
};

#define ROWS                                                                             \
    "\vA row has the place, the block, the indices in it (2.25 lies a quarter of the "   \
    "way from vertex 2 to vertex 3), and the values: trilinear within the cell, or of "  \
    "the cell if the field lives in cells. A point outside has none. Coordinates are "   \
    "those of the data.\n"                                                               \
    "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config."

const app_line cmd_probe_line = {
    .options = probe_options,
    .arguments = "CONFIG|FILE",
    .doc = "Prints the values of fields at points, as CSV, on all ranks of mpiexec." ROWS,
};

const app_line cmd_line_line = {
    .options = line_options,
    .arguments = "CONFIG|FILE",
    .doc = "Prints the values of fields along a line, between two points, along the "
           "vertices of a block or along a streamline, as CSV, on all ranks of "
           "mpiexec." ROWS,
};

/* numbers_work */
static status sample(MPI_Comm comm, void *arguments, io_config *config)
{
    probe_arguments *a = arguments;
    a->request.at = a->at;
    a->request.fields = a->numbers.fields;
    a->request.output = a->numbers.output;
    const status s =
        app_form_find(a->numbers.output, a->numbers.is_json, &a->request.form);
    return s == STATUS_OK ? app_sample(comm, &a->request, config) : s;
}

status cmd_probe(MPI_Comm comm, int argc, char **argv)
{
    probe_arguments a = {0};
    status s = app_arguments_read(&cmd_probe_line, argc, argv, &a.numbers.common);
    const int ways =
        (a.request.nat > 0) + (a.request.points != NULL) + (a.request.vertices != NULL);
    if (s == STATUS_OK && ways != 1) {
        s = base_fail(STATUS_USAGE, "probe needs points: --at X,Y,Z, --points FILE or "
                                    "--vertices BLOCK:I,J,K, and one kind of them");
    }
    return numbers_run(comm, &a.numbers, s, sample);
}

status cmd_line(MPI_Comm comm, int argc, char **argv)
{
    probe_arguments a = {.request.count = 200};
    status s = app_arguments_read(&cmd_line_line, argc, argv, &a.numbers.common);
    const bool has_ends = a.request.from && a.request.to;
    const bool has_any = a.request.from || a.request.to;
    const int ways = has_any + (a.request.vertices != NULL) + (a.request.stream != NULL);
    if (s == STATUS_OK && (ways != 1 || has_any != has_ends)) {
        s = base_fail(STATUS_USAGE, "line needs two points, --from X,Y,Z and --to X,Y,Z, "
                                    "or --vertices BLOCK:I,J,K, or --stream X,Y,Z");
    }
    return numbers_run(comm, &a.numbers, s, sample);
}

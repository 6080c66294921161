/* karman probe FILE and karman line FILE: numbers at points and along lines. */
#include "app/cmd.h"
#include "app/probe/sample.h"
#include "numbers.h"

enum {
    OPTION_AT = 'a',
    OPTION_COUNT = 'n',
    OPTION_POINTS = 'p',
    OPTION_VERTICES = 'v',
    OPTION_FROM = 256,
    OPTION_TO,
    OPTION_STREAM,
    MOST_AT = 1000
};

#define COMMON_OPTIONS                                                                   \
    NUMBERS_OPTIONS("Values of these fields, in the file or derived, or of "             \
                    "expressions; with commas between them. All of the file otherwise"), \
    {                                                                                    \
        "vertices", OPTION_VERTICES, "BLOCK:I,J,K", 0,                                   \
            "At vertices of a block, by indices from 0, ranges a:b or ':'; -1 is the "   \
            "last: wing:0:80,5,3",                                                       \
            0                                                                            \
    }

static const struct argp_option probe_options[] = {
    {"at", OPTION_AT, "X,Y,Z", 0, "At this point; may be given again", 0},
    {"points", OPTION_POINTS, "FILE", 0,
     "At the points of a text file, three numbers a line", 0},
    COMMON_OPTIONS,
    {0},
};

static const struct argp_option line_options[] = {
    {"from", OPTION_FROM, "X,Y,Z", 0, "The first point", 0},
    {"to", OPTION_TO, "X,Y,Z", 0, "The last point", 0},
    {"count", OPTION_COUNT, "N", 0, "Points of the line; 200 otherwise", 0},
    {"stream", OPTION_STREAM, "X,Y,Z", 0,
     "Along the streamline through this point, up- and downstream, instead", 0},
    COMMON_OPTIONS,
    {0},
};

typedef struct probe_arguments {
    numbers_arguments numbers;
    const char *at[MOST_AT];
    app_sample_request request;
} probe_arguments;

static status add_at(void *into, const app_place *place, const char *text)
{
    probe_arguments *a = into;
    (void)place;
    if (a->request.nat == MOST_AT) {
        return base_fail(STATUS_USAGE,
                         "--at %s: more than %d points go into a file: "
                         "--points FILE",
                         text, MOST_AT);
    }
    a->at[a->request.nat++] = text;
    return STATUS_OK;
}

#define AT(member) .offset = offsetof(probe_arguments, member)

static const app_place probe_places[] = {
    {OPTION_AT, APP_KEEP_BY_CALL, .take = add_at},
    {OPTION_POINTS, APP_KEEP_TEXT, AT(request.points)},
    {OPTION_VERTICES, APP_KEEP_TEXT, AT(request.vertices)},
    NUMBERS_PLACES("probe"),
    {0},
};

static const app_place line_places[] = {
    {OPTION_FROM, APP_KEEP_TEXT, AT(request.from)},
    {OPTION_TO, APP_KEEP_TEXT, AT(request.to)},
    {OPTION_STREAM, APP_KEEP_TEXT, AT(request.stream)},
    {OPTION_COUNT, APP_KEEP_INT, AT(request.count), 2, 10000000},
    {OPTION_VERTICES, APP_KEEP_TEXT, AT(request.vertices)},
    NUMBERS_PLACES("line"),
    {0},
};

#define ROWS                                                                             \
    "\vA row has the place, the block, the indices in it (2.25 lies a quarter of the "   \
    "way from vertex 2 to vertex 3), and the values: trilinear within the cell, or of "  \
    "the cell if the field lives in cells. A point outside has none. Coordinates are "   \
    "those of the data.\n"                                                               \
    "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config."

const struct argp cmd_probe_argp = {
    .options = probe_options,
    .parser = app_arguments_keep,
    .args_doc = "CONFIG|FILE",
    .doc = "Prints the values of fields at points, as CSV, on all ranks of mpiexec." ROWS,
};

const struct argp cmd_line_argp = {
    .options = line_options,
    .parser = app_arguments_keep,
    .args_doc = "CONFIG|FILE",
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
    probe_arguments a = {.numbers.common.places = probe_places};
    status s = app_arguments_read(&cmd_probe_argp, argc, argv, &a.numbers.common);
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
    probe_arguments a = {.numbers.common.places = line_places, .request.count = 200};
    status s = app_arguments_read(&cmd_line_argp, argc, argv, &a.numbers.common);
    const bool has_ends = a.request.from && a.request.to;
    const bool has_any = a.request.from || a.request.to;
    const int ways = has_any + (a.request.vertices != NULL) + (a.request.stream != NULL);
    if (s == STATUS_OK && (ways != 1 || has_any != has_ends)) {
        s = base_fail(STATUS_USAGE, "line needs two points, --from X,Y,Z and --to X,Y,Z, "
                                    "or --vertices BLOCK:I,J,K, or --stream X,Y,Z");
    }
    return numbers_run(comm, &a.numbers, s, sample);
}

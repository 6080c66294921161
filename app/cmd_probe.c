/* karman probe FILE and karman line FILE: numbers at points and along lines. */
#include "app/picture/case.h"
#include "app/probe/sample.h"
#include "arguments.h"
#include "cmd.h"
#include "frame/entry.h"

#include <stdlib.h>

enum {
    OPTION_AT = 'a',
    OPTION_FIELDS = 'F',
    OPTION_JSON = 'j',
    OPTION_COUNT = 'n',
    OPTION_OUTPUT = 'o',
    OPTION_POINTS = 'p',
    OPTION_SET = 's',
    OPTION_STEPS = 't',
    OPTION_VERTICES = 'v',
    OPTION_FROM = 256,
    OPTION_TO,
    MOST_AT = 1000,
    MOST_OVERRIDES = 100
};

#define COMMON_OPTIONS                                                                   \
    {"fields",                                                                           \
     OPTION_FIELDS,                                                                      \
     "NAMES",                                                                            \
     0,                                                                                  \
     "Values of these fields, in the file or derived; names with commas between them. "  \
     "All of the file otherwise",                                                        \
     0},                                                                                 \
        {"json", OPTION_JSON, NULL, 0, "Print JSON, not CSV", 0},                        \
        {"output",                                                                       \
         OPTION_OUTPUT,                                                                  \
         "FILE",                                                                         \
         0,                                                                              \
         "Write a file, .csv or .json, instead of standard output",                      \
         0},                                                                             \
        {"set",                                                                          \
         OPTION_SET,                                                                     \
         "KEY=VALUE",                                                                    \
         0,                                                                              \
         "Use another value than the config's: derive.speed=mag(velocity)",              \
         0},                                                                             \
        {"steps",                                                                        \
         OPTION_STEPS,                                                                   \
         "A:B[:C]",                                                                      \
         0,                                                                              \
         "At these steps: from A to B, both included, in strides of C; a number, "       \
         "'first', 'all', or numbers with commas between them. The last one otherwise",  \
         0},                                                                             \
    {                                                                                    \
        "vertices", OPTION_VERTICES, "BLOCK:I,J,K", 0,                                   \
            "At vertices of a block, by indices from 0, ranges a:b or ':': "             \
            "wing:0:80,5,3",                                                             \
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
    COMMON_OPTIONS,
    {0},
};

typedef struct probe_arguments {
    app_arguments common;
    const char *file, *steps;
    const char *at[MOST_AT];
    int noverrides;
    const char *overrides[MOST_OVERRIDES + 1]; /* one more for --steps */
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

static status add_override(void *into, const app_place *place, const char *text)
{
    probe_arguments *a = into;
    (void)place;
    return app_arguments_override(text, MOST_OVERRIDES, &a->noverrides, a->overrides);
}

#define AT(member) .offset = offsetof(probe_arguments, member)
#define COMMON_PLACES(name)                                                              \
    {OPTION_FIELDS, APP_KEEP_TEXT, AT(request.fields)},                                  \
        {OPTION_JSON, APP_KEEP_FLAG, AT(request.is_json)},                               \
        {OPTION_OUTPUT, APP_KEEP_TEXT, AT(request.output)},                              \
        {OPTION_SET, APP_KEEP_BY_CALL, .take = add_override},                            \
        {OPTION_STEPS, APP_KEEP_TEXT, AT(steps)},                                        \
        {OPTION_VERTICES, APP_KEEP_TEXT, AT(request.vertices)},                          \
    {                                                                                    \
        ARGP_KEY_ARG, APP_KEEP_ARGUMENT, AT(file), .names = {                            \
            name " takes one config or data file",                                       \
            name " needs a config or a data file"                                        \
        }                                                                                \
    }

static const app_place probe_places[] = {
    {OPTION_AT, APP_KEEP_BY_CALL, .take = add_at},
    {OPTION_POINTS, APP_KEEP_TEXT, AT(request.points)},
    COMMON_PLACES("probe"),
    {0},
};

static const app_place line_places[] = {
    {OPTION_FROM, APP_KEEP_TEXT, AT(request.from)},
    {OPTION_TO, APP_KEEP_TEXT, AT(request.to)},
    {OPTION_COUNT, APP_KEEP_INT, AT(request.count), 2, 10000000},
    COMMON_PLACES("line"),
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
    .doc = "Prints the values of fields along a line, between two points or along the "
           "vertices of a block, as CSV, on all ranks of mpiexec." ROWS,
};

/* Loads the config, and finds the values. Collective. */
static status sample(MPI_Comm comm, probe_arguments *a)
{
    char *steps = NULL;
    io_config *config = NULL;
    const char *text = a->steps ? a->steps : "last";
    status s = STATUS_OK;
    if (a->steps || app_case_is_data(comm, a->file)) {
        s = app_case_steps(text, &steps);
        a->overrides[a->noverrides] = steps;
        a->noverrides += s == STATUS_OK;
    }
    s = s == STATUS_OK
            ? app_case_load(comm, a->file, a->noverrides, a->overrides, &config)
            : s;
    s = s == STATUS_OK ? app_sample(comm, &a->request, config) : s;
    if (s != STATUS_OK && a->steps) {
        app_case_name_steps(a->steps, steps);
    }
    io_config_destroy(&config);
    free(steps);
    return s;
}

static status run(MPI_Comm comm, probe_arguments *a)
{
    frame_entry entry;
    a->request.at = a->at;
    frame_entry_begin(&entry);
    const status s = sample(comm, a);
    frame_entry_end(&entry);
    return s;
}

status cmd_probe(MPI_Comm comm, int argc, char **argv)
{
    probe_arguments a = {.common.places = probe_places};
    status s = app_arguments_read(&cmd_probe_argp, argc, argv, &a.common);
    const int ways =
        (a.request.nat > 0) + (a.request.points != NULL) + (a.request.vertices != NULL);
    if (s == STATUS_OK && ways != 1) {
        s = base_fail(STATUS_USAGE, "probe needs points: --at X,Y,Z, --points FILE or "
                                    "--vertices BLOCK:I,J,K, and one kind of them");
    }
    return s == STATUS_OK ? run(comm, &a) : s;
}

status cmd_line(MPI_Comm comm, int argc, char **argv)
{
    probe_arguments a = {.common.places = line_places, .request.count = 200};
    status s = app_arguments_read(&cmd_line_argp, argc, argv, &a.common);
    const bool has_ends = a.request.from && a.request.to;
    const bool has_any = a.request.from || a.request.to;
    if (s == STATUS_OK &&
        (has_any ? !has_ends || a.request.vertices != NULL : !a.request.vertices)) {
        s = base_fail(STATUS_USAGE, "line needs two points, --from X,Y,Z and --to X,Y,Z, "
                                    "or --vertices BLOCK:I,J,K");
    }
    return s == STATUS_OK ? run(comm, &a) : s;
}

/* karman compare CONFIG: finds the best partition, number of ranks and algorithm. */
#include "app/compare/launch.h"
#include "app/compare/projection.h"
#include "app/compare/report/collect.h"
#include "app/compare/report/report.h"
#include "app/compare/run.h"
#include "app/compare/setup.h"
#include "arguments.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_RANKS = 'n',
    OPTION_PARTITIONS = 'p',
    OPTION_ALGORITHMS = 'a',
    OPTION_REPEAT = 'r',
    OPTION_THREADS = 't',
    OPTION_OUT = 'o',
    OPTION_LAUNCHER = 'l',
    OPTION_SET = 's',
    OPTION_QUIET = 'q',
    OPTION_PROJECTIONS = 'v',
    OPTION_CORES = 'c',
    OPTION_WARM_CACHES = 'w',
    MOST_REPEATS = 1000,
    MOST_THREADS = 4096
};

static const struct argp_option option_table[] = {
    {"ranks", OPTION_RANKS, "LIST", 0, "Numbers of ranks (default: 1,2,4,8)", 0},
    {"partitions", OPTION_PARTITIONS, "LIST", 0,
     "Partitions: object, object-cells, object-cost, screen, screen-area, screen-cost "
     "(default: object,screen). A partition that cannot run is reported and left out",
     0},
    {"algorithms", OPTION_ALGORITHMS, "LIST", 0,
     "Compositing algorithms, 'auto' or 'all' (default: direct-send,radix-k,tod-tree); "
     "'karman schedule --list' names them",
     0},
    {"projections", OPTION_PROJECTIONS, "LIST", 0,
     "Size of the grid in the picture: as-is, small, large (default: as-is, with the "
     "config's own camera)",
     0},
    {"repeat", OPTION_REPEAT, "N", 0, "Runs of each case (default: 1)", 0},
    {"threads", OPTION_THREADS, "N", 0, "Threads of each rank (default: 1)", 0},
    {"cores", OPTION_CORES, "LIST", 0,
     "Cores that all ranks of all runs are bound to, like 0 or 0,2 or 4-7 (default: not "
     "bound)",
     0},
    {"warm-caches", OPTION_WARM_CACHES, NULL, 0,
     "Draw each picture twice and measure the second time, as if each rank had the "
     "caches of a core to itself",
     0},
    {"out", OPTION_OUT, "FOLDER", 0,
     "Folder of report.html and all other files (default: comparison)", 0},
    {"launcher", OPTION_LAUNCHER, "COMMAND", 0,
     "Launcher of MPI programs; '-n RANKS karman render …' is added (default: "
     "$KARMAN_LAUNCHER, else the mpiexec that karman was built with)",
     0},
    {"set", OPTION_SET, "KEY=VALUE", 0,
     "Override a key of the config, as for render. May be given many times.", 0},
    {"quiet", OPTION_QUIET, NULL, 0, "Show no progress", 0},
    {0},
};

typedef struct compare_arguments {
    compare_request request;
    const char *launcher;
    bool quiet;
    status result;
} compare_arguments;

/* ---- Arguments --------------------------------------------------------------------- */

static void set_number(compare_arguments *arguments, const char *option, const char *text,
                       int most, int *number)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > most) {
        arguments->result = base_fail(
            STATUS_USAGE, "%s %s: give a whole number from 1 to %d", option, text, most);
        return;
    }
    *number = (int)value;
}

static void add_override(compare_arguments *arguments, const char *text)
{
    if (!strchr(text, '=')) {
        arguments->result = base_fail(
            STATUS_USAGE, "--set %s: give KEY=VALUE, like image.width=512", text);
    } else if (arguments->request.noverrides == COMPARE_MOST_OVERRIDES) {
        arguments->result = base_fail(STATUS_USAGE, "--set is given more than %d times",
                                      (int)COMPARE_MOST_OVERRIDES);
    } else {
        arguments->request.overrides[arguments->request.noverrides++] = text;
    }
}

static void set_config(compare_arguments *arguments, const char *text)
{
    if (arguments->request.config) {
        arguments->result = base_fail(
            STATUS_USAGE, "compare takes one config file, but '%s' follows '%s'", text,
            arguments->request.config);
    }
    arguments->request.config = text;
}

/* The place that stores an option's text unchanged; NULL: the text must be parsed. */
static const char **text_of(compare_arguments *arguments, int key)
{
    compare_request *request = &arguments->request;
    switch (key) {
    case OPTION_RANKS:
        return &request->ranks;
    case OPTION_PARTITIONS:
        return &request->partitions;
    case OPTION_ALGORITHMS:
        return &request->algorithms;
    case OPTION_PROJECTIONS:
        return &request->projections;
    case OPTION_CORES:
        return &request->cores;
    case OPTION_OUT:
        return &request->out;
    case OPTION_LAUNCHER:
        return &arguments->launcher;
    default:
        return NULL;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    compare_arguments *arguments = state->input;
    const char **place = text_of(arguments, key);
    if (place) {
        *place = text;
        return 0;
    }
    switch (key) {
    case OPTION_REPEAT:
        set_number(arguments, "--repeat", text, MOST_REPEATS, &arguments->request.repeat);
        return 0;
    case OPTION_THREADS:
        set_number(arguments, "--threads", text, MOST_THREADS,
                   &arguments->request.threads);
        return 0;
    case OPTION_SET:
        add_override(arguments, text);
        return 0;
    case OPTION_WARM_CACHES:
        arguments->request.warms_caches = true;
        return 0;
    case OPTION_QUIET:
        arguments->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        set_config(arguments, text);
        return 0;
    case ARGP_KEY_ERROR:
        return app_arguments_reject(state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_compare_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "CONFIG",
    .doc = "Runs a config over partitions, numbers of ranks and compositing algorithms, "
           "recommends one with the lines to paste, and writes a report. It starts the "
           "runs itself: call it without mpiexec."
           "\vThe folder then has report.html, which is complete in itself, report.csv, "
           "report.json, traces for Perfetto, the pictures, and a file for each finished "
           "run. After an interruption, call it again: it continues with the other runs. "
           "docs/user/compare.md explains the figures.\n"
           "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

/* ---- The comparison ---------------------------------------------------------------- */

/*
 * Prints a paragraph with line breaks between words; terminals break lines within words.
 */
static void print_paragraph(const char *text)
{
    enum { WIDTH = 90 };
    for (int column = 0; *text;) {
        const int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%.*s", column > 0 ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* Prints lines to paste, indented. */
static void print_lines(const char *text)
{
    for (; *text; text += *text == '\n') {
        const int length = (int)strcspn(text, "\n");
        printf("    %.*s\n", length, text);
        text += length;
    }
}

static void show_advice(const compare_advice *advice)
{
    putchar('\n');
    print_paragraph(advice->sentence);
    if (advice->best >= 0) {
        putchar('\n');
        if (advice->yaml[0] != '\0') {
            print_lines(advice->yaml);
            putchar('\n');
        }
        print_lines(advice->command);
        putchar('\n');
        print_paragraph(advice->reason);
    }
    fflush(stdout); /* warnings follow it */
    for (int n = 0; n < advice->nwarnings; n++) {
        base_log_warning("%s", advice->warnings[n]);
    }
}

static status report(const compare_plan *plan, const compare_cases *cases, bool quiet)
{
    compare_table table;
    status s = compare_collect(plan, cases->count, cases->items, cases->reasons, &table);
    if (s != STATUS_OK) {
        return s;
    }
    compare_advice advice = compare_table_advise(&table);
    s = compare_report_write(&table, &advice);
    compare_table_clear(&table);
    if (s == STATUS_OK && !quiet) {
        show_advice(&advice);
        printf("\n%s/report.html\n", plan->folder);
    }
    return s;
}

static status run_cases(const compare_plan *plan, const compare_launcher *launcher,
                        const compare_cases *cases, bool quiet)
{
    int failed;
    status s = compare_run_probes(plan, launcher, cases);
    s = s == STATUS_OK ? compare_run_all(plan, launcher, cases, quiet, &failed) : s;
    s = s == STATUS_OK ? report(plan, cases, quiet) : s;
    return s == STATUS_OK && failed > 0
               ? base_fail(STATUS_INPUT, "%d of %d cases failed: see %s/report.html",
                           failed, cases->count, plan->folder)
               : s;
}

/* Prints the found projections before the long runs. */
static void show_projections(const compare_plan *plan, bool quiet)
{
    for (int n = 0; !quiet && compare_plan_projects(plan) && n < plan->nprojections;
         n++) {
        const compare_projection *found = &plan->projections[n];
        printf("projection %s: %.4g times as high, %.0f %% of the pixels are covered%s\n",
               found->name, found->factor, 100.0 * found->coverage,
               found->is_reached ? "" : ", the nearest that was found");
    }
}

static status compare(const compare_plan *plan, const compare_launcher *launcher,
                      bool quiet)
{
    int count = 0;
    compare_case *cases = NULL;
    status s = compare_plan_cases(plan, &count, &cases);
    if (s != STATUS_OK) {
        return s;
    }
    char **reasons = calloc((size_t)count + 1, sizeof *reasons);
    const compare_cases all = {count, cases, reasons};
    s = reasons ? run_cases(plan, launcher, &all, quiet)
                : base_fail_memory((size_t)count * sizeof *reasons, "reasons");
    for (int n = 0; reasons && n < count; n++) {
        free(reasons[n]);
    }
    free(reasons);
    free(cases);
    return s;
}

static status run(compare_arguments *arguments)
{
    compare_launcher launcher;
    compare_plan plan = {.machine = compare_machine_look()};
    if (!arguments->request.config) {
        return base_fail(STATUS_USAGE, "compare needs a config file: see 'karman compare "
                                       "--help'");
    }
    status s = compare_launcher_create(arguments->launcher, &launcher);
    s = s == STATUS_OK ? compare_setup(&arguments->request, &launcher, &plan) : s;
    s = s == STATUS_OK ? compare_projection_find(&plan, &launcher) : s;
    if (s == STATUS_OK) {
        show_projections(&plan, arguments->quiet);
        s = compare(&plan, &launcher, arguments->quiet);
    }
    compare_plan_clear(&plan);
    return s;
}

status cmd_compare(MPI_Comm comm, int argc, char **argv)
{
    compare_arguments arguments = {
        .request = {.ranks = "1,2,4,8",
                    .partitions = "object,screen",
                    .algorithms = "direct-send,radix-k,tod-tree",
                    .projections = "as-is",
                    .out = "comparison",
                    .repeat = 1,
                    .threads = 1},
        .launcher = getenv("KARMAN_LAUNCHER")};
    status s = app_arguments_parse(&cmd_compare_argp, argc, argv, &arguments);
    if (s != STATUS_OK || (s = arguments.result) != STATUS_OK) {
        return s;
    }
    if (parallel_size(comm) > 1) {
        return base_fail(STATUS_USAGE,
                         "compare starts the runs itself: call it without mpiexec");
    }
    return run(&arguments);
}

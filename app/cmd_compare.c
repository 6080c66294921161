/* karman compare CONFIG: finds the best partition, number of ranks and algorithm. */
#include "arguments.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "messages/compare/launch.h"
#include "messages/compare/projection.h"
#include "messages/compare/report/collect.h"
#include "messages/compare/report/report.h"
#include "messages/compare/run.h"
#include "messages/compare/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 1000 };

typedef struct compare_arguments {
    app_arguments common;
    compare_request request;
    const char *launcher;
    bool quiet;
} compare_arguments;

/* ---- Arguments --------------------------------------------------------------------- */

static status add_override(void *into, const app_option *option, const char *text)
{
    compare_request *request = into;
    (void)option;
    return app_arguments_override(text, COMPARE_MOST_OVERRIDES, &request->noverrides,
                                  request->overrides);
}

#define AT(member) APP_AT(compare_arguments, member)

static const app_option rows[] = {
    {"ranks", 'n', "LIST", "Numbers of ranks (default: 1,2,4,8)", APP_TEXT,
     AT(request.ranks)},
    {"partitions", 'p', "LIST",
     "Partitions: object, object-cells, object-cost, screen, screen-area, screen-cost "
     "(default: object,screen). A partition that cannot run is reported and left out",
     APP_TEXT, AT(request.partitions)},
    {"algorithms", 'a', "LIST",
     "Compositing algorithms, 'auto' or 'all' (default: direct-send,radix-k,tod-tree); "
     "'karman schedule --list' names them",
     APP_TEXT, AT(request.algorithms)},
    {"projections", 'v', "LIST",
     "Size of the grid in the picture: as-is, small, large (default: as-is, with the "
     "config's own camera)",
     APP_TEXT, AT(request.projections)},
    {"repeat", 'r', "N", "Runs of each case (default: 1)", APP_WHOLE, AT(request.repeat),
     1, MOST_REPEATS},
    {"threads", 't', "N", "Threads of each rank (default: 1)", APP_WHOLE,
     AT(request.threads), 1, APP_MOST_THREADS},
    {"cores", 'c', "LIST",
     "Cores that all ranks of all runs are bound to, like 0 or 0,2 or 4-7 (default: not "
     "bound)",
     APP_TEXT, AT(request.cores)},
    {"warm-caches", 'w', NULL,
     "Draw each picture twice and measure the second time, as if each rank had the "
     "caches of a core to itself",
     APP_FLAG, AT(request.warms_caches)},
    {"out", 'o', "FOLDER",
     "Folder of report.html and all other files (default: comparison)", APP_TEXT,
     AT(request.out)},
    {"launcher", 'l', "COMMAND",
     "Launcher of MPI programs; '-n RANKS karman render …' is added (default: "
     "$KARMAN_LAUNCHER, else the mpiexec that karman was built with)",
     APP_TEXT, AT(launcher)},
    {"set", 's', "KEY=VALUE",
     "Override a key of the config, as for render. May be given many times.", APP_BY_CALL,
     AT(request), .take = add_override},
    {"quiet", 'q', NULL, "Show no progress", APP_FLAG, AT(quiet)},
    {.keep = APP_ARGUMENT,
     AT(request.config),
     .words = {"compare takes one config file", "compare needs a config file"}},
    {0},
};

const app_line cmd_compare_line = {
    .options = rows,
    .arguments = "CONFIG",
    .doc =
        "Runs a config over partitions, numbers of ranks and compositing algorithms, "
        "recommends one with the lines to paste, and writes a report. It starts the runs "
        "itself: call it without mpiexec.\vThe folder then has report.html, which is "
        "complete in itself, report.csv, report.json, traces for Perfetto, the pictures, "
        "and a file for each finished run. After an interruption, call it again: it "
        "continues with the other runs. docs/user/compare.md explains the figures.\nExit "
        "status: 0 done, 1 failed at run time, 2 wrong usage or config.",
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
    status s = compare_launcher_create(arguments->launcher, &launcher);
    s = s == STATUS_OK ? compare_setup(&arguments->request, &launcher, &plan) : s;
    plan.launcher = launcher.shown;
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
    const status s = app_arguments_read(&cmd_compare_line, argc, argv, &arguments.common);
    if (s != STATUS_OK) {
        return s;
    }
    if (parallel_size(comm) > 1) {
        return base_fail(STATUS_USAGE,
                         "compare starts the runs itself: call it without mpiexec");
    }
    return run(&arguments);
}

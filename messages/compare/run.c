#include "run.h"

#include "base/launched.h"
#include "base/system.h"
#include "frame/progress.h"
#include "partition.h"
#include "result.h"
#include "single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Probes ------------------------------------------------------------------------ */

/* Makes a tiny run, unless the case has a result. */
static status probe(const compare_plan *plan, const compare_launcher *launcher,
                    const compare_case *which)
{
    json_t *known = compare_result_load(plan, which, 1);
    if (known) {
        json_decref(known);
        return STATUS_OK;
    }
    return compare_single_probe(plan, launcher, which, COMPARE_PROBE, COMPARE_PROBE,
                                NULL);
}

/* Gives the reason to all cases of a partition. */
static status give_reason(const char *partition, const char *reason,
                          const compare_cases *cases)
{
    for (int n = 0; n < cases->count; n++) {
        if (strcmp(cases->items[n].partition, partition) == 0) {
            free(cases->reasons[n]);
            cases->reasons[n] = strdup(reason);
            if (!cases->reasons[n]) {
                return base_fail_memory(strlen(reason), "a message");
            }
        }
    }
    return STATUS_OK;
}

/* Whether a failure is independent of the case. */
static bool is_general(status s)
{
    return s != STATUS_OK && s != STATUS_INPUT;
}

/* Probes each partition on the fewest ranks. *first: the first partition that runs. */
static status probe_partitions(const compare_plan *plan, const compare_launcher *launcher,
                               const compare_cases *cases, const char **first)
{
    const compare_names *partitions = &plan->partitions;
    *first = NULL;
    for (int p = 0; p < partitions->count; p++) {
        const compare_case which = {partitions->at[p], plan->algorithms.at[0],
                                    plan->ranks[0], 0};
        status s = probe(plan, launcher, &which);
        if (is_general(s)) {
            return s;
        }
        if (s == STATUS_OK) {
            *first = *first ? *first : partitions->at[p];
            continue;
        }
        s = give_reason(partitions->at[p], base_fail_message(), cases);
        if (s != STATUS_OK) {
            return s;
        }
        if (p + 1 < partitions->count || *first) {
            base_fail_set_message("");
        }
    }
    return *first ? STATUS_OK : STATUS_USAGE; /* base_fail holds the last message */
}

/* `what` is the option with the value of the probe. */
static status fail_probe(status s, const char *what)
{
    if (is_general(s) || s == STATUS_OK) {
        return s;
    }
    char reason[1024];
    snprintf(reason, sizeof reason, "%s", base_fail_message());
    base_fail_set_message("");
    return base_fail(STATUS_USAGE, "%s: a tiny run fails: %s", what, reason);
}

static status probe_ranks(const compare_plan *plan, const compare_launcher *launcher,
                          const char *partition)
{
    status s = STATUS_OK;
    for (int r = plan->nranks - 1; r > 0 && s == STATUS_OK; r--) {
        char what[64];
        snprintf(what, sizeof what, "--ranks: %d", plan->ranks[r]);
        const compare_case which = {partition, plan->algorithms.at[0], plan->ranks[r], 0};
        s = fail_probe(probe(plan, launcher, &which), what);
    }
    return s;
}

static status probe_algorithms(const compare_plan *plan, const compare_launcher *launcher,
                               const char *partition)
{
    status s = STATUS_OK;
    int ranks = plan->ranks[plan->nranks - 1];
    for (int a = 1; a < plan->algorithms.count && ranks > 1 && s == STATUS_OK; a++) {
        char what[128];
        snprintf(what, sizeof what, "--algorithms: %.40s on %d ranks",
                 plan->algorithms.at[a], ranks);
        const compare_case which = {partition, plan->algorithms.at[a], ranks, 0};
        s = fail_probe(probe(plan, launcher, &which), what);
    }
    return s;
}

status compare_run_probes(const compare_plan *plan, const compare_launcher *launcher,
                          const compare_cases *cases)
{
    const char *first;
    status s = probe_partitions(plan, launcher, cases, &first);
    s = s == STATUS_OK ? probe_ranks(plan, launcher, first) : s;
    return s == STATUS_OK ? probe_algorithms(plan, launcher, first) : s;
}

/* ---- All runs ---------------------------------------------------------------------- */

/* The progress shown to the user. */
typedef struct run_progress {
    bool quiet, is_terminal;
    int runs, done; /* all runs, and those that are finished */
    int made;       /* finished by this process; the time left is estimated from them */
    double begin;
} run_progress;

/* Prints "5 s left", if it is known. */
static void print_left(const run_progress *progress)
{
    char text[APP_PROGRESS_DURATION];
    double elapsed = base_clock() - progress->begin;
    if (progress->made > 0) {
        frame_progress_duration(
            elapsed / progress->made * (progress->runs - progress->done), text);
        printf(", %s left", text);
    }
}

/* "sort-last (object), radix-k, 2 ranks", with the projection if there are several. */
static void print_case(const compare_plan *plan, const compare_case *which)
{
    bool projects = compare_plan_projects(plan);
    printf("%s, %s, %d rank%s%s%s", compare_partition_words(which->partition),
           which->algorithm, which->ranks, which->ranks == 1 ? "" : "s",
           projects ? ", " : "",
           projects ? plan->projections[which->projection].name : "");
}

static void show(const run_progress *progress, const compare_plan *plan,
                 const compare_case *which, const char *outcome)
{
    if (progress->quiet) {
        return;
    }
    if (progress->is_terminal) {
        frame_progress_draw(stdout, progress->done, progress->runs);
        printf(" runs");
        print_left(progress);
        printf(", now ");
        print_case(plan, which);
        printf("    ");
    } else {
        printf("run %d/%d: ", progress->done, progress->runs);
        print_case(plan, which);
        printf(": %s", outcome);
        print_left(progress);
        putchar('\n');
    }
    fflush(stdout);
}

static int count_runs(const compare_plan *plan, const compare_cases *cases)
{
    int runs = 0;
    for (int n = 0; n < cases->count; n++) {
        runs += cases->reasons[n] ? 0 : plan->repeat;
    }
    return runs;
}

static bool is_finished(const compare_plan *plan, const compare_case *which, int repeat)
{
    json_t *result = compare_result_load(plan, which, repeat);
    bool finished = result != NULL;
    json_decref(result);
    return finished;
}

/* Leaves a case that fails out from now on. */
static status note_failure(run_progress *progress, const compare_plan *plan, int repeat,
                           char **reason)
{
    *reason = strdup(base_fail_message());
    base_fail_set_message("");
    progress->runs -= plan->repeat - repeat; /* the remaining repeats of the case */
    return *reason ? STATUS_OK : base_fail_memory(64, "a message");
}

/* Makes one run of a case, unless it has a result. */
static status run_once(const compare_plan *plan, const compare_launcher *launcher,
                       run_progress *progress, const compare_case *which, int repeat,
                       char **reason)
{
    if (is_finished(plan, which, repeat)) {
        progress->done++;
        show(progress, plan, which, "is there already");
        return STATUS_OK;
    }
    if (progress->is_terminal) {
        show(progress, plan, which, "");
    }
    status s = compare_single_run(plan, launcher, which, repeat);
    progress->done++;
    progress->made++;
    if (s == STATUS_INPUT) {
        show(progress, plan, which, base_fail_message());
        return note_failure(progress, plan, repeat, reason);
    }
    if (s == STATUS_OK) {
        show(progress, plan, which, "done");
    }
    return s;
}

status compare_run_all(const compare_plan *plan, const compare_launcher *launcher,
                       const compare_cases *cases, bool quiet, int *failed)
{
    run_progress progress = {.quiet = quiet,
                             .is_terminal = !quiet && base_launched_at_terminal(),
                             .runs = count_runs(plan, cases),
                             .begin = base_clock()};
    status s = STATUS_OK;
    *failed = 0;
    /* All cases run once before any runs twice: an interrupted comparison has results for
     * each. */
    for (int repeat = 1; repeat <= plan->repeat && s == STATUS_OK; repeat++) {
        for (int n = 0; n < cases->count && s == STATUS_OK; n++) {
            char **reason = &cases->reasons[n];
            if (!*reason) {
                s = run_once(plan, launcher, &progress, &cases->items[n], repeat, reason);
                *failed += *reason != NULL;
            }
        }
    }
    if (progress.is_terminal) {
        putchar('\n');
    }
    return s;
}

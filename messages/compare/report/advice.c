/* The advice in words: the recommended case, its certainty, its reasons. */
#include "choice.h"
#include "messages/compare/partition.h"
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that grows in a buffer, and is cut at its end. */
typedef struct growing_text {
    char *at;
    size_t left;
} growing_text;

static void __attribute__((format(printf, 2, 3)))
append(growing_text *text, const char *format, ...);

static void append(growing_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t used = length < 0 ? 0 : (size_t)length;
    used = used < text->left ? used : text->left - 1;
    text->at += used;
    text->left -= used;
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static const char *kind_of(bool is_modelled)
{
    return is_modelled ? "modelled" : "measured";
}

static double speedup_of(const compare_table *table, const compare_row *row)
{
    return table->is_modelled ? row->figures.model_speedup : row->figures.wall_speedup;
}

static double efficiency_of(const compare_table *table, const compare_row *row)
{
    return table->is_modelled ? row->figures.model_efficiency
                              : row->figures.wall_efficiency;
}

/* "sort-last (object) with radix-k on 4 ranks" */
static void say_case(const compare_case *which, growing_text *text)
{
    if (which->ranks > 1) {
        append(text, "%s%s%s on ", compare_partition_words(which->partition),
               compare_plan_composites(which->partition, which->ranks) ? " with " : "",
               compare_plan_composites(which->partition, which->ranks) ? which->algorithm
                                                                       : "");
    }
    append(text, "%d rank%s", which->ranks, plural(which->ranks));
}

/* ---- The recommendation ------------------------------------------------------------ */

static void say_sentence(const compare_table *table, const compare_row *best,
                         compare_advice *advice)
{
    growing_text text = {advice->sentence, sizeof advice->sentence};
    const int base = table->plan->ranks[0], threads = table->plan->threads;
    append(&text, "Use ");
    say_case(&best->which, &text);
    append(&text, " x %d thread%s: %.3g s a frame (%s)", threads, plural(threads),
           compare_table_seconds(table, best), kind_of(table->is_modelled));
    if (best->which.ranks > base) {
        append(&text,
               ", %.2f times as fast as %d rank%s, at a parallel efficiency of "
               "%.0f %%",
               speedup_of(table, best), base, plural(base),
               100.0 * efficiency_of(table, best));
    }
    append(&text, ".");
}

/* Prints the lines for the config. On one rank no partition is needed. */
static void say_yaml(const compare_case *which, compare_advice *advice)
{
    growing_text text = {advice->yaml, sizeof advice->yaml};
    const compare_partition *partition = compare_partition_find(which->partition);
    if (which->ranks > 1) {
        append(&text, "partition: %s\n",
               partition ? partition->setting : which->partition);
    }
    if (compare_plan_composites(which->partition, which->ranks)) {
        append(&text, "composite: {algorithm: %s}\n", which->algorithm);
    }
}

/* Appends a word of a command line, quoted for the shell. */
static void append_word(growing_text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-./=:,+@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        append(text, " %s", word);
        return;
    }
    append(text, " '");
    for (const char *at = word; *at; at++) {
        if (*at == '\'') {
            append(text, "'\\''");
        } else {
            append(text, "%c", *at);
        }
    }
    append(text, "'");
}

static void say_command(const compare_plan *plan, const compare_case *which,
                        compare_advice *advice)
{
    growing_text text = {advice->command, sizeof advice->command};
    if (which->ranks > 1) {
        append(&text, "%s -n %d ", plan->launcher ? plan->launcher : "mpiexec",
               which->ranks);
    }
    append(&text, "karman render");
    append_word(&text, plan->config);
    append(&text, " --threads %d", plan->threads);
    for (int n = 0; n < plan->noverrides; n++) {
        append(&text, " --set");
        append_word(&text, plan->overrides[n]);
    }
}

/* ---- Certainty --------------------------------------------------------------------- */

/* Explains the lead by the spread of the repeats. */
static void say_spread(const compare_choice *choice, growing_text *text)
{
    const double percent = 100.0 * choice->spread;
    if (choice->is_clear) {
        append(text, ": a clear lead, as repeats differ by %.1f %% at most. ", percent);
    } else if (choice->lead < 0.0) {
        append(text,
               ": that is within the spread of the repeats (%.1f %%), so fewer ranks do "
               "as well. ",
               percent);
    } else {
        append(text,
               ": that is within the spread of the repeats (%.1f %%), and may be "
               "chance. ",
               percent);
    }
}

static void say_lead(const compare_table *table, const compare_choice *choice,
                     growing_text *text)
{
    if (!choice->next) {
        append(text, "There is no other case to compare it with. ");
        return;
    }
    const bool is_behind = choice->lead < 0.0;
    append(text, "%s, ", is_behind ? "The fastest case" : "The next best");
    say_case(&choice->next->which, text);
    append(text, ", takes %.3g s, %.1f %% %s", compare_table_seconds(table, choice->next),
           100.0 * fabs(choice->lead), is_behind ? "less" : "more");
    if (table->plan->repeat > 1) {
        say_spread(choice, text);
    } else {
        append(text,
               "%s. Each case ran once, so the spread of repeats is unknown: "
               "--repeat 5 shows it. ",
               choice->is_clear ? "" : ", which may be chance");
    }
}

static void say_disagreement(const compare_table *table, const compare_choice *choice,
                             growing_text *text)
{
    const compare_figures *best = &choice->best->figures;
    if (choice->rival) {
        const bool other = !table->is_modelled;
        const compare_figures *rival = &choice->rival->figures;
        append(text, "Modelled and measured times disagree: %s, ", kind_of(other));
        say_case(&choice->rival->which, text);
        append(text, " is the fastest with %.3g s against %.3g s. ",
               other ? rival->model : rival->wall, other ? best->model : best->wall);
        append(text, other ? "The model leaves out waiting, files and the network. "
                           : "Threads shared cores, which the clock shows, and the model "
                             "leaves out. ");
    }
    if (choice->factor > 0.0) {
        append(text,
               "A frame takes %.1f times as long by the clock (%.3g s) as modelled "
               "(%.3g s): ranks wait for each other, for files or for cores. ",
               choice->factor, best->wall, best->model);
    }
}

/* ---- Reasons ----------------------------------------------------------------------- */

/* The stage with the largest difference between two rows; *difference: b - a. */
static int find_stage(const compare_table *table, const compare_row *a,
                      const compare_row *b, double *difference)
{
    int most = 0;
    *difference = 0.0;
    for (int stage = 0; stage < IO_STAGES; stage++) {
        double d = table->is_modelled ? b->figures.work[stage] - a->figures.work[stage]
                                      : b->figures.waits[stage] - a->figures.waits[stage];
        if (fabs(d) > fabs(*difference)) {
            *difference = d;
            most = stage;
        }
    }
    return most;
}

/* Compares with another partition on the same number of ranks. */
static void say_partition(const compare_table *table, const compare_choice *choice,
                          const char *partition, growing_text *text)
{
    const compare_row *best = choice->best;
    const compare_row *other = compare_choice_fastest(table, best->which.projection,
                                                      partition, best->which.ranks);
    const char *words = compare_partition_words(partition);
    if (!other) {
        append(text, "No run of %s on the same number of ranks has succeeded. ", words);
        return;
    }
    double mine = compare_table_seconds(table, best), difference;
    double theirs = compare_table_seconds(table, other);
    int stage = find_stage(table, best, other, &difference);
    append(text, "On the same number of ranks %s takes ", words);
    if (other != choice->next) {
        append(text, "%.3g s, %.1f %% %s, ", theirs, 100.0 * fabs(theirs - mine) / mine,
               theirs >= mine ? "more" : "less");
    }
    append(text, "%.3g s %s in %s; its imbalance of rendering is %.2f, here %.2f. ",
           fabs(difference), difference >= 0.0 ? "more" : "less",
           compare_stage_name(stage), other->figures.render_imbalance,
           best->figures.render_imbalance);
}

static void say_partitions(const compare_table *table, const compare_choice *choice,
                           growing_text *text)
{
    const compare_names *partitions = &table->plan->partitions;
    const compare_case *which = &choice->best->which;
    for (int p = 0; which->ranks > 1 && p < partitions->count; p++) {
        if (strcmp(partitions->at[p], which->partition) != 0) {
            say_partition(table, choice, partitions->at[p], text);
        }
    }
}

/* Compares with the slowest algorithm. */
static void say_algorithms(const compare_table *table, const compare_row *best,
                           growing_text *text)
{
    const compare_row *worst = best;
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (row->is_there && row->which.ranks == best->which.ranks &&
            row->which.projection == best->which.projection &&
            strcmp(row->which.partition, best->which.partition) == 0 &&
            compare_table_seconds(table, row) > compare_table_seconds(table, worst)) {
            worst = row;
        }
    }
    if (worst == best) {
        return;
    }
    double longer =
        compare_table_seconds(table, worst) / compare_table_seconds(table, best) - 1.0;
    if (longer < 0.03) {
        append(text, "The compositing algorithm makes less than 3 %% of difference. ");
    } else {
        append(text, "Among the algorithms %s is the slowest there, by %.0f %%. ",
               worst->which.algorithm, 100.0 * longer);
    }
}

/* Says which algorithm `auto` took, and why. */
static void say_choice(const compare_row *best, growing_text *text)
{
    const json_t *choice = compare_row_choice(best);
    const char *name = json_string_value(json_object_get(choice, "algorithm"));
    const char *reason = json_string_value(json_object_get(choice, "reason"));
    if (name && reason && strcmp(best->which.algorithm, "auto") == 0) {
        append(text, "There 'auto' took %s, %s. ", name,
               strcmp(reason, "tuned") == 0
                   ? "by a rule of the tuning file"
                   : "the usual choice for these ranks and nodes");
    }
}

/* Names the most ranks, of the same partition and algorithm, with an efficiency of at
 * least 50 %. */
static void say_efficiency(const compare_table *table, const compare_row *best,
                           growing_text *text)
{
    const compare_plan *plan = table->plan;
    const compare_row *good = NULL;
    for (int r = 0; r < plan->nranks; r++) {
        compare_case which = best->which;
        which.ranks = plan->ranks[r];
        const compare_row *row = compare_table_find(table, &which);
        good = row && efficiency_of(table, row) >= 0.5 ? row : good;
    }
    if (best->which.ranks > plan->ranks[0] && good && good != best) {
        append(text, "Up to %d rank%s the parallel efficiency is 50 %% or more. ",
               good->which.ranks, plural(good->which.ranks));
    }
}

/* Suggests more threads in one rank. They share memory and need no compositing: an
 * alternative on one node that was not measured. */
static void say_threads(const compare_table *table, const compare_case *which,
                        growing_text *text)
{
    const int threads = which->ranks * table->plan->threads;
    if (which->ranks == 1 && threads < table->cores) {
        append(text,
               "With all %d cores (--threads %d) it may be faster still, which was "
               "not measured. ",
               table->cores, table->cores);
    } else if (which->ranks > 1 && table->nodes == 1 && threads <= table->cores) {
        append(text,
               "One rank x %d threads uses as many cores and composites nothing; "
               "--ranks 1 --threads %d measures it. ",
               threads, threads);
    }
}

/* Tells whether the same case is best for the other projections. */
static void say_projections(const compare_table *table, const compare_row *best,
                            growing_text *text)
{
    const compare_plan *plan = table->plan;
    if (plan->nprojections > 1) {
        append(text, "That is for the projection %s. ", plan->projections[0].name);
    }
    for (int v = 1; v < plan->nprojections; v++) {
        const char *name = plan->projections[v].name;
        const compare_row *there = compare_choose(table, v).best;
        if (!there) {
            append(text, "For the projection %s no run has succeeded. ", name);
        } else if (compare_choice_is_same(&there->which, &best->which)) {
            append(text, "For the projection %s the same is best: %.3g s. ", name,
                   compare_table_seconds(table, there));
        } else {
            append(text, "For the projection %s it is ", name);
            say_case(&there->which, text);
            append(text, ": %.3g s. ", compare_table_seconds(table, there));
        }
    }
}

/* ---- Doubts ------------------------------------------------------------------------ */

static int most_ranks(const compare_table *table)
{
    int most = 0;
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        most = row->is_there && row->which.ranks > most ? row->which.ranks : most;
    }
    return most;
}

static void warn_of_cores(const compare_table *table, compare_advice *advice)
{
    const int ranks = most_ranks(table), threads = table->plan->threads;
    if (table->is_modelled) {
        char *text = advice->warnings[advice->nwarnings++];
        snprintf(text, sizeof advice->warnings[0],
                 "%d rank%s x %d thread%s had %d core%s, so the clock cannot show the "
                 "gain of more ranks: the compared times are modelled.",
                 ranks, plural(ranks), threads, plural(threads), table->cores,
                 plural(table->cores));
    }
}

/* Warns if other programs were running and the processors did not suffice for all. */
static void warn_of_load(const compare_table *table, compare_advice *advice)
{
    const double some = 0.5; /* any machine has less load than that when idle */
    const int threads = most_ranks(table) * table->plan->threads;
    const int ours = threads < table->cores ? threads : table->cores;
    if (table->load >= some && table->load + ours > table->processors) {
        char *text = advice->warnings[advice->nwarnings++];
        snprintf(text, sizeof advice->warnings[0],
                 "The machine was busy before the runs began: its load average was %.1f "
                 "on %d processor%s. Compare again, with another --out, when it is idle.",
                 table->load, table->processors, plural(table->processors));
    }
}

/* ---- All of the advice ------------------------------------------------------------- */

static void say_reason(const compare_table *table, const compare_choice *choice,
                       compare_advice *advice)
{
    growing_text text = {advice->reason, sizeof advice->reason};
    say_lead(table, choice, &text);
    say_disagreement(table, choice, &text);
    say_partitions(table, choice, &text);
    say_algorithms(table, choice->best, &text);
    say_choice(choice->best, &text);
    say_efficiency(table, choice->best, &text);
    say_threads(table, &choice->best->which, &text);
    say_projections(table, choice->best, &text);
    if (text.at > advice->reason) {
        text.at[-1] = '\0'; /* removes the blank after the last sentence */
    }
}

compare_advice compare_table_advise(const compare_table *table)
{
    compare_advice advice = {.best = -1};
    const compare_choice choice = compare_choose(table, 0);
    if (!choice.best) {
        snprintf(advice.sentence, sizeof advice.sentence, "No run has succeeded.");
        return advice;
    }
    advice.best = (int)(choice.best - table->rows);
    say_sentence(table, choice.best, &advice);
    say_yaml(&choice.best->which, &advice);
    say_command(table->plan, &choice.best->which, &advice);
    say_reason(table, &choice, &advice);
    warn_of_cores(table, &advice);
    warn_of_load(table, &advice);
    return advice;
}

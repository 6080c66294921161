/* What a comparison comes down to: a sentence, and its reason. */
#include "app/compare/partition.h"
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that grows in a buffer; what does not fit is cut off. */
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

static const char *kind_of(const compare_table *table)
{
    return table->is_modelled ? "modelled" : "measured";
}

/* The row of a projection that takes least time; NULL: none has figures. `partition` and
 * `ranks` narrow the choice where they are not NULL and 0. */
static const compare_row *find_best(const compare_table *table, int projection,
                                    const char *partition, int ranks)
{
    const compare_row *best = NULL;
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (!row->is_there || row->which.projection != projection ||
            (ranks && row->which.ranks != ranks) ||
            (partition && strcmp(row->which.partition, partition) != 0)) {
            continue;
        }
        if (!best ||
            compare_table_seconds(table, row) < compare_table_seconds(table, best)) {
            best = row;
        }
    }
    return best;
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

/* "object partitioning, balanced by cost, with radix-k on 4 ranks" */
static void say_case(const compare_case *which, growing_text *text)
{
    const compare_partition *partition = compare_partition_find(which->partition);
    const char *phrase = partition ? partition->phrase : which->partition;
    append(text, "%s%s", phrase, strchr(phrase, ',') ? "," : "");
    if (compare_plan_composites(which->partition, which->ranks)) {
        append(text, " with %s", which->algorithm);
    }
    append(text, " on %d rank%s", which->ranks, which->ranks == 1 ? "" : "s");
}

static void say_what(const compare_table *table, const compare_row *best,
                     compare_advice *advice)
{
    growing_text text = {advice->sentence, sizeof advice->sentence};
    int ranks = best->which.ranks, base = table->plan->ranks[0];
    append(&text, "Use ");
    say_case(&best->which, &text);
    append(&text, ": a frame takes %.3g s (%s)", compare_table_seconds(table, best),
           kind_of(table));
    if (ranks > base) {
        append(&text, ", %.2f times as fast as %d rank%s", speedup_of(table, best), base,
               base == 1 ? "" : "s");
    }
    append(&text, ".");
    snprintf(advice->figure, sizeof advice->figure, "%.3g s",
             compare_table_seconds(table, best));
}

/* The stage in which two rows differ most, and by how much: b - a. */
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

/* The same number of ranks, the other partition. */
static void say_partition(const compare_table *table, const compare_row *best,
                          const char *partition, growing_text *text)
{
    const compare_row *other =
        find_best(table, best->which.projection, partition, best->which.ranks);
    const char *words = compare_partition_words(partition);
    if (!other) {
        append(text, "Partition %s could not be run. ", words);
        return;
    }
    double mine = compare_table_seconds(table, best), difference;
    double theirs = compare_table_seconds(table, other);
    int stage = find_stage(table, best, other, &difference);
    append(text, "On as many ranks %s takes %.3g s, %.0f %% %s", words, theirs,
           100.0 * fabs(theirs - mine) / mine, theirs >= mine ? "longer" : "shorter");
    append(text, ", the largest difference in %s (%+.3g s)", compare_stage_name(stage),
           difference);
    if (best->which.ranks > 1) {
        append(text, "; its ranks' rendering is uneven by %.2f, here by %.2f",
               other->figures.render_spread, best->figures.render_spread);
    }
    append(text, ". ");
}

/* The slowest algorithm beside the best one. */
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
        append(text, "Which algorithm composites makes less than 3 %% of difference. ");
    } else {
        append(text, "Among the algorithms %s is the slowest there, by %.0f %%. ",
               worst->which.algorithm, 100.0 * longer);
    }
}

/* The most ranks of the same kind that still do at least half of what they could. */
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
    if (best->which.ranks > plan->ranks[0]) {
        append(text, "Its efficiency is %.0f %%", 100.0 * efficiency_of(table, best));
        if (good && good != best) {
            append(text, "; up to %d rank%s it is above half", good->which.ranks,
                   good->which.ranks == 1 ? "" : "s");
        }
        append(text, ". ");
    }
}

static void say_doubts(const compare_table *table, const compare_row *best,
                       growing_text *text)
{
    double least =
        table->is_modelled ? best->figures.model_least : best->figures.wall_least;
    double most = table->is_modelled ? best->figures.model_most : best->figures.wall_most;
    if (table->plan->repeat == 1) {
        append(text, "Each case ran once: differences of some percent may be chance, "
                     "which --repeat 3 would show. ");
    } else {
        append(text,
               "Its %d runs lie between %.3g and %.3g s: smaller differences mean "
               "nothing. ",
               table->plan->repeat, least, most);
    }
}

static bool is_same_choice(const compare_case *a, const compare_case *b)
{
    return a->ranks == b->ranks && strcmp(a->partition, b->partition) == 0 &&
           (!compare_plan_composites(a->partition, a->ranks) ||
            strcmp(a->algorithm, b->algorithm) == 0);
}

/* Whether the same is best where the grid is larger or smaller in the picture. */
static void say_projections(const compare_table *table, const compare_row *best,
                            growing_text *text)
{
    const compare_plan *plan = table->plan;
    if (plan->nprojections > 1) {
        append(text, "That is for the projection %s. ", plan->projections[0].name);
    }
    for (int v = 1; v < plan->nprojections; v++) {
        const char *name = plan->projections[v].name;
        const compare_row *there = find_best(table, v, NULL, 0);
        if (!there) {
            append(text, "For the projection %s no run has succeeded. ", name);
        } else if (is_same_choice(&there->which, &best->which)) {
            append(text, "For the projection %s the same is best: %.3g s. ", name,
                   compare_table_seconds(table, there));
        } else {
            append(text, "For the projection %s it is ", name);
            say_case(&there->which, text);
            append(text, ": %.3g s. ", compare_table_seconds(table, there));
        }
    }
}

compare_advice compare_table_advise(const compare_table *table)
{
    compare_advice advice = {.best = -1};
    const compare_row *best = find_best(table, 0, NULL, 0);
    if (!best) {
        snprintf(advice.sentence, sizeof advice.sentence, "No run has succeeded.");
        return advice;
    }
    advice.best = (int)(best - table->rows);
    say_what(table, best, &advice);
    growing_text text = {advice.reason, sizeof advice.reason};
    const compare_names *partitions = &table->plan->partitions;
    for (int p = 0; p < partitions->count; p++) {
        if (strcmp(partitions->at[p], best->which.partition) != 0) {
            say_partition(table, best, partitions->at[p], &text);
        }
    }
    say_algorithms(table, best, &text);
    say_efficiency(table, best, &text);
    say_projections(table, best, &text);
    say_doubts(table, best, &text);
    return advice;
}

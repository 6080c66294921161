#include "choice.h"

#include <math.h>
#include <string.h>

/* ---- One case ---------------------------------------------------------------------- */

/* Seconds of a frame by one kind of time: the median, least and most of the repeats. */
typedef struct duration {
    double median, least, most;
} duration;

static duration duration_of(const compare_row *row, bool is_modelled)
{
    const compare_figures *f = &row->figures;
    return is_modelled ? (duration){f->model, f->model_least, f->model_most}
                       : (duration){f->wall, f->wall_least, f->wall_most};
}

bool compare_choice_is_same(const compare_case *a, const compare_case *b)
{
    if (a->ranks != b->ranks) {
        return false;
    }
    return a->ranks == 1 || (strcmp(a->partition, b->partition) == 0 &&
                             (!compare_plan_composites(a->partition, a->ranks) ||
                              strcmp(a->algorithm, b->algorithm) == 0));
}

/* Whether the difference of two cases is within the spread of their repeats. */
static bool is_as_fast(const compare_table *table, const compare_row *a,
                       const compare_row *b, bool is_modelled)
{
    const duration x = duration_of(a, is_modelled), y = duration_of(b, is_modelled);
    const double apart = fabs(x.median - y.median);
    if (table->plan->repeat == 1) {
        return apart <= COMPARE_CHANCE * fmin(x.median, y.median);
    }
    return apart <= fmax(x.most - x.least, y.most - y.least);
}

/* ---- Among all cases --------------------------------------------------------------- */

/* The rows to search. */
typedef struct row_filter {
    int projection, ranks;         /* ranks: 0 for any */
    bool is_modelled;              /* the kind of time that counts */
    const char *partition;         /* NULL: any */
    const compare_row *other_than; /* NULL: any */
} row_filter;

static bool passes(const compare_row *row, const row_filter *filter)
{
    const compare_case *which = &row->which;
    return row->is_there && which->projection == filter->projection &&
           (filter->ranks == 0 || which->ranks == filter->ranks) &&
           (!filter->partition || strcmp(which->partition, filter->partition) == 0) &&
           (!filter->other_than ||
            !compare_choice_is_same(which, &filter->other_than->which));
}

static const compare_row *find_fastest(const compare_table *table,
                                       const row_filter *filter)
{
    const bool kind = filter->is_modelled;
    const compare_row *fastest = NULL;
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (passes(row, filter) && (!fastest || duration_of(row, kind).median <
                                                    duration_of(fastest, kind).median)) {
            fastest = row;
        }
    }
    return fastest;
}

const compare_row *compare_choice_fastest(const compare_table *table, int projection,
                                          const char *partition, int ranks)
{
    return find_fastest(table, &(row_filter){.projection = projection,
                                             .ranks = ranks,
                                             .is_modelled = table->is_modelled,
                                             .partition = partition});
}

/* Among the cases as good as the fastest one: the fewest ranks, and of these the
 * fastest. */
static const compare_row *find_cheapest(const compare_table *table,
                                        const compare_row *fastest)
{
    const double most = (1.0 + COMPARE_AS_GOOD) * compare_table_seconds(table, fastest);
    const compare_row *best = fastest;
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (!row->is_there || row->which.projection != fastest->which.projection ||
            row->which.ranks > best->which.ranks ||
            !is_as_fast(table, row, fastest, table->is_modelled) ||
            compare_table_seconds(table, row) > most) {
            continue;
        }
        if (row->which.ranks < best->which.ranks ||
            compare_table_seconds(table, row) < compare_table_seconds(table, best)) {
            best = row;
        }
    }
    return best;
}

/* ---- Certainty --------------------------------------------------------------------- */

static double spread_of(const compare_table *table, const compare_row *row)
{
    const duration d = duration_of(row, table->is_modelled);
    return table->plan->repeat > 1 ? (d.most - d.least) / d.median : NAN;
}

static void weigh_lead(const compare_table *table, compare_choice *choice)
{
    const compare_row *best = choice->best, *next = choice->next;
    choice->lead =
        compare_table_seconds(table, next) / compare_table_seconds(table, best) - 1.0;
    choice->spread = fmax(spread_of(table, best), spread_of(table, next));
    choice->is_clear =
        choice->lead > 0.0 && !is_as_fast(table, best, next, table->is_modelled);
}

/* The fastest case by the other kind of time, if it is another case and clearly
 * faster. */
static const compare_row *find_rival(const compare_table *table,
                                     const compare_choice *choice)
{
    const bool other = !table->is_modelled;
    const compare_row *best = choice->best;
    const compare_row *rival = find_fastest(
        table, &(row_filter){.projection = best->which.projection, .is_modelled = other});
    return compare_choice_is_same(&rival->which, &best->which) ||
                   is_as_fast(table, rival, best, other)
               ? NULL
               : rival;
}

/* The modelled frame includes the processor seconds of all threads, so the wall clock
 * exceeds it only if ranks wait. Without enough cores it always does: then the factor
 * says nothing. */
static double find_factor(const compare_table *table, const compare_row *best)
{
    const double factor = best->figures.wall / best->figures.model;
    return !table->is_modelled && factor > COMPARE_FACTOR ? factor : 0.0;
}

compare_choice compare_choose(const compare_table *table, int projection)
{
    compare_choice choice = {.spread = NAN};
    row_filter filter = {.projection = projection, .is_modelled = table->is_modelled};
    const compare_row *fastest = find_fastest(table, &filter);
    if (!fastest) {
        return choice;
    }
    choice.best = find_cheapest(table, fastest);
    filter.other_than = choice.best;
    choice.next = find_fastest(table, &filter);
    if (choice.next) {
        weigh_lead(table, &choice);
    }
    choice.rival = find_rival(table, &choice);
    choice.factor = find_factor(table, choice.best);
    return choice;
}

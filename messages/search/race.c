#include "race.h"

#include "quantile.h"

#include <math.h>
#include <string.h>

enum {
    ROUNDS_TO_DROP = 3,  /* fewest before one drops out */
    ROUNDS_TO_END = 5,   /* before equal ones end a race that is not brief */
    ROUNDS_TO_TRUST = 6, /* from which the bounds of a ratio have 95 % confidence */
    ROUNDS_IN_DOUBT = 15 /* most of a brief race that would replace the usual choice */
};

/* ---- Times ------------------------------------------------------------------------- */

static void summarize(tune_finalist *finalist)
{
    double sorted[TUNE_MOST_ROUNDS];
    const int count = finalist->count;
    finalist->seconds = finalist->spread = INFINITY;
    if (count == 0) {
        return;
    }
    memcpy(sorted, finalist->runs, (size_t)count * sizeof *sorted);
    tune_sort(sorted, count);
    finalist->seconds = tune_quartile(sorted, count, 2);
    if (isfinite(sorted[count - 1])) {
        finalist->spread =
            (tune_quartile(sorted, count, 3) - tune_quartile(sorted, count, 1)) /
            (2 * finalist->seconds);
    }
}

tune_ratio tune_compare(const tune_finalist *a, const tune_finalist *b)
{
    double ratios[TUNE_MOST_ROUNDS];
    const int count = a->count < b->count ? a->count : b->count;
    if (count == 0) {
        return (tune_ratio){0.0, INFINITY};
    }
    for (int n = 0; n < count; n++) {
        ratios[n] = isfinite(b->runs[n]) ? a->runs[n] / b->runs[n] : 0.0;
    }
    tune_sort(ratios, count);
    /* About half of the ratios lie below the true one: the deviation is half the root. */
    const double outside = 0.5 * count - 0.98 * sqrt(count);
    const int at = outside > 0 ? (int)outside : 0;
    return (tune_ratio){ratios[at], ratios[count - 1 - at]};
}

/* Of those that are not out; the first one if all are equal. */
static int find_fastest(const tune_finalist *finalists, int count)
{
    int best = -1;
    for (int n = 0; n < count; n++) {
        if (!finalists[n].is_out &&
            (best < 0 || finalists[n].seconds < finalists[best].seconds)) {
            best = n;
        }
    }
    return best < 0 ? 0 : best;
}

/* ---- The race ---------------------------------------------------------------------- */

/* One run of each finalist that is not out. False: the budget is used up, and the round
 * does not count. */
static bool run_round(const tune_space *space, int round, tune_finalist *finalists,
                      int count, int64_t *runs)
{
    if (space->turn) {
        space->turn(space->context, round);
    }
    for (int n = 0; n < count; n++) {
        tune_finalist *f = &finalists[n];
        if (!f->is_out &&
            !space->run(space->context, f->method, f->step, &f->runs[f->count])) {
            return false;
        }
        *runs += !f->is_out;
    }
    for (int n = 0; n < count; n++) {
        finalists[n].count += !finalists[n].is_out;
    }
    return true;
}

/* Takes those out of the race that are slower than the best with confidence. After few
 * brief rounds they must be a tenth slower, and the usual choice stays in the race.
 * Returns the number of those left. */
static int drop(tune_finalist *finalists, int count, int best, bool may_be_luck)
{
    const double lag = may_be_luck ? 1.1 : 1.0;
    int left = 0;
    for (int n = 0; n < count; n++) {
        tune_finalist *f = &finalists[n];
        const bool may_go = n != best && (n > 0 || !may_be_luck);
        f->is_out =
            f->is_out || (may_go && tune_compare(f, &finalists[best]).least > lag);
        left += !f->is_out;
    }
    return left;
}

/* Whether with confidence none in the race is faster than the best by more than `least`.
 */
static bool are_settled(const tune_finalist *finalists, int count, int best, double least)
{
    for (int n = 0; n < count; n++) {
        if (n != best && !finalists[n].is_out &&
            tune_compare(&finalists[best], &finalists[n]).most > 1 + least) {
            return false;
        }
    }
    return true;
}

/* Whether the medians of those in the race differ by less than the spread. */
static bool are_equal(const tune_finalist *finalists, int count, int best, double least)
{
    double slowest = 0, margin = least;
    for (int n = 0; n < count; n++) {
        const tune_finalist *f = &finalists[n];
        slowest = f->is_out ? slowest : fmax(slowest, f->seconds);
        margin = f->is_out ? margin : fmax(margin, f->spread);
    }
    return slowest < (1 + margin) * finalists[best].seconds;
}

/* Whether the runs so far took little time in all. */
static bool is_race_brief(const tune_limits *limits, const tune_finalist *finalists,
                          int count)
{
    double all = 0;
    for (int n = 0; n < count; n++) {
        all += finalists[n].count * finalists[n].seconds;
    }
    return all < limits->brief;
}

/* Whether finalist n is faster than the usual choice by more than `least` and the spread.
 */
static bool is_ahead(const tune_finalist *usual, const tune_finalist *f, double least)
{
    const double margin = fmax(least, fmax(usual->spread, f->spread)) * usual->seconds;
    return isfinite(margin) && usual->seconds - f->seconds > margin;
}

/* Whether it is not known after so many rounds if it should replace the usual choice: by
 * its median it should, or it gains so much that a few runs may have spoilt the spread.
 */
static bool is_in_doubt(const tune_limits *limits, const tune_finalist *finalists,
                        int count, int rounds)
{
    const double much = 0.1; /* of a gain */
    const tune_finalist *best = &finalists[find_fastest(finalists, count)];
    if (best == finalists || finalists->is_out || rounds < ROUNDS_TO_DROP ||
        rounds >= ROUNDS_IN_DOUBT || !is_race_brief(limits, finalists, count)) {
        return false;
    }
    const bool is_sure =
        rounds >= ROUNDS_TO_TRUST && tune_compare(best, finalists).most < 1.0;
    return is_ahead(finalists, best, limits->least)
               ? !is_sure
               : best->seconds < (1 - much) * finalists->seconds;
}

/* Drops finalists. Returns whether the race is decided. */
static bool decide(const tune_limits *limits, tune_finalist *finalists, int count)
{
    const int best = find_fastest(finalists, count);
    const int rounds = finalists[best].count;
    const bool is_brief = is_race_brief(limits, finalists, count);
    if (rounds < ROUNDS_TO_DROP) {
        return false;
    }
    if (drop(finalists, count, best, is_brief && rounds < ROUNDS_TO_TRUST) == 1) {
        return true;
    }
    if (is_in_doubt(limits, finalists, count, rounds)) {
        return false;
    }
    if (rounds >= ROUNDS_TO_TRUST && are_settled(finalists, count, best, limits->least)) {
        return true;
    }
    /* If the usual choice is out, it matters little which one wins. */
    return !is_brief &&
           rounds >= (finalists[0].is_out ? ROUNDS_TO_DROP : ROUNDS_TO_END) &&
           are_equal(finalists, count, best, limits->least);
}

/* Whether there may be a round after so many. In doubt there are some beyond the limit,
 * of the usual choice and the best alone. */
static bool has_more(const tune_limits *limits, tune_finalist *finalists, int count,
                     int rounds)
{
    if (rounds < limits->rounds && rounds < TUNE_MOST_ROUNDS) {
        return true;
    }
    const bool goes_on = is_in_doubt(limits, finalists, count, rounds);
    const int best = find_fastest(finalists, count);
    for (int n = 1; goes_on && n < count; n++) {
        finalists[n].is_out = n != best;
    }
    return goes_on;
}

int64_t tune_race(const tune_space *space, const tune_limits *limits,
                  tune_finalist *finalists, int count)
{
    int64_t runs = 0;
    bool goes_on = count > 0;
    for (int n = 0; n < count; n++) {
        finalists[n].count = 0;
        finalists[n].is_out = false;
        summarize(&finalists[n]);
    }
    for (int round = 0; goes_on && has_more(limits, finalists, count, round); round++) {
        goes_on = run_round(space, round, finalists, count, &runs);
        for (int n = 0; n < count; n++) {
            summarize(&finalists[n]);
        }
        goes_on = goes_on && !decide(limits, finalists, count);
    }
    return runs;
}

int tune_choose(const tune_finalist *finalists, int count, double least)
{
    const int best = find_fastest(finalists, count);
    const tune_finalist *f = &finalists[best];
    return best > 0 && is_ahead(finalists, f, least) &&
                   tune_compare(f, finalists).most < 1.0
               ? best
               : 0;
}

/* ---- The machine ------------------------------------------------------------------- */

tune_probe tune_probe_run(const tune_space *space, int method, int step)
{
    tune_probe probe = {.count = 0};
    while (probe.count < TUNE_PROBES &&
           space->run(space->context, method, step, &probe.runs[probe.count])) {
        probe.count++;
    }
    tune_sort(probe.runs, probe.count);
    probe.seconds = probe.count > 0 ? tune_quartile(probe.runs, probe.count, 2) : 0.0;
    return probe;
}

bool tune_has_drifted(const tune_probe *before, const tune_probe *after)
{
    const double least = 1.15;
    const bool is_slower = after->seconds > before->seconds;
    const tune_probe *fast = is_slower ? before : after;
    const tune_probe *slow = is_slower ? after : before;
    return fast->count == TUNE_PROBES && slow->count == TUNE_PROBES &&
           slow->seconds > least * fast->seconds &&
           tune_quartile(slow->runs, TUNE_PROBES, 1) >
               tune_quartile(fast->runs, TUNE_PROBES, 3);
}

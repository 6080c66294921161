#include "search.h"

#include <math.h>
#include <stdlib.h>

/* How far a value may lie above the best one, as factors. */
static const double repeated = 1.05; /* a run after which its trial is repeated */
static const double hopeful = 1.25;  /* the same for brief runs, which scatter more */
static const double followed = 1.1;  /* a method, or a step, from which a walk goes on */

enum {
    BEYOND_DOWN = 2, /* steps past a minimum, towards smaller segments */
    BEYOND_UP = 1,   /* and towards larger ones */
    FOLLOWED = 2,    /* methods of a scan whose axes are walked along */
    MOST_BRIEF = 5,  /* runs of a brief trial */
    MOST_REPEATS = 15
};

/* The runs of one trial so far. */
typedef struct trial {
    int method, step, count;
    double all; /* s of the runs together */
    double values[MOST_REPEATS];
} trial;

typedef struct search {
    const tune_space *space;
    tune_best *best; /* [methods] */
    trial *scanned;  /* [methods]: those of a scan, the best first */
    double least;    /* value so far */
    bool drops;      /* slow trials are not repeated, slow methods not followed */
    tune_result result;
} search;

/* ---- Trials ------------------------------------------------------------------------ */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile of sorted values, in quarters: 2 is the median. */
static double find_quartile(const double *sorted, int count, int quarter)
{
    const double at = (count - 1) * quarter / 4.0;
    const int below = (int)at;
    const double rest = at - below;
    return rest > 0 ? sorted[below] + rest * (sorted[below + 1] - sorted[below])
                    : sorted[below];
}

/* Whether a trial deserves another run. It has `most` runs; brief ones go on until they
 * are no longer brief. */
static bool deserves_more(const search *s, const trial *t, int most)
{
    if (t->count == 0) {
        return true;
    }
    const double last = t->values[t->count - 1];
    if (!isfinite(last) || t->count == MOST_REPEATS) {
        return false;
    }
    if (!s->drops) {
        return t->count < most;
    }
    const bool is_brief = t->all < s->space->brief && t->count < MOST_BRIEF;
    const tune_best *best = &s->best[t->method];
    double limit = (is_brief ? hopeful : repeated) * s->least;
    if (!is_brief && t->step != best->step) {
        limit = fmin(limit, best->seconds); /* else it is no better step */
    }
    return (is_brief || t->count < most) && !(last > limit);
}

/* Runs a trial as often as it deserves, and notes its value. False: the budget is used
 * up.
 */
static bool measure(search *s, trial *t, int most, double *seconds)
{
    const tune_space *space = s->space;
    tune_best *best = &s->best[t->method];
    while (deserves_more(s, t, most)) {
        if (!space->run(space->context, t->method, t->step, &t->values[t->count])) {
            s->result.is_whole = false;
            return false;
        }
        s->result.runs++;
        t->all += t->values[t->count++];
    }
    qsort(t->values, (size_t)t->count, sizeof *t->values, compare_doubles);
    *seconds = isfinite(t->values[t->count - 1]) ? find_quartile(t->values, t->count, 2)
                                                 : INFINITY;
    if (*seconds < best->seconds || t->step == best->step) {
        *best = (tune_best){t->step, *seconds};
    }
    s->least = fmin(s->least, *seconds);
    return true;
}

/* A trial without runs so far. */
static bool try_step(search *s, int method, int step, int most, double *seconds)
{
    trial t = {.method = method, .step = step};
    return measure(s, &t, most, seconds);
}

static int method_at(const tune_space *space, int n)
{
    return space->order ? space->order[n] : n;
}

static int count_likely(const tune_space *space)
{
    return space->likely > 0 && space->likely < space->methods ? space->likely
                                                               : space->methods;
}

static int find_start(const tune_space *space, int method)
{
    return space->start ? space->start[method] : 0;
}

/* ---- Strategies -------------------------------------------------------------------- */

static void try_everything(search *s)
{
    double seconds;
    for (int n = 0; n < s->space->methods; n++) {
        for (int step = 0; step < s->space->steps; step++) {
            if (!try_step(s, method_at(s->space, n), step, s->space->repeats, &seconds)) {
                return;
            }
        }
    }
}

/* Walks along an axis from the start, past a minimum: direction 1 towards smaller
 * segments, -1 towards larger ones. False: the budget is used up. */
static bool walk(search *s, int method, int direction)
{
    const tune_space *space = s->space;
    const int most = direction > 0 ? BEYOND_DOWN : BEYOND_UP;
    int past = 0;
    for (int step = find_start(space, method) + direction;
         step >= 0 && step < space->steps && past < most; step += direction) {
        const double before = s->best[method].seconds;
        double seconds;
        if (!try_step(s, method, step, space->repeats, &seconds)) {
            return false;
        }
        past = seconds > before ? past + 1 : 0;
        if (s->drops && seconds > followed * s->least) {
            break;
        }
    }
    return true;
}

static bool walk_both_ways(search *s, int method)
{
    return walk(s, method, 1) && walk(s, method, -1);
}

static void descend(search *s)
{
    double seconds;
    for (int n = 0; n < count_likely(s->space); n++) {
        const int method = method_at(s->space, n);
        if (!try_step(s, method, find_start(s->space, method), s->space->repeats,
                      &seconds) ||
            !walk_both_ways(s, method)) {
            return;
        }
    }
}

/* One run of each likely method, or some brief ones, and their order by it. False: the
 * budget is used up. */
static bool scan_methods(search *s)
{
    for (int n = 0; n < count_likely(s->space); n++) {
        const int method = method_at(s->space, n);
        trial t = {.method = method, .step = find_start(s->space, method)};
        double seconds;
        if (!measure(s, &t, 1, &seconds)) {
            return false;
        }
        int at = n;
        for (; at > 0 && s->best[s->scanned[at - 1].method].seconds > seconds; at--) {
            s->scanned[at] = s->scanned[at - 1];
        }
        s->scanned[at] = t;
    }
    return true;
}

static void scan(search *s)
{
    if (!scan_methods(s)) {
        return;
    }
    for (int n = 0; n < FOLLOWED && n < count_likely(s->space); n++) {
        const int method = s->scanned[n].method;
        double seconds;
        if (!(s->best[method].seconds <= followed * s->least)) {
            return;
        }
        /* A single run may have been a lucky one. */
        if (!measure(s, &s->scanned[n], s->space->repeats, &seconds) ||
            !walk_both_ways(s, method)) {
            return;
        }
    }
}

/* The method with the least value; -1: none was run. */
static int find_best(const search *s)
{
    int best = -1;
    for (int method = 0; method < s->space->methods; method++) {
        const double seconds = s->best[method].seconds;
        if (isfinite(seconds) && (best < 0 || seconds < s->best[best].seconds)) {
            best = method;
        }
    }
    return best;
}

status tune_search(tune_strategy strategy, const tune_space *space, tune_best *best,
                   tune_result *result)
{
    const size_t bytes = (size_t)space->methods * sizeof(trial);
    search s = {.space = space,
                .best = best,
                .scanned = malloc(bytes),
                .least = INFINITY,
                .drops = strategy == TUNE_SMGD,
                .result = {.is_whole = true}};
    if (!s.scanned) {
        return base_fail_memory(bytes, "tuning");
    }
    for (int method = 0; method < space->methods; method++) {
        best[method] = (tune_best){find_start(space, method), INFINITY};
    }
    switch (strategy) {
    case TUNE_EXHAUSTIVE:
        try_everything(&s);
        break;
    case TUNE_MGD:
        descend(&s);
        break;
    case TUNE_SMGD:
        scan(&s);
        break;
    }
    free(s.scanned);
    *result = s.result;
    result->method = find_best(&s);
    return STATUS_OK;
}

/* ---- The race ---------------------------------------------------------------------- */

static void summarize(tune_finalist *finalist)
{
    double *runs = finalist->runs;
    const int count = finalist->count;
    finalist->seconds = finalist->spread = INFINITY;
    if (count == 0) {
        return;
    }
    qsort(runs, (size_t)count, sizeof *runs, compare_doubles);
    finalist->seconds = find_quartile(runs, count, 2);
    if (isfinite(runs[count - 1])) {
        finalist->spread =
            (find_quartile(runs, count, 3) - find_quartile(runs, count, 1)) /
            (2 * finalist->seconds);
    }
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

/* One run of each finalist that is not out. False: the budget is used up, and the round
 * does not count. */
static bool run_round(const tune_space *space, tune_finalist *finalists, int count,
                      int64_t *runs)
{
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

/* Takes those out of the race that are clearly behind, and, while it is brief, those that
 * are far behind. */
static void drop(tune_finalist *finalists, int count, bool is_brief)
{
    const double lag = is_brief ? 1.1 : 1.0;
    const tune_finalist *best = &finalists[find_fastest(finalists, count)];
    for (int n = 0; n < count; n++) {
        tune_finalist *f = &finalists[n];
        f->is_out = f->is_out || find_quartile(f->runs, f->count, 1) >
                                     lag * find_quartile(best->runs, best->count, 3);
    }
}

/* Whether the medians of those in the race differ by less than the spread. */
static bool are_equal(const tune_finalist *finalists, int count, double least)
{
    double slowest = 0, margin = least;
    for (int n = 0; n < count; n++) {
        const tune_finalist *f = &finalists[n];
        slowest = f->is_out ? slowest : fmax(slowest, f->seconds);
        margin = f->is_out ? margin : fmax(margin, f->spread);
    }
    return slowest < (1 + margin) * finalists[find_fastest(finalists, count)].seconds;
}

/* Drops finalists. Returns whether the race is decided. */
static bool decide(const tune_space *space, tune_finalist *finalists, int count,
                   double least)
{
    enum { ROUNDS_TO_DROP = 3, ROUNDS_TO_END = 5 };
    const double brief = fmax(0.03, 15 * space->brief); /* s of a race */
    const int best = find_fastest(finalists, count);
    double all = 0;
    int left = 0;
    if (finalists[best].count < ROUNDS_TO_DROP) {
        return false;
    }
    for (int n = 0; n < count; n++) {
        all += finalists[n].count * finalists[n].seconds;
    }
    const bool may_be_brief = best == 0 && space->brief <= 0;
    const bool is_brief = all < brief && !may_be_brief;
    drop(finalists, count, is_brief);
    for (int n = 0; n < count; n++) {
        left += !finalists[n].is_out;
    }
    /* If the usual choice is out, it matters little which one wins. */
    const bool may_end = finalists[0].is_out || may_be_brief;
    const int rounds = may_end ? ROUNDS_TO_DROP : ROUNDS_TO_END;
    return left == 1 || (!is_brief && finalists[best].count >= rounds &&
                         are_equal(finalists, count, least));
}

int64_t tune_race(const tune_space *space, int rounds, double least,
                  tune_finalist *finalists, int count)
{
    int64_t runs = 0;
    bool goes_on = count > 0;
    for (int n = 0; n < count; n++) {
        finalists[n].count = 0;
        finalists[n].is_out = false;
        summarize(&finalists[n]);
    }
    for (int round = 0; round < rounds && round < TUNE_MOST_ROUNDS && goes_on; round++) {
        goes_on = run_round(space, finalists, count, &runs);
        for (int n = 0; n < count; n++) {
            summarize(&finalists[n]);
        }
        goes_on = goes_on && !decide(space, finalists, count, least);
    }
    return runs;
}

int tune_choose(const tune_finalist *finalists, int count, double least)
{
    const int best = find_fastest(finalists, count);
    const double usual = finalists[0].seconds;
    const double margin =
        fmax(least, fmax(finalists[0].spread, finalists[best].spread)) * usual;
    return best > 0 && isfinite(margin) && usual - finalists[best].seconds > margin ? best
                                                                                    : 0;
}

#include "search.h"

#include <math.h>
#include <stdlib.h>

/* How far a value may lie above the best one, as factors. */
static const double repeated = 1.1; /* a first run that is repeated */
static const double dropped = 1.25; /* a method whose next value is no better */
static const double risen = 1.03;   /* a step that is past a minimum, not on a plateau */
static const double hopeless = 3.0; /* a method that is dropped after its first step */

enum {
    BEYOND = 2,   /* steps past a minimum */
    POLISHED = 3, /* families whose best axis is scanned to the end */
    MOST_REPEATS = 15
};

/* A method on its way down the axis. */
typedef struct walk {
    double last, before; /* values of the last two steps; infinite: there are none */
    int next;            /* step */
    int risen;           /* steps in a row that are past the minimum so far */
    bool is_over;
} walk;

typedef struct search {
    const tune_space *space;
    tune_best *best; /* [methods] */
    walk *walks;     /* [methods] */
    double least;    /* value so far */
    bool drops;      /* slow trials are not repeated, slow methods not continued */
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

/* Runs a trial as often as it deserves. False: the budget is used up. */
static bool measure(search *s, int method, int step, double *seconds)
{
    const tune_space *space = s->space;
    double values[MOST_REPEATS];
    const int most = space->repeats < MOST_REPEATS ? space->repeats : MOST_REPEATS;
    int count = 0;
    do {
        if (!space->run(space->context, method, step, &values[count])) {
            s->result.is_whole = false;
            return false;
        }
        s->result.runs++;
        count++;
    } while (count < most && isfinite(values[count - 1]) &&
             !(s->drops && count == 1 && values[0] > repeated * s->least));
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    *seconds = isfinite(values[count - 1]) ? find_quartile(values, count, 2) : INFINITY;
    return true;
}

static void note(search *s, int method, int step, double seconds)
{
    if (seconds < s->best[method].seconds) {
        s->best[method] = (tune_best){step, seconds};
    }
    if (seconds < s->least) {
        s->least = seconds;
        s->result.method = method;
    }
}

/* The next step of a method. False: the budget is used up. */
static bool advance(search *s, int method)
{
    walk *w = &s->walks[method];
    double seconds;
    if (!measure(s, method, w->next, &seconds)) {
        return false;
    }
    note(s, method, w->next, seconds);
    w->risen = seconds > risen * s->best[method].seconds ? w->risen + 1 : 0;
    w->before = w->last;
    w->last = seconds;
    w->next++;
    w->is_over = w->next == s->space->steps || !isfinite(seconds);
    return true;
}

static bool is_past_minimum(const search *s, int method)
{
    return s->walks[method].risen >= BEYOND;
}

/* ---- Strategies -------------------------------------------------------------------- */

static int method_at(const tune_space *space, int n)
{
    return space->order ? space->order[n] : n;
}

/* Each method down its axis: to the end, or to two steps past its minimum. */
static void walk_methods(search *s, bool to_the_end)
{
    for (int n = 0; n < s->space->methods; n++) {
        const int method = method_at(s->space, n);
        while (!s->walks[method].is_over) {
            if (!advance(s, method)) {
                return;
            }
            if (!to_the_end && is_past_minimum(s, method)) {
                s->walks[method].is_over = true;
            }
        }
    }
}

/* The likely value of the next step, if the rate of change stays. */
static double predict(const walk *w)
{
    return isfinite(w->before) ? w->last * fmin(1.0, w->last / w->before) : w->last;
}

static int find_promising(const search *s)
{
    int promising = -1;
    for (int n = 0; n < s->space->methods; n++) {
        const int method = method_at(s->space, n);
        const walk *w = &s->walks[method];
        if (!w->is_over &&
            (promising < 0 || predict(w) < predict(&s->walks[promising]))) {
            promising = method;
        }
    }
    return promising;
}

/* Whether a method that is far behind will hardly catch up. */
static bool lags(const search *s, const walk *w)
{
    return w->last > hopeless * s->least ||
           (isfinite(w->before) && w->last > dropped * s->least &&
            predict(w) > dropped * s->least);
}

static bool are_related(const tune_space *space, int a, int b)
{
    return space->family ? space->family[a] == space->family[b] : a == b;
}

/* The best method that has steps left, of a family that has not been polished; -1: none.
 */
static int find_polishable(const search *s, const int *polished, int count)
{
    int found = -1;
    for (int method = 0; method < s->space->methods; method++) {
        bool is_open =
            s->walks[method].next < s->space->steps && isfinite(s->best[method].seconds);
        for (int n = 0; n < count; n++) {
            is_open = is_open && !are_related(s->space, polished[n], method);
        }
        if (is_open && (found < 0 || s->best[method].seconds < s->best[found].seconds)) {
            found = method;
        }
    }
    return found;
}

/* The rest of an axis. Returns false if the budget is used up. */
static bool walk_to_end(search *s, int method)
{
    while (s->walks[method].next < s->space->steps) {
        if (!advance(s, method)) {
            return false;
        }
    }
    return true;
}

/* Scans the rest of the axes of the best methods of some families: there may be another
 * minimum, as where messages become short enough for another protocol. */
static void polish(search *s)
{
    int polished[POLISHED];
    int method = s->space->usual; /* goes first */
    for (int n = 0; n < POLISHED; n++) {
        method = n > 0 || method < 0 ? find_polishable(s, polished, n) : method;
        if (method < 0 || !walk_to_end(s, method)) {
            return;
        }
        polished[n] = method;
    }
}

static bool scan_methods(search *s)
{
    for (int n = 0; n < s->space->methods; n++) {
        if (!advance(s, method_at(s->space, n))) {
            return false;
        }
    }
    return true;
}

static void scan(search *s)
{
    if (!scan_methods(s)) {
        return;
    }
    for (int method; (method = find_promising(s)) >= 0;) {
        walk *w = &s->walks[method];
        if (lags(s, w)) {
            w->is_over = true;
            continue;
        }
        if (!advance(s, method)) {
            return;
        }
        w->is_over = w->is_over || is_past_minimum(s, method) || lags(s, w);
    }
    polish(s);
}

status tune_search(tune_strategy strategy, const tune_space *space, tune_best *best,
                   tune_result *result)
{
    search s = {.space = space,
                .best = best,
                .walks = malloc((size_t)space->methods * sizeof *s.walks),
                .least = INFINITY,
                .drops = strategy != TUNE_EXHAUSTIVE,
                .result = {.method = -1, .is_whole = true}};
    if (!s.walks) {
        return base_fail_memory((size_t)space->methods * sizeof *s.walks, "tuning");
    }
    for (int method = 0; method < space->methods; method++) {
        s.walks[method] = (walk){.last = INFINITY, .before = INFINITY};
        best[method] = (tune_best){0, INFINITY};
    }
    if (strategy == TUNE_SMGD) {
        scan(&s);
    } else {
        walk_methods(&s, strategy == TUNE_EXHAUSTIVE);
    }
    free(s.walks);
    *result = s.result;
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

int64_t tune_race(const tune_space *space, int rounds, tune_finalist *finalists,
                  int count)
{
    int64_t runs = 0;
    bool goes_on = true;
    for (int n = 0; n < count; n++) {
        finalists[n].count = 0;
    }
    for (int round = 0; round < rounds && round < TUNE_MOST_ROUNDS && goes_on; round++) {
        double seconds[TUNE_MOST_ROUNDS];
        int n = 0;
        for (; n < count && n < TUNE_MOST_ROUNDS && goes_on; n++) {
            goes_on = space->run(space->context, finalists[n].method, finalists[n].step,
                                 &seconds[n]);
            runs += goes_on;
        }
        for (int k = 0; k < n && goes_on; k++) { /* whole rounds count */
            finalists[k].runs[finalists[k].count++] = seconds[k];
        }
    }
    for (int n = 0; n < count; n++) {
        summarize(&finalists[n]);
    }
    return runs;
}

int tune_choose(const tune_finalist *finalists, int count, double least)
{
    int best = 0;
    for (int n = 1; n < count; n++) {
        best = finalists[n].seconds < finalists[best].seconds ? n : best;
    }
    const double usual = finalists[0].seconds;
    const double margin =
        fmax(least, fmax(finalists[0].spread, finalists[best].spread)) * usual;
    return best > 0 && isfinite(margin) && usual - finalists[best].seconds > margin ? best
                                                                                    : 0;
}

#include "search.h"

#include "quantile.h"

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

/* One run of a trial. False: the budget is used up. */
static bool run_once(search *s, trial *t)
{
    const tune_space *space = s->space;
    if (!space->run(space->context, t->method, t->step, &t->values[t->count])) {
        s->result.is_whole = false;
        return false;
    }
    s->result.runs++;
    t->all += t->values[t->count++];
    return true;
}

/* Notes the value of a trial, the median of its runs, and returns it. */
static double note(search *s, trial *t)
{
    tune_best *best = &s->best[t->method];
    tune_sort(t->values, t->count);
    const double seconds = isfinite(t->values[t->count - 1])
                               ? tune_quartile(t->values, t->count, 2)
                               : INFINITY;
    if (seconds < best->seconds || t->step == best->step) {
        *best = (tune_best){t->step, seconds};
    }
    s->least = fmin(s->least, seconds);
    return seconds;
}

/* Runs a trial as often as it deserves, and notes its value. False: the budget is used
 * up. */
static bool measure(search *s, trial *t, int most, double *seconds)
{
    while (deserves_more(s, t, most)) {
        if (!run_once(s, t)) {
            return false;
        }
    }
    *seconds = note(s, t);
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

/* Puts scanned trial n among those before it, by the values of their methods. */
static void sort_in(search *s, int n)
{
    const trial t = s->scanned[n];
    const double seconds = s->best[t.method].seconds;
    int at = n;
    for (; at > 0 && s->best[s->scanned[at - 1].method].seconds > seconds; at--) {
        s->scanned[at] = s->scanned[at - 1];
    }
    s->scanned[at] = t;
}

/* One run of each likely method, or some brief ones, and their order by it. False: the
 * budget is used up. */
static bool scan_methods(search *s)
{
    for (int n = 0; n < count_likely(s->space); n++) {
        const int method = method_at(s->space, n);
        double seconds;
        s->scanned[n] = (trial){.method = method, .step = find_start(s->space, method)};
        if (!measure(s, &s->scanned[n], 1, &seconds)) {
            return false;
        }
        sort_in(s, n);
    }
    return true;
}

/* Walks along the axes of the best methods of a scan. */
static void follow(search *s)
{
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

/* Runs the better half of the methods of a scan again, then the better half of these,
 * until few are left: about as many as the race has. */
static void run_heats(search *s)
{
    enum { FEW = 5 };
    int count = count_likely(s->space);
    while (count > FEW) {
        count = (count + 1) / 2;
        for (int n = 0; n < count; n++) {
            if (!run_once(s, &s->scanned[n])) {
                return;
            }
            note(s, &s->scanned[n]);
        }
        for (int n = 1; n < count; n++) {
            sort_in(s, n);
        }
    }
}

static void scan(search *s)
{
    if (!scan_methods(s)) {
        return;
    }
    if (s->space->has_heats) {
        run_heats(s);
    } else {
        follow(s);
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
    case TUNE_SMGD:
        scan(&s);
        break;
    }
    free(s.scanned);
    *result = s.result;
    result->method = find_best(&s);
    return STATUS_OK;
}

#include "point.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "messages/search/methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FINALISTS = 4,          /* the usual choice and others */
    FINALISTS_OF_LINKS = 3, /* over links, where runs scatter less */
    ROUNDS = 3,             /* of a race, at least */
    ATTEMPTS = 3            /* on a busy machine */
};

/* A win by less is no reason to leave the usual choice. */
static const double least_gain = 0.03;

/* A trial that took so many times as long as the best one is no finalist. Those on one
 * node scatter more. */
static const double lag_of_links = 1.06, lag_of_node = 1.15;

/* Trials that take less are repeated, in seconds: over links, where they are few beside
 * the others. On one node nearly all are brief. */
static const double brief = 0.01;

/* A race of brief trials takes so many seconds, with drawing, unless it is decided. */
static const double race_of_links = 0.3, race_of_node = 0.025;

/* The part of a point's time that the search may use; the rest is for the race. */
static const double search_share = 0.7;

/* The part of the time of an exhaustive search that search and race may take together, if
 * the race is not decided earlier. */
static const double exhaustive_share = 1.0 / 14;

/* A search on rank 0. */
typedef struct searching {
    tune_stage *stage;
    tune_case of; /* the scene's */
    tune_methods methods;
    tune_axis axis;
    tune_order order;
    int usual;                          /* the method of the usual choice; -1: none */
    int usual_segment;                  /* and its most pixels of a message */
    const simulate_machine *machine;    /* that the simulator takes */
    double deadline;                    /* on base_clock */
    tune_finalist finalists[FINALISTS]; /* [nfinalists]: the usual choice, then others */
    int nfinalists;
} searching;

/* The choice of a trial; method `count` is the usual one. */
static composite_choice find_choice(const searching *s, int method, int step)
{
    composite_choice choice = {0};
    if (method < s->methods.count) {
        choice = s->methods.items[method];
        choice.segment = s->axis.segments[step];
    }
    return choice;
}

static bool has_links(const searching *s)
{
    return s->stage->scene->nodes.count > 1;
}

/* tune_space.run */
static bool run(void *context, int method, int step, double *seconds)
{
    searching *s = context;
    if (base_clock() > s->deadline) {
        return false;
    }
    const composite_choice choice = find_choice(s, method, step);
    *seconds = tune_stage_run(s->stage, &choice);
    return true;
}

/* tune_space.turn: another view in each round, the first of them as in the search. Some
 * choices are fast only if rank 0 has a certain place, and rules serve all views. */
static void turn(void *context, int round)
{
    const double golden = 0.6180339887498949; /* spreads any number of places evenly */
    searching *s = context;
    const int nodes = s->stage->scene->nodes.count;
    s->stage->at = (int)(nodes * fmod(0.5 + golden * round, 1));
}

/* Lists methods and segments, in the order of trial. */
static status prepare(searching *s)
{
    const tune_scene *scene = s->stage->scene;
    const tune_picture *picture = &scene->picture;
    s->of = (tune_case){
        .problem = {.size = scene->ranks,
                    .pixels = (int64_t)picture->width * picture->height,
                    .op = COMPOSITE_OVER,
                    .root = tune_scene_root(scene),
                    .gather_bytes = picture->target == COMPOSITE_FLOATS ? 16 : 0,
                    .cuts = simulate_activity_cuts(&scene->activity, scene->ranks)},
        .nodes = &scene->nodes,
        .shares_pieces = picture->target != COMPOSITE_FLOATS,
        .activity = scene->activity.spans ? &scene->activity : NULL};
    tune_methods_list(&s->of, &s->methods);
    s->usual = tune_methods_usual(&s->of, &s->methods);
    s->usual_segment = composite_rules_segment(
        s->usual >= 0 ? s->methods.items[s->usual].algorithm : NULL, &s->of.problem);
    tune_axis_find(s->of.problem.pixels, &s->axis);
    return tune_methods_sort(&s->of, s->machine, &s->methods, &s->axis, &s->order);
}

/* ---- Finalists --------------------------------------------------------------------- */

/* Whether a trial is just the usual choice. */
static bool is_usual(const searching *s, int method, int step)
{
    const tune_picture *picture = &s->stage->scene->picture;
    const int64_t pixels = (int64_t)picture->width * picture->height;
    const int segment = find_choice(s, method, step).segment;
    return s->usual >= 0 && s->order.same[method] == s->order.same[s->usual] &&
           (segment == s->usual_segment ||
            (segment >= pixels && s->usual_segment >= pixels));
}

/* The best method but for those that are taken; -1: none. */
static int find_next(const searching *s, const tune_best *best, const bool *taken)
{
    int next = -1;
    for (int m = 0; m < s->methods.count; m++) {
        if (!taken[m] && isfinite(best[m].seconds) && !is_usual(s, m, best[m].step) &&
            (next < 0 || best[m].seconds < best[next].seconds)) {
            next = m;
        }
    }
    return next;
}

/* The usual choice, and the best trials of the best methods: one at least, and others
 * that are near it. */
static void find_finalists(searching *s, const tune_best *best)
{
    bool taken[TUNE_MOST_METHODS] = {false};
    const int first = find_next(s, best, taken);
    const double lag = has_links(s) ? lag_of_links : lag_of_node;
    const int most = has_links(s) ? FINALISTS_OF_LINKS : FINALISTS;
    s->finalists[0] = (tune_finalist){.method = s->methods.count};
    s->nfinalists = 1;
    for (int m = first; m >= 0 && s->nfinalists < most; m = find_next(s, best, taken)) {
        if (best[m].seconds > lag * best[first].seconds) {
            break;
        }
        s->finalists[s->nfinalists++] =
            (tune_finalist){.method = m, .step = best[m].step};
        taken[m] = true;
    }
}

static composite_choice choice_of(const searching *s, const tune_finalist *f)
{
    return find_choice(s, f->method, f->step);
}

/* The fastest finalist beside the usual choice; that one if it is alone. */
static const tune_finalist *find_best_other(const searching *s)
{
    const tune_finalist *best = s->finalists;
    for (int n = 1; n < s->nfinalists; n++) {
        const tune_finalist *f = &s->finalists[n];
        best = best == s->finalists || f->seconds < best->seconds ? f : best;
    }
    return best;
}

static void note(const searching *s, const tune_finalist *winner, tune_outcome *out)
{
    const tune_scene *scene = s->stage->scene;
    const tune_finalist *usual = s->finalists;
    const tune_finalist *best = find_best_other(s);
    out->is_decided = (s->nfinalists > 1 || out->is_whole) && isfinite(usual->seconds);
    out->best_seconds = best != usual ? best->seconds : INFINITY;
    out->best = choice_of(s, best);
    out->tuned = (frame_tuned){
        .rule = {.target = scene->picture.target,
                 .pixels = (int64_t)scene->picture.width * scene->picture.height,
                 .activity = scene->share,
                 .choice = choice_of(s, winner),
                 .reason = COMPOSITE_TUNED},
        .seconds = winner->seconds,
        .usual_seconds = usual->seconds,
        .spread = fmax(usual->spread, winner->spread)};
}

/* ---- The race ---------------------------------------------------------------------- */

/* The length of a race: as long as the time allows that an exhaustive search would take.
 * A run so far took `run` seconds, and all of them `used`. */
static tune_limits find_limits(const searching *s, double run, double used)
{
    const double all = run * TUNE_EXHAUSTIVE_REPEATS * s->methods.count * s->axis.count;
    const double left =
        fmax(exhaustive_share * all - used, has_links(s) ? race_of_links : race_of_node);
    const double rounds = left / (run * s->nfinalists);
    return (tune_limits){.rounds = (int)fmin(TUNE_MOST_ROUNDS, fmax(ROUNDS, rounds)),
                         .least = least_gain,
                         .brief = has_links(s) ? 0.5 * race_of_links : INFINITY};
}

/* ---- The point --------------------------------------------------------------------- */

/* The search and the race, until `end` on base_clock. */
static status attempt(searching *s, const tune_effort *effort, const tune_space *space,
                      double end, tune_outcome *out)
{
    tune_best best[TUNE_MOST_METHODS];
    const double begin = base_clock();
    const bool tries_all = effort->strategy == TUNE_EXHAUSTIVE;
    tune_result result;
    s->deadline = begin + search_share * (end - begin);
    const status outcome = tune_search(effort->strategy, space, best, &result);
    if (outcome != STATUS_OK) {
        return outcome;
    }
    find_finalists(s, best);
    const double used = base_clock() - begin;
    const tune_limits limits = find_limits(
        s, used / (double)(result.runs > 0 ? result.runs : 1), tries_all ? 0 : used);
    s->deadline = end;
    out->is_whole = result.is_whole;
    out->runs += result.runs + tune_race(space, &limits, s->finalists, s->nfinalists);
    note(s, &s->finalists[tune_choose(s->finalists, s->nfinalists, least_gain)], out);
    return STATUS_OK;
}

/* The usual choice, in the view in which a search begins. */
static tune_probe probe(searching *s, const tune_space *space)
{
    turn(s, 0);
    return tune_probe_run(space, s->methods.count, 0);
}

/* Rank 0: searches until the machine is as fast afterwards as before. */
static status lead(searching *s, const tune_effort *effort, tune_outcome *out)
{
    const double begin = base_clock();
    status outcome = prepare(s);
    if (outcome != STATUS_OK || s->methods.count == 0) {
        return outcome;
    }
    const tune_space space = {.methods = s->methods.count,
                              .steps = s->axis.count,
                              .order = s->order.order,
                              .start = s->order.start,
                              .likely = s->order.likely,
                              .brief = has_links(s) ? brief : 0,
                              .has_heats = !has_links(s),
                              .repeats = effort->repeats,
                              .run = run,
                              .turn = turn,
                              .context = s};
    tune_stage_run(s->stage, &(composite_choice){0}); /* connects, touches memory */
    const double end = begin + effort->seconds;
    s->deadline = end;
    tune_probe before = probe(s, &space);
    for (int n = 0; n < ATTEMPTS && outcome == STATUS_OK; n++) {
        outcome = attempt(s, effort, &space, end, out);
        const tune_probe after = probe(s, &space);
        out->is_busy = tune_has_drifted(&before, &after);
        if (!out->is_busy || base_clock() > end || n == ATTEMPTS - 1) {
            break;
        }
        printf("the machine is busy: auto took %.3f ms before the search and %.3f ms "
               "after it; searching again\n",
               1e3 * before.seconds, 1e3 * after.seconds);
        before = after;
    }
    out->seconds = base_clock() - begin;
    return outcome;
}

status tune_point(tune_scene *scene, int threads, const simulate_machine *machine,
                  const tune_effort *effort, tune_outcome *out)
{
    tune_stage stage;
    *out = (tune_outcome){.best_seconds = INFINITY};
    status s = tune_stage_open(scene, threads, &stage);
    if (s != STATUS_OK) {
        return s;
    }
    const frame_crowd crowd = frame_crowd_find(scene->comm);
    if (scene->rank == 0) {
        searching *search = calloc(1, sizeof *search);
        s = search ? STATUS_OK : base_fail_memory(sizeof *search, "tuning");
        if (search) {
            search->stage = &stage;
            search->machine = machine;
            s = lead(search, effort, out);
        }
        tune_stage_dismiss(&stage);
        free(search);
    } else {
        tune_stage_serve(&stage);
    }
    out->tuned.crowd = crowd;
    s = parallel_agree(scene->comm, s);
    tune_stage_close(&stage);
    return s;
}

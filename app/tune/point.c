#include "point.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "composite/tune/methods.h"

#include <math.h>
#include <stdlib.h>

enum {
    FINALISTS = 3, /* the usual choice and others */
    ROUNDS = 15
};

/* A win by less is no reason to leave the usual choice. */
static const double least_gain = 0.03;

/* A trial that took so many times as long as the best one is no finalist. */
static const double finalist_lag = 1.06;

/* Trials that take less are repeated, in seconds: over links, where they are few beside
 * the others. On one node nearly all are brief. */
static const double brief = 0.01;

/* The part of a point's time that the search may use; the rest is for the race. */
static const double search_share = 0.7;

/* A search on rank 0. */
typedef struct searching {
    tune_stage *stage;
    tune_methods methods;
    tune_axis axis;
    tune_order order;
    int usual;                       /* the method of the usual choice; -1: none */
    int usual_segment;               /* and its most pixels of a message */
    const simulate_machine *machine; /* that the simulator takes */
    double deadline;                 /* on base_clock */
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

/* Lists methods and segments, in the order of trial. */
static status prepare(searching *s)
{
    const tune_scene *scene = s->stage->scene;
    const tune_picture *picture = &scene->picture;
    const tune_case of = {
        .problem = {.size = scene->ranks,
                    .pixels = (int64_t)picture->width * picture->height,
                    .op = COMPOSITE_OVER,
                    .root = tune_scene_root(scene),
                    .gather_bytes = picture->target == COMPOSITE_FLOATS ? 16 : 0,
                    .cuts = simulate_activity_cuts(&scene->activity, scene->ranks)},
        .nodes = &scene->nodes,
        .shares_pieces = picture->target != COMPOSITE_FLOATS,
        .activity = scene->activity.spans ? &scene->activity : NULL};
    tune_methods_list(&of, &s->methods);
    s->usual = tune_methods_usual(&of, &s->methods);
    s->usual_segment = composite_rules_segment(&of.problem);
    tune_axis_find(of.problem.pixels, &s->axis);
    return tune_methods_sort(&of, s->machine, &s->methods, &s->axis, &s->order);
}

/* ---- Finalists --------------------------------------------------------------------- */

/* Whether a trial is just the usual choice. */
static bool is_usual(const searching *s, int method, int step)
{
    const tune_picture *picture = &s->stage->scene->picture;
    const int64_t pixels = (int64_t)picture->width * picture->height;
    const int segment = s->axis.segments[step];
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
 * that are near it. Returns their number. */
static int find_finalists(const searching *s, const tune_best *best,
                          tune_finalist *finalists)
{
    bool taken[TUNE_MOST_METHODS] = {false};
    const int first = find_next(s, best, taken);
    finalists[0] = (tune_finalist){.method = s->methods.count};
    int count = 1;
    for (int m = first; m >= 0 && count < FINALISTS; m = find_next(s, best, taken)) {
        if (best[m].seconds > finalist_lag * best[first].seconds) {
            break;
        }
        finalists[count++] = (tune_finalist){.method = m, .step = best[m].step};
        taken[m] = true;
    }
    return count;
}

static void note(const searching *s, const tune_finalist *finalists, int count,
                 tune_outcome *out)
{
    const tune_scene *scene = s->stage->scene;
    const int winner = tune_choose(finalists, count, least_gain);
    int best = 0;
    for (int n = 1; n < count; n++) {
        best = best == 0 || finalists[n].seconds < finalists[best].seconds ? n : best;
    }
    out->is_decided = count > 1 && isfinite(finalists[0].seconds);
    out->best_seconds = best > 0 ? finalists[best].seconds : INFINITY;
    out->best = find_choice(s, finalists[best].method, finalists[best].step);
    out->tuned = (app_tuned){
        .rule = {.target = scene->picture.target,
                 .pixels = (int64_t)scene->picture.width * scene->picture.height,
                 .activity = scene->share,
                 .choice =
                     find_choice(s, finalists[winner].method, finalists[winner].step),
                 .reason = COMPOSITE_TUNED},
        .seconds = finalists[winner].seconds,
        .usual_seconds = finalists[0].seconds,
        .spread = fmax(finalists[0].spread, finalists[winner].spread)};
}

/* ---- The point --------------------------------------------------------------------- */

/* Rank 0: the search and the race. */
static status lead(searching *s, const tune_effort *effort, tune_outcome *out)
{
    tune_best best[TUNE_MOST_METHODS];
    tune_finalist finalists[FINALISTS];
    const double begin = base_clock();
    tune_result result;
    status outcome = prepare(s);
    if (outcome != STATUS_OK || s->methods.count == 0) {
        return outcome;
    }
    const tune_space space = {.methods = s->methods.count,
                              .steps = s->axis.count,
                              .order = s->order.order,
                              .start = s->order.start,
                              .likely = s->order.likely,
                              .brief = s->stage->scene->nodes.count > 1 ? brief : 0,
                              .repeats = effort->repeats,
                              .run = run,
                              .context = s};
    s->deadline = begin + search_share * effort->seconds;
    tune_stage_run(s->stage, &(composite_choice){0}); /* connects, touches memory */
    outcome = tune_search(effort->strategy, &space, best, &result);
    if (outcome != STATUS_OK) {
        return outcome;
    }
    const int count = find_finalists(s, best, finalists);
    s->deadline = begin + effort->seconds;
    out->runs = result.runs + tune_race(&space, ROUNDS, least_gain, finalists, count);
    out->is_whole = result.is_whole;
    note(s, finalists, count, out);
    out->seconds = base_clock() - begin;
    return STATUS_OK;
}

status tune_point(const tune_scene *scene, int threads, const simulate_machine *machine,
                  const tune_effort *effort, tune_outcome *out)
{
    tune_stage stage;
    *out = (tune_outcome){.best_seconds = INFINITY};
    status s = tune_stage_open(scene, threads, &stage);
    if (s != STATUS_OK) {
        return s;
    }
    const app_crowd crowd = app_crowd_find(scene->comm);
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

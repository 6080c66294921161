/* The search of karman tune, on made-up costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs those above. */
#include <cmocka.h>

#include "messages/search/methods.h"
#include "messages/search/predict.h"
#include "messages/search/race.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

enum { METHODS = 60, STEPS = 9, REPEATS = 3, CASES = 200 };

/*
 * Times as measurements have them: each method has a minimum somewhere on its axis,
 * beside it time grows by a power of the segment, small waves lie over it, and runs
 * scatter. The order of trial is half right, and so is the step to begin with.
 */
typedef struct model {
    uint64_t random;
    double seconds[METHODS][STEPS];
    int order[METHODS], start[METHODS];
    double noise;
    int64_t runs, most_runs; /* most 0: any number */
} model;

static double clean_cost(double base, double best, double slope, int step)
{
    const double distance = fabs(step - best);
    return base * pow(2.0, slope * distance) * (1.0 + 0.02 * (step % 2));
}

static void make_model(model *m, uint64_t number, double noise)
{
    double guess[METHODS];
    *m = (model){.random = random_start(77, number), .noise = noise};
    for (int n = 0; n < METHODS; n++) {
        const double base = 1.0 + 4.0 * pow(random_between(&m->random, 0, 1), 2.0);
        const double best = random_between(&m->random, 0, STEPS - 1);
        const double slope = random_between(&m->random, 0.02, 0.3);
        for (int step = 0; step < STEPS; step++) {
            m->seconds[n][step] = clean_cost(base, best, slope, step);
        }
        m->start[n] =
            (int)fmin(STEPS - 1, fmax(0, best + random_between(&m->random, -2.0, 2.0)));
        guess[n] = base * random_between(&m->random, 0.6, 1.7);
        int at = n;
        for (; at > 0 && guess[m->order[at - 1]] > guess[n]; at--) {
            m->order[at] = m->order[at - 1];
        }
        m->order[at] = n;
    }
}

static bool run_model(void *context, int method, int step, double *seconds)
{
    model *m = context;
    if (m->most_runs > 0 && m->runs >= m->most_runs) {
        return false;
    }
    m->runs++;
    *seconds =
        m->seconds[method][step] * (1.0 + m->noise * random_between(&m->random, 0, 1));
    return true;
}

static tune_space make_space(model *m)
{
    return (tune_space){.methods = METHODS,
                        .steps = STEPS,
                        .order = m->order,
                        .start = m->start,
                        .repeats = REPEATS,
                        .run = run_model,
                        .context = m};
}

/* The clean time of what a search found. */
static double search_cost(model *m, tune_strategy strategy, tune_result *result)
{
    tune_best best[METHODS];
    const tune_space space = make_space(m);
    assert_int_equal(tune_search(strategy, &space, best, result), STATUS_OK);
    assert_in_range(result->method, 0, METHODS - 1);
    assert_int_equal(result->runs, m->runs);
    assert_true(result->is_whole);
    return m->seconds[result->method][best[result->method].step];
}

static double least_cost(const model *m)
{
    double least = INFINITY;
    for (int n = 0; n < METHODS; n++) {
        for (int step = 0; step < STEPS; step++) {
            least = fmin(least, m->seconds[n][step]);
        }
    }
    return least;
}

static void exhaustive_search_runs_everything_and_finds_the_best(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20; n++) {
        model m;
        tune_result result;
        make_model(&m, n, 0.0);
        assert_true(search_cost(&m, TUNE_EXHAUSTIVE, &result) == least_cost(&m));
        assert_int_equal(result.runs, METHODS * STEPS * REPEATS);
    }
}

/* Counts the cases within 5 % of the best; all runs must be at most 1 / `saving` of those
 * of the exhaustive search. */
static int count_close(tune_strategy strategy, double noise, double saving)
{
    int close = 0;
    int64_t runs = 0;
    for (uint64_t n = 0; n < CASES; n++) {
        model m;
        tune_result result;
        make_model(&m, n, noise);
        close += search_cost(&m, strategy, &result) <= 1.05 * least_cost(&m);
        runs += result.runs;
    }
    const double most = (double)CASES * METHODS * STEPS * REPEATS / saving;
    if ((double)runs > most) {
        fail_msg("%lld runs, at most %.0f expected", (long long)runs, most);
    }
    return close;
}

static void smgd_is_close_to_the_best_with_a_tenth_of_the_runs(void **state)
{
    (void)state;
    assert_in_range(count_close(TUNE_SMGD, 0.0, 10.0), CASES * 95 / 100, CASES);
    assert_in_range(count_close(TUNE_SMGD, 0.03, 10.0), CASES * 95 / 100, CASES);
}

static tune_space make_small_space(model *m, int methods, int steps)
{
    return (tune_space){
        .methods = methods, .steps = steps, .repeats = 1, .run = run_model, .context = m};
}

/* The walk goes past the minimum at step 1, to 2, whose run is slow: it ends there. */
static void searches_look_past_a_minimum(void **state)
{
    (void)state;
    model m = {.seconds = {{4, 3, 3.5, 2, 2.1, 2.15, 1}}};
    tune_best best[2];
    tune_result result;
    const tune_space space = make_small_space(&m, 1, 7);
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(best[0].step, 1);
    assert_int_equal(result.runs, 3);
}

/* A walk goes both ways from the likely step: to a larger segment one step past. */
static void searches_begin_at_the_likely_step(void **state)
{
    (void)state;
    const int start[] = {3};
    model m = {.seconds = {{1, 2.2, 2.1, 2.15, 2.2, 2.25, 1}}};
    tune_best best[1];
    tune_result result;
    tune_space space = make_small_space(&m, 1, 7);
    space.start = start;
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(best[0].step, 2);
    assert_int_equal(result.runs, 5); /* 3, 4, 5, 2, 1 */
}

/* Only likely methods are tried, but by an exhaustive search. */
static void unlikely_methods_are_left_out(void **state)
{
    (void)state;
    const int order[] = {2, 1, 0};
    for (int strategy = TUNE_EXHAUSTIVE; strategy <= TUNE_SMGD; strategy++) {
        model m = {.seconds = {{1}, {2}, {3}}};
        tune_best best[3];
        tune_result result;
        tune_space space = make_small_space(&m, 3, 1);
        space.order = order;
        space.likely = 2;
        assert_int_equal(tune_search((tune_strategy)strategy, &space, best, &result),
                         STATUS_OK);
        assert_int_equal(result.method, strategy == TUNE_EXHAUSTIVE ? 0 : 1);
        assert_int_equal(result.runs, strategy == TUNE_EXHAUSTIVE ? 3 : 2);
    }
}

/* All runs are brief. Method 1 is a little behind, method 2 far. */
static void brief_trials_are_repeated(void **state)
{
    (void)state;
    model m = {.seconds = {{0.001}, {0.00105}, {0.002}}};
    tune_best best[3];
    tune_result result;
    tune_space space = make_small_space(&m, 3, 1);
    space.repeats = 2;
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.runs, 2 + 2 + 1);
    space.brief = 0.02;
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.runs, 5 + 5 + 1);
}

/* Of eleven methods six run again, and of these three. No axis is walked along. */
static void heats_run_the_better_half_again(void **state)
{
    (void)state;
    enum { COUNT = 11 };
    model m = {.runs = 0};
    tune_best best[COUNT];
    tune_result result;
    for (int n = 0; n < COUNT; n++) {
        m.seconds[n][0] = 3 + (n + 7) % COUNT; /* method 4 is the best */
        m.seconds[n][1] = 1;
    }
    tune_space space = make_small_space(&m, COUNT, 2);
    space.has_heats = true;
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.runs, 11 + 6 + 3);
    assert_int_equal(result.method, 4);
    for (int n = 0; n < COUNT; n++) {
        assert_int_equal(best[n].step, 0);
    }
    for (int64_t most = 1; most < 11 + 6 + 3; most++) {
        m.runs = 0;
        m.most_runs = most;
        assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
        assert_int_equal(result.runs, most);
        assert_false(result.is_whole);
    }
}

/* The first run of method 0 is the shortest, its others are longer than those of method
 * 1. */
static bool run_scattered(void *context, int method, int step, double *seconds)
{
    int *counts = context;
    (void)step;
    *seconds = method == 0 ? (counts[0] == 0 ? 0.9 : 1.3) : method == 1 ? 1.0 : 2.0;
    counts[method]++;
    return true;
}

static void heats_correct_a_lucky_run(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    int counts[COUNT] = {0};
    tune_best best[COUNT];
    tune_result result;
    const tune_space space = {.methods = COUNT,
                              .steps = 1,
                              .repeats = 1,
                              .has_heats = true,
                              .run = run_scattered,
                              .context = counts};
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.runs, 6 + 3);
    assert_int_equal(result.method, 1);
    assert_true(best[0].seconds == 1.1);
}

/* The first run of method 0 is a lucky one. */
static bool run_lucky(void *context, int method, int step, double *seconds)
{
    int64_t *runs = context;
    (void)step;
    *seconds = method == 1 ? 1.0 : *runs == 0 ? 0.98 : 1.02;
    ++*runs;
    return true;
}

static void a_lucky_run_is_repeated(void **state)
{
    (void)state;
    int64_t runs = 0;
    tune_best best[2];
    tune_result result;
    const tune_space space = {
        .methods = 2, .steps = 1, .repeats = 3, .run = run_lucky, .context = &runs};
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.method, 1);
    assert_true(best[0].seconds == 1.02);
    assert_int_equal(result.runs, 6);
}

static void a_budget_ends_every_search(void **state)
{
    (void)state;
    for (int strategy = TUNE_EXHAUSTIVE; strategy <= TUNE_SMGD; strategy++) {
        for (int64_t most = 1; most < METHODS; most++) {
            model m;
            tune_best best[METHODS];
            tune_result result;
            make_model(&m, (uint64_t)most, 0.0);
            m.most_runs = most;
            const tune_space space = make_space(&m);
            assert_int_equal(tune_search((tune_strategy)strategy, &space, best, &result),
                             STATUS_OK);
            assert_int_equal(m.runs, most);
            assert_false(result.is_whole);
        }
    }
}

static bool run_impossible(void *context, int method, int step, double *seconds)
{
    (void)step;
    *seconds = method == *(int *)context ? 1.0 : INFINITY;
    return true;
}

static void impossible_trials_are_left(void **state)
{
    (void)state;
    for (int possible = -1; possible < 3; possible++) {
        tune_best best[3];
        tune_result result;
        const tune_space space = {.methods = 3,
                                  .steps = STEPS,
                                  .repeats = REPEATS,
                                  .run = run_impossible,
                                  .context = &possible};
        assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
        assert_int_equal(result.method, possible);
    }
}

/* ---- The race ---------------------------------------------------------------------- */

static const tune_limits nine = {.rounds = 9, .least = 0.03};

static void a_race_is_run_in_turns_and_whole_rounds_count(void **state)
{
    (void)state;
    model m = {.seconds = {{4}, {3}, {5}}, .most_runs = 8};
    const tune_space space = make_small_space(&m, 3, 1);
    tune_finalist finalists[3] = {{.method = 0}, {.method = 1}, {.method = 2}};
    assert_int_equal(tune_race(&space, &nine, finalists, 3), 8);
    for (int n = 0; n < 3; n++) {
        assert_int_equal(finalists[n].count, 2);
        assert_true(finalists[n].seconds == m.seconds[n][0]);
        assert_true(finalists[n].spread == 0.0);
    }
    assert_int_equal(tune_choose(finalists, 3, 0.03), 1);
    m.most_runs = m.runs + 2; /* no whole round */
    assert_int_equal(tune_race(&space, &nine, finalists, 3), 2);
    assert_int_equal(tune_choose(finalists, 3, 0.03), 0);
}

/* Those that are clearly behind drop out after three rounds. Equal ones end the race
 * after five, or then if the usual choice has dropped out. */
static void a_race_ends_when_it_is_decided(void **state)
{
    (void)state;
    model m = {.seconds = {{4}, {3}, {3}, {5}}};
    tune_space space = make_small_space(&m, 4, 1);
    tune_finalist finalists[4] = {{.method = 0}, {.method = 1}, {.method = 3}};
    assert_int_equal(tune_race(&space, &nine, finalists, 3), 9);
    assert_int_equal(tune_choose(finalists, 3, 0.03), 1);
    finalists[2].method = 2;
    assert_int_equal(tune_race(&space, &nine, finalists, 3), 3 * 3);
    assert_true(finalists[0].is_out);
    assert_int_equal(finalists[1].count, 3);
    finalists[0].method = 2; /* an equal one, and one that is behind */
    finalists[2].method = 0;
    assert_int_equal(tune_race(&space, &nine, finalists, 3), 3 * 3 + 2 * 2);
    assert_int_equal(finalists[0].count, 5);
}

/* Brief rounds are repeated until six of them agree, however few are allowed, if the
 * usual choice would be replaced; if it stays, they end at the limit. */
static void a_brief_race_replaces_the_usual_choice_after_six_rounds(void **state)
{
    (void)state;
    const tune_limits limits = {.rounds = 3, .least = 0.03, .brief = 1000};
    model m = {.seconds = {{4}, {3}, {5}}};
    tune_space space = make_small_space(&m, 3, 1);
    tune_finalist finalists[2] = {{.method = 0}, {.method = 1}};
    assert_int_equal(tune_race(&space, &limits, finalists, 2), 6 * 2);
    assert_int_equal(tune_choose(finalists, 2, 0.03), 1);
    finalists[1].method = 2;
    assert_int_equal(tune_race(&space, &limits, finalists, 2), 3 * 2);
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
    finalists[1].method = 0; /* as fast: no more than three rounds, and six if allowed */
    assert_int_equal(tune_race(&space, &limits, finalists, 2), 3 * 2);
    const tune_limits more = {.rounds = 20, .least = 0.03, .brief = 1000};
    assert_int_equal(tune_race(&space, &more, finalists, 2), 6 * 2);
}

/* Finalist 1 gains a fifth, but for one round of the first six, in which it takes
 * `context` s. */
static bool run_with_outlier(void *context, int method, int step, double *seconds)
{
    double *outlier = context;
    const bool is_late = method == 1 && step == 0 && outlier[1]++ == 2;
    *seconds = is_late ? outlier[0] : method == 0 ? 1.0 : 0.8;
    return true;
}

/* It needs eight rounds, of which one may be an outlier; of six none may. */
static void an_outlier_makes_a_brief_race_longer(void **state)
{
    (void)state;
    static const double outliers[] = {1.01, 1.5};
    const tune_limits limits = {.rounds = 3, .least = 0.03, .brief = 1000};
    for (int n = 0; n < 2; n++) {
        double context[2] = {outliers[n], 0};
        const tune_space space = {
            .methods = 2, .steps = 1, .run = run_with_outlier, .context = context};
        tune_finalist finalists[2] = {{.method = 0}, {.method = 1}};
        assert_int_equal(tune_race(&space, &limits, finalists, 2), 2 * 8);
        assert_int_equal(tune_choose(finalists, 2, 0.03), 1);
    }
}

/* Finalist 1 gains a fifth in the view of the search, and loses a tenth in another. */
typedef struct views {
    int view, rounds;
} views;

static void turn_view(void *context, int round)
{
    views *v = context;
    v->view = round % 2;
    v->rounds++;
}

static bool run_view(void *context, int method, int step, double *seconds)
{
    const views *v = context;
    (void)step;
    *seconds = method == 0 ? 1.0 : v->view == 0 ? 0.8 : 1.1;
    return true;
}

static void a_choice_that_is_fast_in_one_view_does_not_win(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        views v = {0};
        const tune_space space = {.methods = 2,
                                  .steps = 1,
                                  .run = run_view,
                                  .turn = turns ? turn_view : NULL,
                                  .context = &v};
        tune_finalist finalists[2] = {{.method = 0}, {.method = 1}};
        tune_race(&space, &nine, finalists, 2);
        assert_int_equal(tune_choose(finalists, 2, 0.03), turns ? 0 : 1);
        assert_int_equal(v.rounds, turns ? finalists[0].count : 0);
    }
}

/* Gives runs of scattered times: those of finalist n take `seconds[n]` times 0.8 to 1.2,
 * and the whole machine is up to twice as slow. */
static void scatter(uint64_t *random, const double seconds[2], tune_finalist finalists[2])
{
    for (int n = 0; n < 2; n++) {
        finalists[n].count = TUNE_MOST_ROUNDS;
    }
    for (int round = 0; round < TUNE_MOST_ROUNDS; round++) {
        const double pace = random_between(random, 1, 2);
        for (int n = 0; n < 2; n++) {
            finalists[n].runs[round] =
                pace * seconds[n] * random_between(random, 0.8, 1.2);
        }
    }
}

/* The bounds of a ratio hold the true one in about 95 of 100 cases, and are narrow. */
static void bounds_of_a_ratio_are_right_nineteen_times_of_twenty(void **state)
{
    (void)state;
    static const double seconds[2] = {1.0, 1.07};
    uint64_t random = random_start(78, 1);
    int right = 0;
    for (int n = 0; n < 400; n++) {
        tune_finalist finalists[2] = {{0}};
        scatter(&random, seconds, finalists);
        const tune_ratio ratio = tune_compare(&finalists[1], &finalists[0]);
        right += ratio.least <= 1.07 && 1.07 <= ratio.most;
        assert_true(ratio.most - ratio.least < 0.25);
    }
    assert_in_range(right, 400 * 91 / 100, 400 * 99 / 100);
    const tune_finalist none = {0};
    assert_true(tune_compare(&none, &none).least == 0);
    assert_true(isinf(tune_compare(&none, &none).most));
}

/* Finalists with equal runs. */
static void fill_runs(tune_finalist *finalist, double seconds, double spread)
{
    finalist->seconds = seconds;
    finalist->spread = spread;
    finalist->count = 7;
    for (int n = 0; n < finalist->count; n++) {
        finalist->runs[n] = seconds;
    }
}

static void a_winner_gains_more_than_the_spread(void **state)
{
    (void)state;
    tune_finalist finalists[2] = {{0}};
    fill_runs(&finalists[0], 1.0, 0.02);
    fill_runs(&finalists[1], 0.9, 0.04);
    assert_int_equal(tune_choose(finalists, 2, 0.03), 1);
    finalists[1].spread = 0.11;
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
    finalists[1].spread = 0.0;
    finalists[0].spread = 0.11;
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
    finalists[0].spread = 0.0;
    fill_runs(&finalists[1], 0.98, 0.0);
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
}

/* Of five rounds one was slower: that may be luck. */
static void a_winner_is_faster_with_confidence(void **state)
{
    (void)state;
    tune_finalist finalists[2] = {{0}};
    fill_runs(&finalists[0], 1.0, 0.0);
    fill_runs(&finalists[1], 0.9, 0.0);
    finalists[1].runs[3] = 1.01;
    finalists[0].count = finalists[1].count = 5;
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
    finalists[1].runs[3] = 0.99;
    assert_int_equal(tune_choose(finalists, 2, 0.03), 1);
}

/* ---- Methods ----------------------------------------------------------------------- */

static void a_baseline_that_drifts_shows_a_busy_machine(void **state)
{
    static const struct {
        double factor, noise; /* of the second probe; of all runs */
        bool is_busy;
    } cases[] = {{1.0, 0.2, false}, {1.1, 0.02, false}, {1.4, 0.05, true},
                 {0.7, 0.05, true}, {1.2, 0.9, false},  {3.0, 0.3, true}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        model m;
        make_model(&m, n, cases[n].noise);
        const tune_space space = make_space(&m);
        const tune_probe before = tune_probe_run(&space, 0, 0);
        m.seconds[0][0] *= cases[n].factor;
        const tune_probe after = tune_probe_run(&space, 0, 0);
        if (tune_has_drifted(&before, &after) != cases[n].is_busy) {
            fail_msg("case %zu: %g s, then %g s: expected %sbusy", n, before.seconds,
                     after.seconds, cases[n].is_busy ? "" : "not ");
        }
        m.most_runs = m.runs + 2;
        const tune_probe cut = tune_probe_run(&space, 0, 0);
        assert_int_equal(cut.count, 2);
        assert_false(tune_has_drifted(&before, &cut));
    }
}

static int count_algorithm(const tune_methods *methods, const char *name, bool by_nodes)
{
    int count = 0;
    for (int n = 0; n < methods->count; n++) {
        count += methods->items[n].algorithm == composite_algorithm_find(name) &&
                 methods->items[n].by_nodes == by_nodes;
    }
    return count;
}

/* Of methods with the same messages one is likely. Among 2^n ranks 2-3 swap and radix-k
 * with factors 2 are binary swap. */
static void check_equals(const tune_methods *methods, const tune_order *sorted)
{
    int swaps = 0;
    for (int n = 0; n < sorted->likely; n++) {
        const int m = sorted->order[n];
        const composite_choice *one = &methods->items[m];
        assert_int_equal(sorted->same[m], m);
        swaps += !one->by_nodes &&
                 (strstr(one->algorithm->name, "swap") || one->params.factors[2] == 2);
    }
    assert_in_range(swaps, 0, 1);
    for (int m = 0; m < methods->count; m++) {
        assert_int_equal(sorted->same[sorted->same[m]], sorted->same[m]);
    }
}

static void list_methods(const int *node, int size, bool shares, tune_methods *methods)
{
    composite_nodes nodes = {0};
    tune_axis axis;
    tune_order sorted;
    bool seen[TUNE_MOST_METHODS] = {false};
    const simulate_machine machine = simulate_machine_usual();
    assert_int_equal(composite_nodes_find(size, node, &nodes), STATUS_OK);
    const tune_case of = {.problem = {.size = size, .pixels = 65536},
                          .nodes = &nodes,
                          .shares_pieces = shares};
    tune_methods_list(&of, methods);
    tune_axis_find(of.problem.pixels, &axis);
    assert_int_equal(tune_methods_sort(&of, &machine, methods, &axis, &sorted),
                     STATUS_OK);
    assert_in_range(sorted.likely, 1, methods->count);
    check_equals(methods, &sorted);
    for (int n = 0; n < methods->count; n++) {
        assert_in_range(sorted.order[n], 0, methods->count - 1);
        assert_in_range(sorted.start[n], 0, axis.count - 1);
        assert_false(seen[sorted.order[n]]);
        seen[sorted.order[n]] = true;
    }
    composite_nodes_clear(&nodes);
}

static void every_algorithm_is_tried_with_its_parameters(void **state)
{
    (void)state;
    const int alone[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int teams[] = {0, 0, 1, 1, 2, 2, 3, 3};
    tune_methods methods;
    list_methods(alone, 8, false, &methods);
    for (int n = 0; composite_algorithm_at(n); n++) {
        assert_true(count_algorithm(&methods, composite_algorithm_at(n)->name, false) >
                    0);
    }
    assert_int_equal(count_algorithm(&methods, "radix-k", false), 4); /* 8 42 24 222 */
    assert_int_equal(count_algorithm(&methods, "tree", false), 3);    /* 2 4 8 */
    assert_int_equal(count_algorithm(&methods, "chain", false), 4);   /* 1 2 4 8 */
    assert_int_equal(count_algorithm(&methods, "radix-k", true), 0);
    list_methods(teams, 8, false, &methods);
    assert_int_equal(count_algorithm(&methods, "radix-k", true), 2); /* of 4 nodes */
    assert_int_equal(count_algorithm(&methods, "radix-k", false), 4);
}

static void pieces_stay_shared_where_ranks_work_on_them(void **state)
{
    (void)state;
    const int alone[] = {0, 1, 2, 3, 4, 5, 6, 7};
    tune_methods methods;
    list_methods(alone, 8, true, &methods);
    assert_int_equal(count_algorithm(&methods, "serial", false), 0);
    assert_int_equal(count_algorithm(&methods, "tree", false), 0);
    assert_int_equal(count_algorithm(&methods, "chain", false), 2); /* 4 and 8 owners */
    assert_int_equal(count_algorithm(&methods, "direct-send", false), 1);
}

/* ---- Predictions ------------------------------------------------------------------- */

/* On links of 1 Gbit/s a tree brings few active pixels to rank 0 over fewer links, and
 * for pieces of dense images the usual choice is the best. */
/* Sparse floats of four nodes with several ranks each go by a tree. */
static void the_usual_choice_is_by_nodes_and_active_pixels(void **state)
{
    static const struct {
        composite_usual_case of;
        const char *algorithm;
    } cases[] = {{{8, 4, false, true, 0.3}, "tree"},
                 {{16, 4, false, true, 0.5}, "tree"},
                 {{8, 4, false, true, 0.6}, "direct-send"},
                 {{8, 4, false, false, 0.3}, "direct-send"},
                 {{4, 4, false, true, 0.3}, "direct-send"},
                 {{6, 3, false, true, 0.3}, "direct-send"},
                 {{10, 5, false, true, 0.3}, "direct-send"},
                 {{8, 8, true, true, 0.3}, "direct-send"},
                 {{64, 64, true, false, 1.0}, "direct-send"},
                 {{64, 32, false, true, 0.3}, "radix-k"}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_string_equal(composite_rules_usual(&cases[n].of)->name,
                            cases[n].algorithm);
    }
}

static void predictions_replace_the_usual_choice_where_they_gain(void **state)
{
    const simulate_machine machine = simulate_machine_usual();
    tune_question question = {4, 4, 1024, 1024, COMPOSITE_FLOATS, false};
    tune_answer answer;
    (void)state;
    assert_int_equal(tune_predict(&question, &machine, &answer), STATUS_OK);
    assert_non_null(answer.choice.algorithm);
    assert_true(answer.seconds < 0.9 * answer.usual_seconds);
    assert_true(answer.activity > 0.1 && answer.activity < 0.5);
    question.is_dense = true;
    question.target = COMPOSITE_PIECES;
    assert_int_equal(tune_predict(&question, &machine, &answer), STATUS_OK);
    assert_null(answer.choice.algorithm);
    assert_true(answer.activity == 1.0);
    assert_true(answer.seconds == answer.usual_seconds);
}

/* All numbers of ranks and nodes get an answer, and it suits them. */
static void predictions_suit_ranks_and_nodes(void **state)
{
    static const int cases[][2] = {{2, 2},  {3, 2},   {7, 7},     {8, 2},
                                   {16, 4}, {60, 15}, {512, 128}, {100000, 100000}};
    simulate_machine machine = simulate_machine_usual();
    (void)state;
    machine.between.latency = 0.01; /* trees win */
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const tune_question question = {cases[n][0],      cases[n][1],       96, 64,
                                        COMPOSITE_FLOATS, (bool)(n % 2 == 0)};
        tune_answer answer;
        assert_int_equal(tune_predict(&question, &machine, &answer), STATUS_OK);
        const composite_problem problem = {.size = question.ranks, .pixels = 96 * 64};
        if (answer.choice.algorithm && !answer.choice.by_nodes) {
            assert_int_equal(composite_schedule_check_params(answer.choice.algorithm,
                                                             &problem,
                                                             &answer.choice.params),
                             STATUS_OK);
        }
    }
    machine.ports = 0;
    tune_answer answer;
    const tune_question question = {2, 2, 96, 64, COMPOSITE_FLOATS, true};
    assert_int_equal(tune_predict(&question, &machine, &answer), STATUS_USAGE);
    assert_null(answer.choice.algorithm);
}

static void segments_descend_from_a_whole_picture(void **state)
{
    (void)state;
    tune_axis axis;
    tune_axis_find(512 * 512, &axis);
    assert_int_equal(axis.count, 8);
    assert_int_equal(axis.segments[0], 1 << 18);
    assert_int_equal(axis.segments[7], 2048);
    tune_axis_find(1, &axis);
    assert_int_equal(axis.count, 1);
    assert_int_equal(axis.segments[0], 2048);
    tune_axis_find((int64_t)1 << 30, &axis);
    assert_int_equal(axis.count, 10);
    assert_int_equal(axis.segments[0], 1 << 20);
}

static int segment_of(const char *name, int ranks, int gather_bytes)
{
    const composite_problem problem = {
        .size = ranks, .pixels = 512 * 512, .gather_bytes = gather_bytes, .root = 1};
    return composite_rules_segment(name ? composite_algorithm_find(name) : NULL,
                                   &problem);
}

static void usual_messages_hold_short_pieces_whole(void **state)
{
    (void)state;
    assert_int_equal(segment_of("direct-send", 4, 0), COMPOSITE_SEGMENT);
    assert_int_equal(segment_of("direct-send", 7, 0), COMPOSITE_SEGMENT);
    assert_int_equal(segment_of("direct-send", 8, 0), 512 * 512);
    assert_int_equal(segment_of("direct-send", 16, 3), 512 * 512);
    /* Finished pixels follow to the root; messages of trees are long. */
    assert_int_equal(segment_of("radix-k", 16, COMPOSITE_PIXEL_BYTES), 8192);
    assert_int_equal(segment_of("direct-send", 2, COMPOSITE_PIXEL_BYTES), 8192);
    assert_int_equal(segment_of("tree", 16, 0), COMPOSITE_SEGMENT);
    assert_int_equal(segment_of(NULL, 16, 0), COMPOSITE_SEGMENT);
}

static void usual_messages_make_many_stages(void **state)
{
    (void)state;
    assert_int_equal(segment_of("direct-send", 3, COMPOSITE_PIXEL_BYTES), 2048);
    assert_int_equal(segment_of("direct-send", 16, COMPOSITE_PIXEL_BYTES), 2048);
    const composite_problem large = {
        .size = 8, .pixels = 1024 * 1024, .gather_bytes = COMPOSITE_PIXEL_BYTES};
    const composite_algorithm *direct = composite_algorithm_find("direct-send");
    assert_int_equal(composite_rules_segment(direct, &large), 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exhaustive_search_runs_everything_and_finds_the_best),
        cmocka_unit_test(smgd_is_close_to_the_best_with_a_tenth_of_the_runs),
        cmocka_unit_test(searches_look_past_a_minimum),
        cmocka_unit_test(searches_begin_at_the_likely_step),
        cmocka_unit_test(unlikely_methods_are_left_out),
        cmocka_unit_test(brief_trials_are_repeated),
        cmocka_unit_test(heats_run_the_better_half_again),
        cmocka_unit_test(heats_correct_a_lucky_run),
        cmocka_unit_test(a_lucky_run_is_repeated),
        cmocka_unit_test(a_budget_ends_every_search),
        cmocka_unit_test(impossible_trials_are_left),
        cmocka_unit_test(a_race_is_run_in_turns_and_whole_rounds_count),
        cmocka_unit_test(a_race_ends_when_it_is_decided),
        cmocka_unit_test(a_brief_race_replaces_the_usual_choice_after_six_rounds),
        cmocka_unit_test(an_outlier_makes_a_brief_race_longer),
        cmocka_unit_test(bounds_of_a_ratio_are_right_nineteen_times_of_twenty),
        cmocka_unit_test(a_winner_gains_more_than_the_spread),
        cmocka_unit_test(a_winner_is_faster_with_confidence),
        cmocka_unit_test(a_baseline_that_drifts_shows_a_busy_machine),
        cmocka_unit_test(a_choice_that_is_fast_in_one_view_does_not_win),
        cmocka_unit_test(every_algorithm_is_tried_with_its_parameters),
        cmocka_unit_test(pieces_stay_shared_where_ranks_work_on_them),
        cmocka_unit_test(the_usual_choice_is_by_nodes_and_active_pixels),
        cmocka_unit_test(predictions_replace_the_usual_choice_where_they_gain),
        cmocka_unit_test(predictions_suit_ranks_and_nodes),
        cmocka_unit_test(segments_descend_from_a_whole_picture),
        cmocka_unit_test(usual_messages_hold_short_pieces_whole),
        cmocka_unit_test(usual_messages_make_many_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

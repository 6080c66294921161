/* The search of karman tune, on made-up costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs those above. */
#include <cmocka.h>

#include "composite/tune/methods.h"
#include "composite/tune/predict.h"
#include "composite/tune/search.h"
#include "support/random.h"

#include <math.h>

enum { METHODS = 60, STEPS = 9, REPEATS = 3, CASES = 200 };

/*
 * Times as measurements have them: each method has a minimum somewhere on its axis,
 * beside it time grows by a power of the segment, small waves lie over it, and runs
 * scatter. The order of trial is half right.
 */
typedef struct model {
    uint64_t random;
    double seconds[METHODS][STEPS];
    int order[METHODS];
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
    return (tune_space){METHODS,     STEPS,   m->order,  NULL,
                        m->order[0], REPEATS, run_model, m};
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

static void mgd_is_close_to_the_best_with_fewer_runs(void **state)
{
    (void)state;
    assert_in_range(count_close(TUNE_MGD, 0.0, 3.0), CASES * 95 / 100, CASES);
    assert_in_range(count_close(TUNE_MGD, 0.03, 3.0), CASES * 95 / 100, CASES);
}

static void searches_look_two_steps_past_a_minimum(void **state)
{
    (void)state;
    model m = {.seconds = {{4, 3, 3.5, 2, 2.5, 2.6, 1}}, .order = {0}};
    tune_best best[1];
    tune_result result;
    const tune_space space = {1, 7, NULL, NULL, -1, 1, run_model, &m};
    assert_int_equal(tune_search(TUNE_MGD, &space, best, &result), STATUS_OK);
    assert_int_equal(best[0].step, 3); /* past the rise at step 2, not that at 4 */
    assert_int_equal(result.runs, 6);
    m.runs = 0;
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(best[0].step, 6); /* the best methods are scanned to the end */
    assert_int_equal(result.runs, 7);
}

/* Method 2 has its minimum at the end, behind a rise, and is the fourth best before it.
 */
static void another_family_is_scanned_to_the_end(void **state)
{
    (void)state;
    model m = {.seconds = {{1.00, 1.2, 1.3, 1.3},
                           {1.01, 1.2, 1.3, 1.3},
                           {1.04, 1.2, 1.3, 0.5},
                           {1.02, 1.2, 1.3, 1.3}}};
    const int family[] = {0, 0, 1, 0};
    tune_best best[4];
    tune_result result;
    const tune_space space = {4, 4, NULL, family, -1, 1, run_model, &m};
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.method, 2);
    assert_int_equal(best[2].step, 3);
}

/* The usual method lags, and three others are better; its second minimum is the least. */
static void the_usual_method_is_scanned_to_the_end(void **state)
{
    (void)state;
    model m = {.seconds = {{1.0, 1.1, 1.2, 1.3, 1.4, 1.5},
                           {1.1, 1.2, 1.3, 1.4, 1.5, 1.6},
                           {1.2, 1.3, 1.4, 1.5, 1.6, 1.7},
                           {2.0, 2.2, 2.4, 2.2, 2.0, 0.5}}};
    tune_best best[4];
    tune_result result;
    tune_space space = {4, 6, NULL, NULL, -1, 1, run_model, &m};
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.method, 0);
    space.usual = 3;
    assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
    assert_int_equal(result.method, 3);
    assert_int_equal(best[3].step, 5);
}

static void a_budget_ends_every_search(void **state)
{
    (void)state;
    for (int strategy = TUNE_EXHAUSTIVE; strategy <= TUNE_SMGD; strategy++) {
        for (int64_t most = 1; most < 100; most++) {
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
        const tune_space space = {3,  STEPS,   NULL,           NULL,
                                  -1, REPEATS, run_impossible, &possible};
        assert_int_equal(tune_search(TUNE_SMGD, &space, best, &result), STATUS_OK);
        assert_int_equal(result.method, possible);
    }
}

static void a_race_is_run_in_turns_and_whole_rounds_count(void **state)
{
    (void)state;
    model m = {.seconds = {{4}, {3}, {5}}, .most_runs = 14};
    const tune_space space = {3, 1, NULL, NULL, -1, 1, run_model, &m};
    tune_finalist finalists[3] = {{.method = 0}, {.method = 1}, {.method = 2}};
    assert_int_equal(tune_race(&space, 9, finalists, 3), 14);
    for (int n = 0; n < 3; n++) {
        assert_int_equal(finalists[n].count, 4);
        assert_true(finalists[n].seconds == m.seconds[n][0]);
        assert_true(finalists[n].spread == 0.0);
    }
    assert_int_equal(tune_choose(finalists, 3, 0.03), 1);
    m.most_runs = m.runs + 2; /* no whole round */
    assert_int_equal(tune_race(&space, 9, finalists, 3), 2);
    assert_int_equal(tune_choose(finalists, 3, 0.03), 0);
}

static void a_winner_gains_more_than_the_spread(void **state)
{
    (void)state;
    tune_finalist finalists[2] = {{.seconds = 1.0, .spread = 0.02},
                                  {.seconds = 0.9, .spread = 0.04}};
    assert_int_equal(tune_choose(finalists, 2, 0.03), 1);
    finalists[1].spread = 0.11;
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
    finalists[1].spread = 0.0;
    finalists[0].spread = 0.11;
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
    finalists[0].spread = 0.0;
    finalists[1].seconds = 0.98;
    assert_int_equal(tune_choose(finalists, 2, 0.03), 0);
}

/* ---- Methods ----------------------------------------------------------------------- */

static int count_algorithm(const tune_methods *methods, const char *name, bool by_nodes)
{
    int count = 0;
    for (int n = 0; n < methods->count; n++) {
        count += methods->items[n].algorithm == composite_algorithm_find(name) &&
                 methods->items[n].by_nodes == by_nodes;
    }
    return count;
}

static void list_methods(const int *node, int size, bool shares, tune_methods *methods)
{
    composite_nodes nodes = {0};
    int order[TUNE_MOST_METHODS];
    bool seen[TUNE_MOST_METHODS] = {false};
    const simulate_machine machine = simulate_machine_usual();
    assert_int_equal(composite_nodes_find(size, node, &nodes), STATUS_OK);
    const tune_case of = {.problem = {.size = size, .pixels = 65536},
                          .nodes = &nodes,
                          .shares_pieces = shares};
    tune_methods_list(&of, methods);
    assert_int_equal(tune_methods_sort(&of, &machine, methods, order), STATUS_OK);
    for (int n = 0; n < methods->count; n++) {
        assert_in_range(order[n], 0, methods->count - 1);
        assert_false(seen[order[n]]);
        seen[order[n]] = true;
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
    int segments[TUNE_MOST_STEPS];
    assert_int_equal(tune_segments_list(512 * 512, segments), 7);
    assert_int_equal(segments[0], 1 << 18);
    assert_int_equal(segments[6], 4096);
    assert_int_equal(tune_segments_list(1, segments), 1);
    assert_int_equal(segments[0], 4096);
    assert_int_equal(tune_segments_list((int64_t)1 << 30, segments), 9);
    assert_int_equal(segments[0], 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exhaustive_search_runs_everything_and_finds_the_best),
        cmocka_unit_test(smgd_is_close_to_the_best_with_a_tenth_of_the_runs),
        cmocka_unit_test(mgd_is_close_to_the_best_with_fewer_runs),
        cmocka_unit_test(searches_look_two_steps_past_a_minimum),
        cmocka_unit_test(another_family_is_scanned_to_the_end),
        cmocka_unit_test(the_usual_method_is_scanned_to_the_end),
        cmocka_unit_test(a_budget_ends_every_search),
        cmocka_unit_test(impossible_trials_are_left),
        cmocka_unit_test(a_race_is_run_in_turns_and_whole_rounds_count),
        cmocka_unit_test(a_winner_gains_more_than_the_spread),
        cmocka_unit_test(every_algorithm_is_tried_with_its_parameters),
        cmocka_unit_test(pieces_stay_shared_where_ranks_work_on_them),
        cmocka_unit_test(predictions_replace_the_usual_choice_where_they_gain),
        cmocka_unit_test(predictions_suit_ranks_and_nodes),
        cmocka_unit_test(segments_descend_from_a_whole_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Figures of made-up timings, and how they relate. */
#include "messages/compare/report/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void expect(const char *what, double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fmax(1.0, fabs(wanted)))) {
        fail_msg("expected %s to be %.17g, got %.17g", what, wanted, got);
    }
}

#define EXPECT(figures, name, wanted) expect(#name, (figures).name, wanted)

/* Two ranks: the first renders for `a` processor seconds, the second for `b`, of which it
 * polls for one. Each loads for 0.5. */
static json_t *make_frame(double a, double b, double wall)
{
    json_error_t error;
    json_t *frame = json_pack_ex(
        &error, 0,
        "{s:{s:{s:f}, s:{s:f}, s:{s:f}, s:{s:f}, s:{s:f}, s:{s:f}},"
        " s:i, s:i, s:i, s:{s:f, s:f}, s:{s:f, s:f},"
        " s:{s:{s:[f,f], s:[f,f], s:[f,f], s:[f,f], s:[f,f]},"
        "    s:{s:[f,f], s:[f,f], s:[f,f], s:[f,f], s:[f,f]}}}",
        "seconds", "load", "max", 0.6, "render", "max", wall, "composite", "max", 0.1,
        "finish", "max", 0.2, "write", "max", 0.3, "total", "max", wall + 1.0,
        "messages_sent", 3, "bytes_sent", 100, "bytes_shared", 40, "peak_memory", "max",
        900.0, "mean", 800.0, "cells_held", "max", 70.0, "mean", 60.0, "ranks", "cpu",
        "load", 0.5, 0.5, "render", a, b, "composite", 0.0, 0.0, "finish", 0.0, 0.0,
        "write", 0.0, 0.0, "waited", "load", 0.0, 0.0, "render", 0.0, 1.0, "composite",
        0.0, 0.0, "finish", 0.0, 0.0, "write", 0.0, 0.0);
    if (!frame) {
        fail_msg("%s", error.text);
    }
    return frame;
}

static void a_run_comes_down_to_figures(void **state)
{
    (void)state;
    json_t *timings =
        json_pack("{s:i, s:[o, o, o]}", "ranks", 2, "frames", make_frame(1.0, 4.0, 5.0),
                  make_frame(2.0, 2.0, 3.0), make_frame(2.0, 3.0, 3.0));
    compare_figures f;
    assert_int_equal(compare_figures_of_run(timings, 20.0, &f), STATUS_OK);
    json_decref(timings);
    EXPECT(f, model_first, 3.5);             /* the second rank: 0.5 + 4 - 1 */
    EXPECT(f, model_later, (2.5 + 2.5) / 2); /* the first, then both */
    EXPECT(f, model, (3.5 + 2.5 + 2.5) / 3);
    EXPECT(f, model_draw, (3.0 + 2.0 + 2.0) / 3); /* without loading */
    EXPECT(f, wall_first, 6.0);
    EXPECT(f, wall_later, 4.0);
    EXPECT(f, wall, 14.0 / 3);
    EXPECT(f, work[IO_STAGE_LOAD], 0.5);
    EXPECT(f, work[IO_STAGE_RENDER], (3.0 + 2.0 + 2.0) / 3);
    EXPECT(f, waits[IO_STAGE_WRITE], 0.3);
    EXPECT(f, render_range, (1.0 + 2.0 / 3.0 + 0.0) / 3); /* 1:3, 2:1, 2:2 */
    EXPECT(f, render_imbalance, (1.5 + 4.0 / 3.0 + 1.0) / 3);
    EXPECT(f, work_imbalance, (3.5 / 2.5 + 2.5 / 2.0 + 1.0) / 3);
    EXPECT(f, bytes_sent, 100);
    EXPECT(f, bytes_shared, 40);
    EXPECT(f, messages, 3);
    EXPECT(f, memory, 900);
    EXPECT(f, cells_mean, 60);
    EXPECT(f, run, 20);
    assert_true(isnan(f.model_speedup));
    assert_true(isnan(f.model_draw_speedup) && isnan(f.model_draw_efficiency));
}

/* The rank that draws longest need not be the rank that works longest. */
static void drawing_alone_is_that_of_the_slowest_drawer(void **state)
{
    (void)state;
    json_t *frame = make_frame(2.0, 1.5, 3.0);
    json_t *cpu = json_object_get(json_object_get(frame, "ranks"), "cpu");
    json_array_set_new(json_object_get(cpu, "composite"), 1, json_real(1.0));
    json_array_set_new(json_object_get(cpu, "load"), 0, json_real(0.0));
    json_array_set_new(json_object_get(cpu, "write"), 1, json_real(4.0));
    json_t *timings = json_pack("{s:i, s:[o]}", "ranks", 2, "frames", frame);
    compare_figures f;
    assert_int_equal(compare_figures_of_run(timings, 1.0, &f), STATUS_OK);
    json_decref(timings);
    EXPECT(f, model, 0.5 + 0.5 + 1.0 + 4.0); /* rank 1, of whose 1.5 one is polling */
    EXPECT(f, model_draw, 2.0);              /* rank 0 */
}

static void with_one_frame_there_is_no_later_one(void **state)
{
    (void)state;
    json_t *timings =
        json_pack("{s:i, s:[o]}", "ranks", 2, "frames", make_frame(1.0, 4.0, 5.0));
    compare_figures f;
    assert_int_equal(compare_figures_of_run(timings, 1.0, &f), STATUS_OK);
    EXPECT(f, wall_first, 6.0);
    assert_true(isnan(f.wall_later) && isnan(f.model_later));
    json_decref(timings);
}

static void timings_without_ranks_are_refused(void **state)
{
    (void)state;
    const char *const wrong[] = {"{}", "{\"ranks\": 1, \"frames\": []}",
                                 "{\"ranks\": 1, \"frames\": [{}]}",
                                 ("{\"ranks\": 2, \"frames\": [{\"ranks\": {\"cpu\": "
                                  "{\"load\": [1]}}}]}")};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        json_t *timings = json_loads(wrong[n], 0, NULL);
        compare_figures f;
        assert_int_equal(compare_figures_of_run(timings, 1.0, &f), STATUS_INPUT);
        json_decref(timings);
        base_fail_set_message("");
    }
}

static void several_runs_give_medians_and_ends(void **state)
{
    (void)state;
    compare_figures runs[3], all;
    for (int n = 0; n < 3; n++) {
        runs[n] = compare_figures_none();
        runs[n].wall = runs[n].wall_least = runs[n].wall_most = (double[]){5, 1, 2}[n];
        runs[n].model = runs[n].model_least = runs[n].model_most = 3.0 - n;
    }
    assert_int_equal(compare_figures_combine(3, runs, &all), STATUS_OK);
    EXPECT(all, wall, 2.0);
    EXPECT(all, wall_least, 1.0);
    EXPECT(all, wall_most, 5.0);
    EXPECT(all, model, 2.0);
    EXPECT(all, model_least, 1.0);
    EXPECT(all, model_most, 3.0);
    assert_true(isnan(all.wall_later));
}

/* Object and screen on 1, 2 and 4 ranks; then the same on one and two ranks with another
 * projection. */
static compare_row rows[] = {
    {.which = {"object", "tree", 1, 0}},      {.which = {"object", "tree", 2, 0}},
    {.which = {"object", "tree", 4, 0}},      {.which = {"object", "radix-k", 4, 0}},
    {.which = {"screen-area", "tree", 1, 0}}, {.which = {"screen-area", "tree", 2, 0}},
    {.which = {"screen-area", "tree", 4, 0}}, {.which = {"object", "radix-k", 2, 0}},
    {.which = {"object", "tree", 1, 1}},      {.which = {"object", "tree", 2, 1}},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static compare_table make_table(compare_plan *plan, bool is_modelled)
{
    static const double model[] = {8, 5, 4, 4.4, 8, 4, 2, 5.5, 1, 0.8};
    static const double wall[] = {8, 5, 4, 3.9, 9, 10, 11, 6, 1, 0.7};
    *plan = (compare_plan){.nranks = 3, .ranks = {1, 2, 4}, .repeat = 1, .threads = 1};
    compare_plan_read_names("-p", "object,screen-area", &plan->partitions);
    compare_plan_read_projections("large,small", plan);
    compare_plan_read_names("-a", "tree,radix-k", &plan->algorithms);
    for (int n = 0; n < ROWS; n++) {
        rows[n].is_there = true;
        rows[n].figures = compare_figures_none();
        rows[n].figures.model = model[n];
        rows[n].figures.wall = wall[n];
        rows[n].figures.model_draw = 0.5 * model[n] + 1.0;
        for (int stage = 0; stage < IO_STAGES; stage++) {
            rows[n].figures.work[stage] = stage == IO_STAGE_RENDER ? model[n] : 0.0;
            rows[n].figures.waits[stage] = stage == IO_STAGE_LOAD ? wall[n] : 0.0;
        }
    }
    compare_table table = {.plan = plan,
                           .count = ROWS,
                           .rows = rows,
                           .cores = 2,
                           .is_modelled = is_modelled};
    compare_table_relate(&table);
    return table;
}

static void speedups_go_back_to_the_fewest_ranks_of_the_same(void **state)
{
    (void)state;
    compare_plan plan;
    compare_table table = make_table(&plan, true);
    EXPECT(rows[0].figures, model_speedup, 1.0);
    EXPECT(rows[2].figures, model_speedup, 2.0);
    EXPECT(rows[2].figures, model_efficiency, 0.5);
    EXPECT(rows[3].figures, model_speedup, 8.0 / 4.4); /* the one rank serves both */
    EXPECT(rows[6].figures, model_efficiency, 1.0);
    EXPECT(rows[6].figures, wall_speedup, 9.0 / 11.0);
    EXPECT(rows[6].figures, model_draw_speedup, 5.0 / 2.0);
    EXPECT(rows[6].figures, model_draw_efficiency, 5.0 / 8.0);
    EXPECT(rows[9].figures, model_speedup, 1.0 / 0.8); /* of its own projection */
    const compare_case wanted[] = {{"screen-area", "radix-k", 4, 0},
                                   {"object", "radix-k", 4, 0},
                                   {"object", "radix-k", 1, 1}};
    assert_ptr_equal(compare_table_find(&table, &wanted[0]), &rows[6]);
    assert_ptr_equal(compare_table_find(&table, &wanted[1]), &rows[3]);
    assert_ptr_equal(compare_table_find(&table, &wanted[2]), &rows[8]);
    assert_ptr_equal(compare_table_first(&table, 1), &rows[8]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_comes_down_to_figures),
        cmocka_unit_test(drawing_alone_is_that_of_the_slowest_drawer),
        cmocka_unit_test(with_one_frame_there_is_no_later_one),
        cmocka_unit_test(timings_without_ranks_are_refused),
        cmocka_unit_test(several_runs_give_medians_and_ends),
        cmocka_unit_test(speedups_go_back_to_the_fewest_ranks_of_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

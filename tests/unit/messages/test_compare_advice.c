/* The advice that follows from made-up measurements: the setting to take, and how sure
 * that is. */
#include "messages/compare/report/choice.h"
#include "messages/compare/report/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Made-up measurements ---------------------------------------------------------- */

/* A case with its seconds of a frame, and how far its repeats lie apart. */
typedef struct measured {
    compare_case which;
    double wall, wall_apart, model, model_apart;
} measured;

enum { MOST_ROWS = 12 };

static compare_row rows[MOST_ROWS];
static compare_plan plan;

static compare_figures make_figures(const measured *from)
{
    compare_figures f = compare_figures_none();
    f.wall = from->wall;
    f.wall_least = from->wall - 0.5 * from->wall_apart;
    f.wall_most = from->wall + 0.5 * from->wall_apart;
    f.model = from->model;
    f.model_least = from->model - 0.5 * from->model_apart;
    f.model_most = from->model + 0.5 * from->model_apart;
    f.render_imbalance = 1.25;
    for (int stage = 0; stage < IO_STAGES; stage++) {
        f.work[stage] = stage == IO_STAGE_RENDER ? from->model : 0.0;
        f.waits[stage] = stage == IO_STAGE_LOAD ? from->wall : 0.0;
    }
    return f;
}

/* A table of `count` cases on an idle machine with eight cores, one thread a rank. */
static compare_table make_table(int repeat, int count, const measured *cases)
{
    plan = (compare_plan){.config = "wake.yaml",
                          .nranks = 4,
                          .ranks = {1, 2, 4, 8},
                          .repeat = repeat,
                          .threads = 1};
    compare_plan_read_names("-p", "object,screen-area", &plan.partitions);
    compare_plan_read_projections("large,small", &plan);
    compare_plan_read_names("-a", "tree,radix-k", &plan.algorithms);
    assert_true(count <= MOST_ROWS);
    for (int n = 0; n < count; n++) {
        rows[n] = (compare_row){.which = cases[n].which,
                                .is_there = true,
                                .figures = make_figures(&cases[n])};
    }
    compare_table table = {.plan = &plan,
                           .count = count,
                           .rows = rows,
                           .cores = 8,
                           .processors = 8,
                           .nodes = 1};
    compare_table_relate(&table);
    return table;
}

#define TABLE(repeat, cases)                                                             \
    make_table(repeat, (int)(sizeof(cases) / sizeof((cases)[0])), cases)

static void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("expected '%s' in: %s", part, text);
    }
}

static void expect_no_text(const char *text, const char *part)
{
    if (strstr(text, part)) {
        fail_msg("expected no '%s' in: %s", part, text);
    }
}

/* Screen on four ranks leads by 20 %. */
static const measured clear[] = {
    {{"object", "tree", 1, 0}, 4.0, 0.04, 4.0, 0.04},
    {{"object", "tree", 4, 0}, 1.2, 0.01, 1.1, 0.01},
    {{"object", "radix-k", 4, 0}, 1.3, 0.01, 1.2, 0.01},
    {{"screen-area", "tree", 1, 0}, 4.0, 0.04, 4.0, 0.04},
    {{"screen-area", "tree", 4, 0}, 1.0, 0.02, 0.9, 0.01},
};

/* ---- The setting to take ----------------------------------------------------------- */

static void a_clear_lead_gives_lines_to_paste(void **state)
{
    (void)state;
    const compare_table table = TABLE(5, clear);
    const compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.best, 4);
    assert_string_equal(advice.sentence,
                        "Use sort-first (screen by area) on 4 ranks x 1 thread: 1 s a "
                        "frame (measured), 4.00 times as fast as 1 rank, at a parallel "
                        "efficiency of 100 %.");
    assert_string_equal(advice.yaml, "partition: {kind: screen, balance: area}\n");
    assert_string_equal(advice.command,
                        "mpiexec -n 4 karman render wake.yaml --threads 1");
    expect_text(
        advice.reason,
        "The next best, sort-last (object) with tree on 4 ranks, takes 1.2 s, 20.0 "
        "% more: a clear lead, as repeats differ by 2.0 % at most.");
    expect_text(advice.reason,
                "On the same number of ranks sort-last (object) takes 0.2 s more in "
                "load; its imbalance of rendering is 1.25, here 1.25.");
    expect_text(advice.reason, "One rank x 4 threads uses as many cores and composites "
                               "nothing; --ranks 1 --threads 4 measures it.");
    expect_no_text(advice.reason, "disagree");
    assert_int_equal(advice.nwarnings, 0);
}

static void an_algorithm_is_pasted_where_ranks_composite(void **state)
{
    (void)state;
    static const measured cases[] = {
        {{"object", "tree", 2, 0}, 2.0, 0.0, 2.0, 0.0},
        {{"object", "radix-k", 2, 0}, 1.0, 0.0, 1.0, 0.0},
    };
    const compare_table table = TABLE(2, cases);
    plan.config = "it's here/wake.yaml";
    char width[] = "image.width=64", camera[] = "camera={fov: 30}";
    char *overrides[] = {width, camera};
    plan.noverrides = 2;
    plan.overrides = overrides;
    const compare_advice advice = compare_table_advise(&table);
    expect_text(advice.sentence, "Use sort-last (object) with radix-k on 2 ranks x");
    assert_string_equal(advice.yaml,
                        "partition: object\ncomposite: {algorithm: radix-k}\n");
    assert_string_equal(
        advice.command,
        "mpiexec -n 2 karman render 'it'\\''s here/wake.yaml' --threads 1 "
        "--set image.width=64 --set 'camera={fov: 30}'");
    expect_text(advice.reason,
                "Among the algorithms tree is the slowest there, by 100 %.");
    expect_text(advice.reason, "No run of sort-first (screen by area) on the same number "
                               "of ranks has succeeded.");
}

static void without_results_there_is_no_advice(void **state)
{
    (void)state;
    compare_table table = TABLE(1, clear);
    for (int n = 0; n < table.count; n++) {
        rows[n].is_there = false;
    }
    const compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.best, -1);
    assert_string_equal(advice.sentence, "No run has succeeded.");
    assert_string_equal(advice.yaml, "");
    rows[2].is_there = true;
    expect_text(compare_table_advise(&table).reason, "no other case to compare it with");
}

static void other_projections_have_advice_of_their_own(void **state)
{
    (void)state;
    static const measured cases[] = {
        {{"object", "tree", 1, 0}, 8.0, 0.0, 8.0, 0.0},
        {{"object", "tree", 2, 0}, 4.0, 0.0, 4.0, 0.0},
        {{"object", "tree", 1, 1}, 0.8, 0.0, 0.8, 0.0},
        {{"object", "tree", 2, 1}, 0.9, 0.0, 0.9, 0.0},
    };
    compare_table table = TABLE(2, cases);
    expect_text(
        compare_table_advise(&table).reason,
        "That is for the projection large. For the projection small it is 1 rank: "
        "0.8 s.");
    rows[2].figures.wall = 1.0;
    expect_text(compare_table_advise(&table).reason,
                "For the projection small the same is best: 0.9 s.");
    rows[2].is_there = rows[3].is_there = false;
    expect_text(compare_table_advise(&table).reason,
                "For the projection small no run has succeeded.");
}

static void the_choice_of_auto_is_named(void **state)
{
    (void)state;
    static const measured cases[] = {{{"object", "auto", 2, 0}, 4.0, 0.0, 4.0, 0.0},
                                     {{"object", "tree", 2, 0}, 8.0, 0.0, 8.0, 0.0}};
    compare_table table = TABLE(2, cases);
    rows[0].first = json_pack("{s:{s:[{s:{s:s, s:s}}]}}", "timings", "frames",
                              "composite", "algorithm", "chain", "reason", "tuned");
    expect_text(compare_table_advise(&table).reason,
                "There 'auto' took chain, by a rule of the tuning file.");
    json_decref(rows[0].first);
    rows[0].first = json_pack("{s:{s:[{s:{s:s, s:s}}]}}", "timings", "frames",
                              "composite", "algorithm", "direct-send", "reason", "usual");
    expect_text(compare_table_advise(&table).reason,
                "There 'auto' took direct-send, the usual choice");
    json_decref(rows[0].first);
    rows[0].first = NULL;
    expect_no_text(compare_table_advise(&table).reason, "took");
}

/* ---- How sure it is ---------------------------------------------------------------- */

static void a_lead_within_the_spread_says_so(void **state)
{
    (void)state;
    static const measured cases[] = {
        {{"object", "tree", 1, 0}, 4.0, 0.04, 4.0, 0.04},
        {{"object", "tree", 4, 0}, 1.02, 0.01, 1.0, 0.01},
        {{"screen-area", "tree", 4, 0}, 1.0, 0.04, 1.0, 0.01},
    };
    const compare_table table = TABLE(5, cases);
    const compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.best, 2);
    assert_false(compare_choose(&table, 0).is_clear);
    expect_text(advice.reason,
                "takes 1.02 s, 2.0 % more: that is within the spread of the repeats (4.0 "
                "%), and may be chance.");
}

static void with_one_repeat_the_spread_is_unknown(void **state)
{
    (void)state;
    compare_table table = TABLE(1, clear);
    compare_advice advice = compare_table_advise(&table);
    expect_text(advice.reason,
                "20.0 % more. Each case ran once, so the spread of repeats "
                "is unknown: --repeat 5 shows it.");
    rows[1].figures.wall = 1.04;
    advice = compare_table_advise(&table);
    expect_text(advice.reason, "4.0 % more, which may be chance. Each case ran once");
}

static void one_rank_is_taken_where_it_is_as_good(void **state)
{
    (void)state;
    static const measured cases[] = {
        {{"object", "tree", 1, 0}, 1.05, 0.01, 1.05, 0.1},
        {{"screen-area", "tree", 1, 0}, 1.04, 0.1, 1.05, 0.1},
        {{"object", "tree", 2, 0}, 1.03, 0.01, 1.0, 0.1},
        {{"object", "tree", 4, 0}, 1.0, 0.01, 1.0, 0.1},
    };
    compare_table table = TABLE(5, cases);
    compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.best, 1);
    assert_string_equal(advice.sentence,
                        "Use 1 rank x 1 thread: 1.04 s a frame (measured).");
    assert_string_equal(advice.yaml, "");
    assert_string_equal(advice.command, "karman render wake.yaml --threads 1");
    expect_text(
        advice.reason,
        "The fastest case, sort-last (object) with tree on 4 ranks, takes 1 s, 3.8 "
        "% less: that is within the spread of the repeats (9.6 %), so fewer ranks "
        "do as well.");
    expect_text(advice.reason, "With all 8 cores (--threads 8) it may be faster still, "
                               "which was not measured.");
    plan.threads = 8;
    expect_no_text(compare_table_advise(&table).reason, "faster still");
    expect_text(compare_table_advise(&table).command, "--threads 8");
}

/* Repeats of a busy machine lie far apart: that does not make one rank as good as four.
 */
static void a_wide_spread_does_not_make_one_rank_as_good(void **state)
{
    (void)state;
    static const measured cases[] = {
        {{"object", "tree", 1, 0}, 1.3, 0.5, 1.3, 0.5},
        {{"object", "tree", 4, 0}, 1.0, 0.5, 1.0, 0.5},
    };
    const compare_table table = TABLE(5, cases);
    const compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.best, 1);
    expect_text(advice.reason, "30.0 % more: that is within the spread of the repeats "
                               "(50.0 %), and may be chance.");
}

static void a_model_that_disagrees_is_told_of(void **state)
{
    (void)state;
    static const measured cases[] = {
        {{"object", "tree", 4, 0}, 1.2, 0.01, 0.5, 0.01},
        {{"screen-area", "tree", 4, 0}, 1.0, 0.01, 0.8, 0.01},
    };
    compare_table table = TABLE(5, cases);
    compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.best, 1);
    expect_text(
        advice.reason,
        "Modelled and measured times disagree: modelled, sort-last (object) with "
        "tree on 4 ranks is the fastest with 0.5 s against 0.8 s. The model leaves "
        "out waiting, files and the network.");
    expect_no_text(advice.reason, "by the clock");
    table.is_modelled = true;
    advice = compare_table_advise(&table);
    assert_int_equal(advice.best, 0);
    expect_text(advice.reason,
                "disagree: measured, sort-first (screen by area) on 4 ranks "
                "is the fastest with 1 s against 1.2 s. Threads shared");
    rows[0].figures.model_most = 0.9; /* its repeats say as little as the other's */
    table.is_modelled = false;
    expect_no_text(compare_table_advise(&table).reason, "disagree");
}

static void measured_times_far_from_modelled_ones_are_told_of(void **state)
{
    (void)state;
    compare_table table = TABLE(5, clear);
    rows[4].figures.model = 0.4;
    expect_text(compare_table_advise(&table).reason,
                "A frame takes 2.5 times as long by the clock (1 s) as modelled (0.4 s): "
                "ranks wait for each other, for files or for cores.");
    rows[4].figures.model = 0.7;
    expect_no_text(compare_table_advise(&table).reason, "by the clock");
}

/* ---- Causes of doubtful times ------------------------------------------------------ */

static void too_few_cores_are_warned_of(void **state)
{
    (void)state;
    compare_table table = TABLE(5, clear);
    table.cores = 1;
    table.is_modelled = true;
    plan.threads = 2;
    const compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.nwarnings, 1);
    assert_string_equal(advice.warnings[0],
                        "4 ranks x 2 threads had 1 core, so the clock cannot show the "
                        "gain of more ranks: the compared times are modelled.");
    expect_text(advice.sentence, "0.9 s a frame (modelled)");
    expect_no_text(advice.reason, "--ranks 1");
}

static void a_busy_machine_is_warned_of(void **state)
{
    (void)state;
    compare_table table = TABLE(5, clear);
    table.load = 5.25;
    const compare_advice advice = compare_table_advise(&table);
    assert_int_equal(advice.nwarnings, 1);
    assert_string_equal(
        advice.warnings[0],
        "The machine was busy before the runs began: its load average was "
        "5.2 on 8 processors. Compare again, with another --out, when it "
        "is idle.");
    table.load = 3.9; /* the others leave four processors to four threads */
    assert_int_equal(compare_table_advise(&table).nwarnings, 0);
    table.processors = 4;
    assert_int_equal(compare_table_advise(&table).nwarnings, 1);
    table.load = 0.4; /* any machine has that */
    assert_int_equal(compare_table_advise(&table).nwarnings, 0);
}

/* Two doubts at once have room. */
static void all_warnings_fit(void **state)
{
    (void)state;
    compare_table table = TABLE(5, clear);
    table.load = 100.0;
    table.cores = 2;
    table.is_modelled = true;
    assert_int_equal(compare_table_advise(&table).nwarnings, COMPARE_MOST_WARNINGS);
}

static void quotas_are_rounded_up_to_cores(void **state)
{
    (void)state;
    assert_int_equal(compare_machine_quota("200000 100000\n"), 2);
    assert_int_equal(compare_machine_quota("250000 100000\n"), 3);
    assert_int_equal(compare_machine_quota("1 100000\n"), 1);
    assert_int_equal(compare_machine_quota("max 100000\n"), 0);
    assert_int_equal(compare_machine_quota("0 100000"), 0);
    assert_int_equal(compare_machine_quota("-1 100000"), 0);
    assert_int_equal(compare_machine_quota("100 0"), 0);
    assert_int_equal(compare_machine_quota(""), 0);
}

/* Only properties that every machine has are checked of this one. */
static void this_machine_has_cores(void **state)
{
    (void)state;
    const compare_machine machine = compare_machine_look();
    assert_in_range(machine.processors, 1, 1 << 20);
    assert_in_range(machine.cores, 1, machine.processors);
    assert_true(isfinite(machine.load));
    assert_true(machine.host[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clear_lead_gives_lines_to_paste),
        cmocka_unit_test(an_algorithm_is_pasted_where_ranks_composite),
        cmocka_unit_test(without_results_there_is_no_advice),
        cmocka_unit_test(other_projections_have_advice_of_their_own),
        cmocka_unit_test(the_choice_of_auto_is_named),
        cmocka_unit_test(a_lead_within_the_spread_says_so),
        cmocka_unit_test(with_one_repeat_the_spread_is_unknown),
        cmocka_unit_test(one_rank_is_taken_where_it_is_as_good),
        cmocka_unit_test(a_wide_spread_does_not_make_one_rank_as_good),
        cmocka_unit_test(a_model_that_disagrees_is_told_of),
        cmocka_unit_test(measured_times_far_from_modelled_ones_are_told_of),
        cmocka_unit_test(too_few_cores_are_warned_of),
        cmocka_unit_test(a_busy_machine_is_warned_of),
        cmocka_unit_test(all_warnings_fit),
        cmocka_unit_test(quotas_are_rounded_up_to_cores),
        cmocka_unit_test(this_machine_has_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

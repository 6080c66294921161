/* All collectives are proved, for many ranks, counts and roots; their costs are at most
 * those of their formulas. */
#include "messages/collective/check.h"
#include "messages/collective/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RANKS = 33, ROOTS = 3, COUNTS = 5 };

static collective_schedule schedule;

static const char *describe(const collective_algorithm *algorithm,
                            const collective_problem *problem)
{
    static char text[160];
    snprintf(text, sizeof text,
             "%s %s, %d ranks, %" PRId64 " elements, root %d, segment %" PRId64,
             algorithm->operation->name, algorithm->name, problem->size, problem->count,
             problem->root, problem->segment);
    return text;
}

static void prove(const collective_algorithm *algorithm,
                  const collective_problem *problem)
{
    collective_verdict verdict;
    assert_int_equal(collective_schedule_collect(algorithm, problem, &schedule),
                     STATUS_OK);
    assert_int_equal(collective_check(algorithm, &schedule, &verdict), STATUS_OK);
    if (!verdict.is_right) {
        fail_msg("%s: %s", describe(algorithm, problem), verdict.sentence);
    }
    if (collective_is_ordered(algorithm, problem) && !verdict.in_order) {
        fail_msg("%s: not in the order of ranks", describe(algorithm, problem));
    }
}

/* Calls `visit` for all algorithms and problems with so many ranks. */
static void visit_problems(int size, void (*visit)(const collective_algorithm *algorithm,
                                                   const collective_problem *problem))
{
    const int64_t counts[COUNTS] = {0, 1, size - 1, size, 100};
    const int roots[ROOTS] = {0, size / 2, size - 1};
    const collective_algorithm *algorithm;
    for (int n = 0; (algorithm = collective_algorithm_at(n)); n++) {
        const int nroots = algorithm->operation->has_root ? ROOTS : 1;
        for (int i = 0; i < COUNTS * nroots; i++) {
            collective_problem problem = {
                .size = size, .count = counts[i % COUNTS], .root = roots[i / COUNTS]};
            visit(algorithm, &problem);
            problem.segment = 7;
            if (algorithm->has_segments) {
                visit(algorithm, &problem);
            }
        }
    }
}

static void every_collective_does_what_mpi_promises(void **state)
{
    (void)state;
    for (int size = 1; size <= MOST_RANKS; size++) {
        visit_problems(size, prove);
    }
}

static void the_largest_number_of_ranks_is_proved_too(void **state)
{
    (void)state;
    const collective_algorithm *algorithm;
    for (int n = 0; (algorithm = collective_algorithm_at(n)); n++) {
        const collective_problem problem = {COLLECTIVE_MOST_RANKS, 100, 0, 0};
        prove(algorithm, &problem);
    }
}

/* ---- Costs ------------------------------------------------------------------------- */

static collective_walker *walker;
static const collective_machine machines[] = {
    {.alpha = 1, .ports = 1},
    {.beta = 1, .ports = 1},
    {.gamma = 1, .ports = 1},
    {.alpha = 1, .beta = 0.25, .gamma = 0.0625, .ports = 1}};

static double seconds_of(collective_cost cost, const collective_machine *machine)
{
    return (double)cost.alpha * machine->alpha + (double)cost.beta * machine->beta +
           (double)cost.gamma * machine->gamma;
}

/* The walk is not slower than the formula, and has the same time where that is exact. */
static void compare_cost(const collective_algorithm *algorithm,
                         const collective_problem *problem)
{
    const collective_cost cost = collective_cost_of(algorithm, problem);
    const int size = problem->size;
    const bool is_binary = strcmp(algorithm->name, "binary") == 0;
    const bool is_power = ((size + is_binary) & (size + is_binary - 1)) == 0;
    const bool overlaps = is_binary && algorithm->operation->reduces;
    const bool divides = problem->count % size == 0 && problem->segment == 0 && !overlaps;
    assert_int_equal(collective_schedule_collect(algorithm, problem, &schedule),
                     STATUS_OK);
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        collective_times times;
        assert_int_equal(collective_walk(walker, &schedule, &machines[m], NULL, &times),
                         STATUS_OK);
        const double formula = seconds_of(cost, &machines[m]);
        const bool is_same = times.seconds >= formula * (1 - 1e-12);
        if (times.seconds > formula * (1 + 1e-12) || (is_power && divides && !is_same)) {
            fail_msg("%s: %g s on machine %zu, but the formula is %" PRId64
                     " alpha + %" PRId64 " beta + %" PRId64 " gamma = %g s",
                     describe(algorithm, problem), times.seconds, m, cost.alpha,
                     cost.beta, cost.gamma, formula);
        }
    }
}

static void no_schedule_is_slower_than_its_formula(void **state)
{
    (void)state;
    for (int size = 1; size <= 17; size++) {
        visit_problems(size, compare_cost);
    }
}

/* The critical path explains the whole time. */
static void explain(const collective_algorithm *algorithm,
                    const collective_problem *problem)
{
    assert_int_equal(collective_schedule_collect(algorithm, problem, &schedule),
                     STATUS_OK);
    const collective_machine *machine = &machines[3];
    double late[COLLECTIVE_MOST_RANKS] = {0};
    for (int i = 0; i < 2; i++) {
        collective_times times;
        late[problem->size / 3] = i * 2.625;
        assert_int_equal(collective_walk(walker, &schedule, machine, late, &times),
                         STATUS_OK);
        const double explained = times.begin + seconds_of(times.cost, machine);
        /* A port may serve another message in between. */
        const bool is_even = (problem->size & (problem->size - 1)) == 0 &&
                             problem->count % problem->size == 0;
        const bool is_split = i == 1 || problem->segment > 0 || !is_even;
        if ((explained < times.seconds - 1e-9 && !is_split) ||
            explained > times.seconds + 1e-9) {
            fail_msg("%s, rank %d late by %g s: %g s, but the path of %" PRId64
                     " messages explains %g s",
                     describe(algorithm, problem), problem->size / 3,
                     late[problem->size / 3], times.seconds, times.npath, explained);
        }
    }
}

static void the_critical_path_adds_up_to_the_time(void **state)
{
    (void)state;
    for (int size = 1; size <= 17; size++) {
        visit_problems(size, explain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_collective_does_what_mpi_promises),
        cmocka_unit_test(the_largest_number_of_ranks_is_proved_too),
        cmocka_unit_test(no_schedule_is_slower_than_its_formula),
        cmocka_unit_test(the_critical_path_adds_up_to_the_time),
    };
    if (collective_walker_create(&walker) != STATUS_OK) {
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    collective_walker_destroy(&walker);
    collective_schedule_clear(&schedule);
    return failed;
}

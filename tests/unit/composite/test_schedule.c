/* Every algorithm of the registry, for every number of positions up to 64. */
#include "composite/check.h"
#include "composite/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
/* cmocka.h needs what is above it. */
#include <cmocka.h>
#include <string.h>

static const composite_params no_params;

static void expect_right(const composite_algorithm *algorithm,
                         const composite_problem *problem)
{
    base_fail_set_message("");
    if (composite_schedule_check(algorithm, problem, &no_params) != STATUS_OK) {
        fail_msg("%s, %d positions, %lld pixels, operator %d: expected a right schedule, "
                 "actual: %s",
                 algorithm->name, problem->size, (long long)problem->pixels,
                 (int)problem->op, base_fail_message());
    }
}

static void every_algorithm_is_right_for_1_to_64_positions(void **state)
{
    (void)state;
    const int64_t pixels[] = {1, 7, 97, 1048576};
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (int size = 1; size <= 64; size++) {
            for (size_t p = 0; p < sizeof pixels / sizeof pixels[0]; p++) {
                expect_right(algorithm,
                             &(composite_problem){size, pixels[p], COMPOSITE_OVER});
            }
            expect_right(algorithm, &(composite_problem){size, 97, COMPOSITE_NEAREST});
        }
    }
}

static void every_algorithm_is_right_for_an_image_of_the_largest_size(void **state)
{
    (void)state;
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        expect_right(algorithm,
                     &(composite_problem){53, (int64_t)1 << 40, COMPOSITE_OVER});
    }
}

static void algorithms_are_found_by_their_unique_names(void **state)
{
    (void)state;
    const composite_algorithm *algorithm;
    int n = 0;
    for (; (algorithm = composite_algorithm_at(n)); n++) {
        assert_ptr_equal(composite_algorithm_find(algorithm->name), algorithm);
        assert_true(strlen(algorithm->summary) > 0);
        assert_true(strlen(algorithm->source) > 0);
    }
    assert_true(n >= 2);
    assert_non_null(composite_algorithm_find("direct-send"));
    assert_non_null(composite_algorithm_find("binary-swap"));
    assert_null(composite_algorithm_find("binary swap"));
    assert_null(composite_algorithm_find(""));
    assert_null(composite_algorithm_at(-1));
}

/* What one position sends. */
typedef struct tally {
    int position;
    int messages;
    int rounds; /* with a message, sent or received */
    int last_round;
    int64_t pixels;
} tally;

static int count_op(const composite_op *op, void *context)
{
    tally *all = context;
    if (op->src == all->position) {
        all->messages++;
        all->pixels += op->npix;
    }
    if (op->round != all->last_round) {
        all->rounds++;
        all->last_round = op->round;
    }
    return 0;
}

static tally tally_position(const char *name, int size, int64_t pixels, int position)
{
    const composite_problem problem = {size, pixels, COMPOSITE_OVER};
    tally all = {.position = position, .last_round = -1};
    int ended = composite_algorithm_find(name)->generate(&problem, &no_params, position,
                                                         count_op, &all);
    assert_int_equal(ended, 0);
    return all;
}

static void direct_send_sends_every_piece_but_its_own_in_one_round(void **state)
{
    (void)state;
    for (int position = 0; position < 12; position++) {
        tally all = tally_position("direct-send", 12, 1200, position);
        assert_int_equal(all.messages, 11);
        assert_int_equal(all.rounds, 1);
        assert_int_equal(all.pixels, 1100);
    }
}

static void binary_swap_of_a_power_of_two_halves_the_image_in_each_round(void **state)
{
    (void)state;
    for (int position = 0; position < 16; position++) {
        tally all = tally_position("binary-swap", 16, 1600, position);
        assert_int_equal(all.messages, 4);
        assert_int_equal(all.rounds, 4);
        assert_int_equal(all.pixels, 800 + 400 + 200 + 100);
    }
}

static void binary_swap_folds_leftover_positions_into_their_neighbours(void **state)
{
    (void)state;
    /* 6 = 4 groups, of which two are pairs: 1 and 3 give everything away and are done. */
    for (int position = 0; position < 6; position++) {
        bool folded = position == 1 || position == 3;
        tally all = tally_position("binary-swap", 6, 1200, position);
        assert_int_equal(all.messages, folded ? 1 : 2);
        assert_int_equal(all.pixels, folded ? 1200 : 600 + 300);
    }
}

static int stop_at_third(const composite_op *op, void *context)
{
    (void)op;
    int *visited = context;
    return ++*visited == 3 ? 42 : 0;
}

static void generation_ends_where_the_visitor_says_so(void **state)
{
    (void)state;
    const composite_problem problem = {11, 1000, COMPOSITE_OVER};
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        int visited = 0;
        int ended = algorithm->generate(&problem, &no_params, 4, stop_at_third, &visited);
        assert_int_equal(ended, 42);
        assert_int_equal(visited, 3);
    }
}

static void parameters_that_an_algorithm_does_not_have_are_rejected_by_name(void **state)
{
    (void)state;
    const composite_problem problem = {4, 100, COMPOSITE_OVER};
    const composite_params wrong[] = {
        {.nfactors = 1, .factors = {4}}, {.group = 2}, {.fan_in = 2}};
    const char *const keys[] = {"'factors'", "'group'", "'fan_in'"};
    const char *const names[] = {"direct-send", "binary-swap"};
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < 3; i++) {
            base_fail_set_message("");
            status s =
                composite_algorithm_find(names[n])->check_params(&problem, &wrong[i]);
            assert_int_equal(s, STATUS_USAGE);
            assert_non_null(strstr(base_fail_message(), names[n]));
            assert_non_null(strstr(base_fail_message(), keys[i]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_is_right_for_1_to_64_positions),
        cmocka_unit_test(every_algorithm_is_right_for_an_image_of_the_largest_size),
        cmocka_unit_test(algorithms_are_found_by_their_unique_names),
        cmocka_unit_test(direct_send_sends_every_piece_but_its_own_in_one_round),
        cmocka_unit_test(binary_swap_of_a_power_of_two_halves_the_image_in_each_round),
        cmocka_unit_test(binary_swap_folds_leftover_positions_into_their_neighbours),
        cmocka_unit_test(generation_ends_where_the_visitor_says_so),
        cmocka_unit_test(parameters_that_an_algorithm_does_not_have_are_rejected_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

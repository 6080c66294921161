/* Plans: what one rank does, in which order. */
#include "composite/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs what is above it. */
#include <cmocka.h>

static const composite_params no_params;

static void plan_position(composite_plan *plan, const composite_algorithm *algorithm,
                          int size, int64_t pixels, int position, int segment)
{
    const composite_problem problem = {size, pixels, COMPOSITE_OVER};
    base_fail_set_message("");
    status s =
        composite_plan_make(plan, algorithm, &problem, &no_params, position, segment);
    if (s != STATUS_OK) {
        fail_msg("expected a plan, actual: %s", base_fail_message());
    }
}

static void messages_merge_outward_from_the_own_image(void **state)
{
    (void)state;
    const int peers[] = {1, 0, 3, 4};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, composite_algorithm_find("direct-send"), 5, 100, 2, 1000);
    assert_int_equal(plan.nrounds, 1);
    assert_int_equal(plan.receives.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(plan.receives.items[i].peer, peers[i]);
        assert_int_equal(plan.receives.items[i].in_front, peers[i] < 2);
        assert_int_equal(plan.receives.items[i].pix0, 40);
        assert_int_equal(plan.receives.items[i].npix, 20);
    }
    assert_int_equal(plan.pieces->count, 1);
    assert_int_equal(plan.pieces->items[0].pix0, 40);
    assert_int_equal(plan.pieces->items[0].pix1, 60);
    composite_plan_clear(&plan);
}

static void parts_end_at_multiples_of_the_segment_and_go_segment_by_segment(void **state)
{
    (void)state;
    /* Position 1 of 3 holds [10, 20) in the end; segments end at 16. */
    const struct {
        int peer, npix;
        int64_t pix0;
    } expected[] = {{0, 6, 10}, {2, 6, 10}, {0, 4, 16}, {2, 4, 16}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, composite_algorithm_find("direct-send"), 3, 30, 1, 8);
    assert_int_equal(plan.receives.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(plan.receives.items[i].peer, expected[i].peer);
        assert_int_equal(plan.receives.items[i].pix0, expected[i].pix0);
        assert_int_equal(plan.receives.items[i].npix, expected[i].npix);
    }
    assert_int_equal(plan.most_receives, 4);
    assert_int_equal(plan.most_sent_pixels, 20);
    assert_int_equal(plan.largest_receive, 6);
    composite_plan_clear(&plan);
}

/* Position 0 gives its image to 1, which gives the second half back, both blended. */
static int give_and_return(const composite_problem *problem,
                           const composite_params *params, int position,
                           composite_visit *visit, void *context)
{
    (void)params;
    (void)position;
    int64_t half = problem->pixels / 2;
    const composite_op ops[] = {{0, 0, 1, 0, 1, 0, problem->pixels},
                                {1, 1, 0, 0, 2, half, problem->pixels - half}};
    int ended = visit(&ops[0], context);
    return ended ? ended : visit(&ops[1], context);
}

static status accept_params(const composite_problem *problem,
                            const composite_params *params)
{
    (void)problem;
    (void)params;
    return STATUS_OK;
}

static const composite_algorithm boomerang = {.name = "boomerang",
                                              .summary = "pixels come back",
                                              .source = "this test",
                                              .check_params = accept_params,
                                              .generate = give_and_return};

static void pixels_that_come_back_are_cleared_of_what_they_were(void **state)
{
    (void)state;
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, &boomerang, 2, 20, 0, 8);
    assert_int_equal(plan.nrounds, 2);
    assert_int_equal(plan.rounds[0].clear1 - plan.rounds[0].clear0, 0);
    assert_int_equal(plan.rounds[1].clear1 - plan.rounds[1].clear0, 2);
    assert_int_equal(plan.clears.items[0].pix0, 10);
    assert_int_equal(plan.clears.items[0].npix, 6);
    assert_int_equal(plan.clears.items[1].pix0, 16);
    assert_int_equal(plan.clears.items[1].npix, 4);
    composite_plan_clear(&plan);
}

static void a_plan_is_the_same_when_it_is_made_again(void **state)
{
    (void)state;
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, composite_algorithm_find("direct-send"), 9, 1000, 3, 64);
    int64_t receives = plan.receives.count;
    plan_position(&plan, composite_algorithm_find("binary-swap"), 9, 1000, 3, 64);
    plan_position(&plan, composite_algorithm_find("direct-send"), 9, 1000, 3, 64);
    assert_int_equal(plan.receives.count, receives);
    assert_int_equal(plan.nrounds, 1);
    composite_plan_clear(&plan);
}

static void any_allocation_that_fails_is_reported_and_forgotten(void **state)
{
    (void)state;
    const composite_problem problem = {9, 1000, COMPOSITE_OVER};
    const composite_algorithm *algorithm = composite_algorithm_find("binary-swap");
    status s = STATUS_MEMORY;
    int failures = 0;
    for (int nth = 1; nth < 1000 && s == STATUS_MEMORY; nth++) {
        composite_memory memory = {.until_failure = nth};
        composite_plan plan = {.memory = &memory};
        base_fail_set_message("");
        s = composite_plan_make(&plan, algorithm, &problem, &no_params, 0, 16);
        if (s == STATUS_MEMORY) {
            failures++;
            plan_position(&plan, algorithm, 9, 1000, 0, 16);
        }
        composite_plan_clear(&plan);
    }
    assert_int_equal(s, STATUS_OK);
    assert_true(failures >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_merge_outward_from_the_own_image),
        cmocka_unit_test(parts_end_at_multiples_of_the_segment_and_go_segment_by_segment),
        cmocka_unit_test(pixels_that_come_back_are_cleared_of_what_they_were),
        cmocka_unit_test(a_plan_is_the_same_when_it_is_made_again),
        cmocka_unit_test(any_allocation_that_fails_is_reported_and_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

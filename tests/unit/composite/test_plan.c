/* Plans: the actions of one rank, in order. */
#include "plans.h"

#include <string.h>

static void plan_position(composite_plan *plan, const composite_algorithm *algorithm,
                          int size, int64_t pixels, int position, int segment)
{
    const composite_plan_key key = make_key(algorithm, size, pixels, position, segment);
    base_fail_set_message("");
    if (composite_plan_make(plan, &key) != STATUS_OK) {
        fail_msg("expected a plan, actual: %s", base_fail_message());
    }
}

static void expect_group(const composite_plan *plan, int64_t i, int round,
                         int64_t segment, int64_t receives, int64_t clears, int64_t final)
{
    assert_true(i < plan->ngroups);
    const composite_group *group = &plan->groups[i];
    assert_int_equal(group->round, round);
    assert_int_equal(group->segment, segment);
    assert_int_equal(group->receive1 - group->receive0, receives);
    assert_int_equal(group->clear1 - group->clear0, clears);
    assert_int_equal(group->final, final);
}

/* ---- Parts and groups -------------------------------------------------------------- */

static void messages_merge_outward_from_the_own_image(void **state)
{
    (void)state;
    const expected_part receives[] = {{1, 40, 20}, {3, 40, 20}, {0, 40, 20}, {4, 40, 20}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, direct_send(), 5, 100, 2, 1000);
    assert_int_equal(plan.receives.count, 4);
    expect_parts(&plan.receives, 0, receives, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(plan.receives.items[i].in_front, receives[i].peer < 2);
        assert_int_equal(plan.receives.items[i].run0, receives[i].peer);
        assert_int_equal(plan.receives.items[i].run1, receives[i].peer + 1);
    }
    assert_int_equal(plan.pieces->count, 1);
    assert_int_equal(plan.pieces->items[0].pix0, 40);
    assert_int_equal(plan.pieces->items[0].pix1, 60);
    assert_int_equal(plan.ngroups, 1);
    expect_group(&plan, 0, 0, 0, 4, 0, 0);
    composite_plan_clear(&plan);
}

static void parts_end_at_multiples_of_the_segment_and_go_segment_by_segment(void **state)
{
    (void)state;
    /* Position 1 of 3 holds [10, 20) in the end; segments end at 16. */
    const expected_part receives[] = {{0, 10, 6}, {2, 10, 6}, {0, 16, 4}, {2, 16, 4}};
    const expected_part sends[] = {{2, 20, 4}, {2, 24, 6}, {0, 0, 8}, {0, 8, 2}};
    const expected_part finals[] = {{1, 10, 6}, {1, 16, 4}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, direct_send(), 3, 30, 1, 8);
    assert_int_equal(plan.nsegments, 4);
    assert_int_equal(plan.receives.count, 4);
    expect_parts(&plan.receives, 0, receives, 4);
    assert_int_equal(plan.sends.count, 4);
    expect_parts(&plan.sends, 0, sends, 4);
    assert_int_equal(plan.finals.count, 2);
    expect_parts(&plan.finals, 0, finals, 2);
    assert_int_equal(plan.ngroups, 2);
    expect_group(&plan, 0, 0, 1, 2, 0, 0);
    expect_group(&plan, 1, 0, 2, 2, 0, 1);
    composite_plan_clear(&plan);
}

static void expect_receivers(composite_plan_key key, int gather_bytes, const int *peers,
                             int64_t count)
{
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    key.problem.gather_bytes = gather_bytes;
    assert_int_equal(composite_plan_make(&plan, &key), STATUS_OK);
    assert_int_equal(plan.sends.count, count);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(plan.sends.items[i].peer, peers[i]);
    }
    composite_plan_clear(&plan);
}

static void no_two_positions_send_to_the_same_one_at_a_time(void **state)
{
    (void)state;
    const int around[] = {3, 4, 0, 1};
    const int neighbours[] = {3, 1, 4, 0};
    composite_plan_key key = make_key(direct_send(), 5, 100, 2, 1000);
    key.problem.root = 2; /* in the middle, so that it sends as the others do */
    expect_receivers(key, 0, around, 4);
    expect_receivers(key, 3, around, 4);
    expect_receivers(key, COMPOSITE_PIXEL_BYTES, around, 4);
    key.algorithm = composite_algorithm_find("radix-k");
    key.params = (composite_params){.nfactors = 1, .factors = {5}};
    expect_receivers(key, COMPOSITE_PIXEL_BYTES, neighbours, 4);
}

static void sends_of_an_earlier_round_leave_first(void **state)
{
    (void)state;
    /* Position 0 of 2 x 3: in round 0 it sends to 1, in round 1 to 2 and 4. */
    const int peers[] = {1, 2, 4};
    composite_plan_key key = make_key(composite_algorithm_find("radix-k"), 6, 60, 0, 60);
    key.params = (composite_params){.nfactors = 2, .factors = {2, 3}};
    expect_receivers(key, 0, peers, 3);
}

static void a_position_alone_does_nothing_and_holds_all(void **state)
{
    (void)state;
    const expected_part finals[] = {{0, 0, 4}, {0, 4, 3}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, direct_send(), 1, 7, 0, 4);
    assert_int_equal(plan.sends.count, 0);
    assert_int_equal(plan.receives.count, 0);
    assert_int_equal(plan.ngroups, 0);
    assert_int_equal(plan.finals.count, 2);
    expect_parts(&plan.finals, 0, finals, 2);
    composite_plan_clear(&plan);
}

/* ---- Schedules of this test -------------------------------------------------------- */

static status accept_params(const composite_problem *problem,
                            const composite_params *params)
{
    (void)problem;
    (void)params;
    return STATUS_OK;
}

static int visit_all(const composite_op *ops, int count, int position,
                     composite_visit *visit, void *context)
{
    int ended = 0;
    for (int i = 0; i < count && !ended; i++) {
        if (ops[i].src == position || ops[i].dst == position) {
            ended = visit(&ops[i], context);
        }
    }
    return ended;
}

/* Position 0 gives its image to 1, which gives the second half back, both blended. */
static int give_and_return(const composite_problem *problem,
                           const composite_params *params, int position,
                           composite_visit *visit, void *context)
{
    (void)params;
    const int64_t half = problem->pixels / 2;
    const composite_op ops[] = {{0, 0, 1, 0, 1, 0, problem->pixels},
                                {1, 1, 0, 0, 2, half, problem->pixels - half}};
    return visit_all(ops, 2, position, visit, context);
}

static const composite_algorithm boomerang = {.name = "boomerang",
                                              .summary = "pixels come back",
                                              .source = "this test",
                                              .check_params = accept_params,
                                              .generate = give_and_return};

/* Position 0 gets the second half of 1 a round before the first half; then 2 gets all. */
static int lean(const composite_problem *problem, const composite_params *params,
                int position, composite_visit *visit, void *context)
{
    (void)params;
    const int64_t half = problem->pixels / 2;
    const composite_op ops[] = {{0, 1, 0, 1, 2, half, problem->pixels - half},
                                {1, 1, 0, 1, 2, 0, half},
                                {2, 0, 2, 0, 2, 0, problem->pixels}};
    return visit_all(ops, 3, position, visit, context);
}

static const composite_algorithm lopsided = {.name = "lopsided",
                                             .summary = "halves in two rounds",
                                             .source = "this test",
                                             .check_params = accept_params,
                                             .generate = lean};

/* ---- Clears ------------------------------------------------------------------------ */

static void pixels_that_come_back_are_cleared_of_what_they_were(void **state)
{
    (void)state;
    const expected_part clears[] = {{0, 10, 6}, {0, 16, 4}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, &boomerang, 2, 20, 0, 8);
    assert_int_equal(plan.clears.count, 2);
    expect_parts(&plan.clears, 0, clears, 2);
    assert_int_equal(plan.ngroups, 2);
    expect_group(&plan, 0, 1, 1, 1, 1, 0);
    expect_group(&plan, 1, 1, 2, 1, 1, 1);
    plan_position(&plan, &boomerang, 2, 20, 1, 8);
    assert_int_equal(plan.clears.count, 0);
    composite_plan_clear(&plan);
}

/* ---- Sends ------------------------------------------------------------------------- */

static void what_is_sent_waits_for_the_last_merge_of_its_segment(void **state)
{
    (void)state;
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, composite_algorithm_find("binary-swap"), 4, 32, 0, 8);
    /* Round 0 sends two segments at once and merges the two others; round 1 sends one of
     * those and merges the other. */
    assert_int_equal(plan.sends.count, 3);
    assert_int_equal(plan.ngroups, 3);
    assert_int_equal(plan.sends.items[0].after, 0);
    assert_int_equal(plan.sends.items[1].after, 0);
    const int first = plan.sends.items[0].round;
    assert_int_equal(plan.sends.items[2].round, first + 1);
    const composite_group *before = &plan.groups[plan.sends.items[2].after - 1];
    assert_int_equal(before->segment, plan.sends.items[2].pix0 / 8);
    assert_int_equal(before->round, first);
    assert_int_equal(before->final, -1);
    assert_int_equal(plan.groups[2].final, 0);
    composite_plan_clear(&plan);
}

/* A segment that is ready leaves, also before those that hold lower pixels. */
static void a_send_is_found_by_the_group_that_it_waits_for(void **state)
{
    (void)state;
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, &lopsided, 3, 20, 0, 5);
    assert_int_equal(plan.ngroups, 4);
    expect_group(&plan, 0, 0, 2, 1, 0, -1);
    expect_group(&plan, 3, 1, 1, 1, 0, -1);
    assert_int_equal(plan.sends.count, 4);
    int64_t found = 0;
    for (int64_t after = 0; after <= plan.ngroups; after++) {
        const composite_send_range ready = composite_plan_ready(&plan, after, false);
        assert_int_equal(ready.begin, found);
        found = ready.end;
        for (int64_t i = ready.begin; i < ready.end; i++) {
            const composite_part *send = &plan.sends.items[i];
            assert_int_equal(send->after, after);
            assert_true(after == 0 || plan.groups[after - 1].segment == send->pix0 / 5);
        }
    }
    assert_int_equal(found, 4);
    const composite_send_range none = composite_plan_ready(&plan, 0, true);
    assert_int_equal(none.begin, none.end);
    composite_plan_clear(&plan);
}

static void a_group_follows_the_last_one_of_its_segment(void **state)
{
    (void)state;
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, composite_algorithm_find("binary-swap"), 8, 64, 3, 8);
    for (int64_t g = 0; g < plan.ngroups; g++) {
        int64_t before = g - 1;
        while (before >= 0 && plan.groups[before].segment != plan.groups[g].segment) {
            before--;
        }
        assert_int_equal(plan.groups[g].before, before);
    }
    composite_plan_clear(&plan);
}

/* ---- Gathering --------------------------------------------------------------------- */

static composite_op make_gather(int src, int dst, int64_t pix0, int64_t npix)
{
    return (composite_op){COMPOSITE_GATHER_ROUND, src, dst, 0, 3, pix0, npix};
}

static void gathering_is_added_after_the_schedule_and_forgotten(void **state)
{
    (void)state;
    /* Position 1 of 3 gets the pixels of 0 and 2; any order. */
    const composite_op ops[] = {make_gather(2, 1, 20, 10), make_gather(0, 1, 0, 10)};
    /* By turns. */
    const expected_part receives[] = {{0, 0, 8}, {2, 20, 4}, {0, 8, 2}, {2, 24, 6}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, direct_send(), 3, 30, 1, 8);
    for (int time = 0; time < 3; time++) {
        assert_int_equal(composite_plan_gather(&plan, ops, 2), STATUS_OK);
        assert_int_equal(plan.schedule_receives, 4);
        assert_int_equal(plan.receives.count, 8);
        expect_parts(&plan.receives, 4, receives, 4);
        assert_int_equal(plan.sends.count, 4);
        assert_int_equal(plan.ngroups, 6);
        expect_group(&plan, 0, 0, 1, 2, 0, 0);
        expect_group(&plan, 2, COMPOSITE_GATHER_ROUND, 0, 1, 0, -1);
        expect_group(&plan, 3, COMPOSITE_GATHER_ROUND, 2, 1, 0, -1);
        expect_group(&plan, 4, COMPOSITE_GATHER_ROUND, 1, 1, 0, -1);
        expect_group(&plan, 5, COMPOSITE_GATHER_ROUND, 3, 1, 0, -1);
    }
    /* The same plan once more has none, and neither has one without ops. */
    plan_position(&plan, direct_send(), 3, 30, 1, 8);
    assert_int_equal(plan.receives.count, 4);
    assert_int_equal(plan.ngroups, 2);
    assert_int_equal(composite_plan_gather(&plan, ops, 2), STATUS_OK);
    assert_int_equal(composite_plan_gather(&plan, NULL, 0), STATUS_OK);
    assert_int_equal(plan.receives.count, 4);
    assert_int_equal(plan.sends.count, 4);
    assert_int_equal(plan.ngroups, 2);
    composite_plan_clear(&plan);
}

static void pieces_leave_when_they_are_finished(void **state)
{
    (void)state;
    const composite_op op = make_gather(0, 1, 0, 10);
    const expected_part sends[] = {{1, 0, 8}, {1, 8, 2}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, direct_send(), 3, 30, 0, 8);
    const int64_t before = plan.sends.count;
    assert_int_equal(plan.ngroups, 2);
    assert_int_equal(composite_plan_gather(&plan, &op, 1), STATUS_OK);
    assert_int_equal(plan.sends.count, before + 2);
    expect_parts(&plan.sends, before, sends, 2);
    assert_int_equal(plan.sends.items[before].round, COMPOSITE_GATHER_ROUND);
    assert_int_equal(plan.sends.items[before].after, 1);
    assert_int_equal(plan.sends.items[before + 1].after, 2);
    assert_int_equal(plan.ngroups, 2);
    composite_plan_clear(&plan);
}

/* ---- Made again -------------------------------------------------------------------- */

static void a_plan_is_the_same_when_it_is_made_again(void **state)
{
    (void)state;
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    plan_position(&plan, direct_send(), 9, 1000, 3, 64);
    const int64_t receives = plan.receives.count;
    plan_position(&plan, composite_algorithm_find("binary-swap"), 9, 1000, 3, 64);
    plan_position(&plan, direct_send(), 9, 1000, 3, 64);
    assert_int_equal(plan.receives.count, receives);
    composite_plan_clear(&plan);
}

/* Each part of the key counts. */
static void a_plan_is_made_anew_where_anything_changes(void **state)
{
    (void)state;
    const composite_algorithm *tree = composite_algorithm_find("tree");
    const composite_plan_key first = make_key(tree, 9, 1000, 3, 64);
    composite_plan_key changed[10];
    for (int i = 0; i < 10; i++) {
        changed[i] = first;
    }
    changed[0].algorithm = direct_send();
    changed[1].problem.size = 10;
    changed[2].problem.pixels = 999;
    changed[3].problem.op = COMPOSITE_NEAREST;
    changed[4].problem.root = 5;
    changed[5].params.fan_in = 3;
    changed[6].position = 4;
    changed[7].segment = 65;
    changed[8].problem.gather_bytes = 3;
    for (int i = 1; i <= COMPOSITE_BANDS; i++) {
        changed[9].problem.cuts.before[i] = i == 1 ? 200 : 200 + i;
    }
    for (int i = 0; i < 10; i++) {
        composite_memory memory = {0};
        composite_plan plan = {.memory = &memory};
        composite_plan fresh = {.memory = &memory};
        assert_int_equal(composite_plan_make(&plan, &first), STATUS_OK);
        assert_int_equal(composite_plan_make(&plan, &changed[i]), STATUS_OK);
        assert_int_equal(composite_plan_make(&fresh, &changed[i]), STATUS_OK);
        assert_int_equal(plan.key.problem.gather_bytes, changed[i].problem.gather_bytes);
        assert_int_equal(plan.key.problem.root, changed[i].problem.root);
        assert_int_equal(plan.sends.count, fresh.sends.count);
        assert_int_equal(plan.receives.count, fresh.receives.count);
        assert_int_equal(plan.ngroups, fresh.ngroups);
        for (int64_t n = 0; n < fresh.sends.count; n++) {
            assert_int_equal(plan.sends.items[n].peer, fresh.sends.items[n].peer);
            assert_int_equal(plan.sends.items[n].pix0, fresh.sends.items[n].pix0);
        }
        composite_plan_clear(&plan);
        composite_plan_clear(&fresh);
    }
}

/* ---- Failing ----------------------------------------------------------------------- */

/* Makes a plan and its gathering. */
static status make_all(composite_plan *plan)
{
    const composite_plan_key key =
        make_key(composite_algorithm_find("binary-swap"), 9, 1000, 0, 16);
    composite_op ops[9];
    status s = composite_plan_make(plan, &key);
    for (int i = 1; i < 9; i++) {
        ops[i] = make_gather(i, 0, 500 + 50 * i, 50);
    }
    return s == STATUS_OK ? composite_plan_gather(plan, ops + 1, 8) : s;
}

static void any_allocation_that_fails_is_reported_and_forgotten(void **state)
{
    (void)state;
    composite_memory none = {0};
    composite_plan right = {.memory = &none};
    status s = STATUS_MEMORY;
    int failures = 0;
    assert_int_equal(make_all(&right), STATUS_OK);
    for (int nth = 1; nth < 1000 && s == STATUS_MEMORY; nth++) {
        composite_memory memory = {.until_failure = nth};
        composite_plan plan = {.memory = &memory};
        base_fail_set_message("");
        s = make_all(&plan);
        if (s == STATUS_MEMORY) {
            failures++;
            assert_int_equal(make_all(&plan), STATUS_OK);
        }
        assert_int_equal(plan.sends.count, right.sends.count);
        assert_int_equal(plan.receives.count, right.receives.count);
        assert_int_equal(plan.clears.count, right.clears.count);
        assert_int_equal(plan.finals.count, right.finals.count);
        assert_int_equal(plan.ngroups, right.ngroups);
        for (int64_t i = 0; i < right.ngroups; i++) {
            const composite_group *group = &right.groups[i];
            expect_group(&plan, i, group->round, group->segment,
                         group->receive1 - group->receive0, group->clear1 - group->clear0,
                         group->final);
        }
        composite_plan_clear(&plan);
    }
    composite_plan_clear(&right);
    assert_int_equal(s, STATUS_OK);
    assert_true(failures >= 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_merge_outward_from_the_own_image),
        cmocka_unit_test(parts_end_at_multiples_of_the_segment_and_go_segment_by_segment),
        cmocka_unit_test(no_two_positions_send_to_the_same_one_at_a_time),
        cmocka_unit_test(sends_of_an_earlier_round_leave_first),
        cmocka_unit_test(a_position_alone_does_nothing_and_holds_all),
        cmocka_unit_test(pixels_that_come_back_are_cleared_of_what_they_were),
        cmocka_unit_test(what_is_sent_waits_for_the_last_merge_of_its_segment),
        cmocka_unit_test(a_send_is_found_by_the_group_that_it_waits_for),
        cmocka_unit_test(a_group_follows_the_last_one_of_its_segment),
        cmocka_unit_test(gathering_is_added_after_the_schedule_and_forgotten),
        cmocka_unit_test(pieces_leave_when_they_are_finished),
        cmocka_unit_test(a_plan_is_the_same_when_it_is_made_again),
        cmocka_unit_test(a_plan_is_made_anew_where_anything_changes),
        cmocka_unit_test(any_allocation_that_fails_is_reported_and_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

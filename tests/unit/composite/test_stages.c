/* Plans of unfinished pixels that go to the root: positions send by stages. */
#include "plans.h"

#include "composite/late_positions.h"

/* Position 1 of 3, which is the root, has no piece and does not wait. Position 0 owns the
 * first 15 pixels, which segments of 4 cut into 4 groups; 2 owns [15, 30), in 5 parts. */
static void unfinished_pixels_for_the_root_leave_by_stages(void **state)
{
    (void)state;
    const expected_part of_root[] = {{2, 15, 1}, {0, 0, 4},  {2, 16, 4},
                                     {0, 4, 4},  {2, 20, 4}, {0, 8, 4},
                                     {2, 24, 4}, {0, 12, 3}, {2, 28, 2}};
    const expected_part of_first[] = {
        {2, 15, 1}, {2, 16, 4}, {2, 20, 4}, {2, 24, 4}, {2, 28, 2}};
    composite_memory memory = {0};
    composite_plan plan = {.memory = &memory};
    composite_plan_key key = make_key(direct_send(), 3, 30, 1, 4);
    key.problem.root = 1;
    key.problem.gather_bytes = COMPOSITE_PIXEL_BYTES;
    assert_int_equal(composite_plan_make(&plan, &key), STATUS_OK);
    assert_int_equal(plan.sends.count, 9);
    expect_parts(&plan.sends, 0, of_root, 9);
    assert_int_equal(plan.sends.items[8].after, 0);
    key.position = 0;
    assert_int_equal(composite_plan_make(&plan, &key), STATUS_OK);
    assert_int_equal(plan.ngroups, 4);
    assert_int_equal(plan.sends.count, 5);
    expect_parts(&plan.sends, 0, of_first, 5);
    const int64_t after[] = {0, 0, 1, 2, 3};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(plan.sends.items[i].after, after[i]);
    }
    key.problem.gather_bytes = 3; /* finished bytes do not wait */
    assert_int_equal(composite_plan_make(&plan, &key), STATUS_OK);
    for (int64_t i = 0; i < plan.sends.count; i++) {
        assert_int_equal(plan.sends.items[i].after, 0);
    }
    composite_plan_clear(&plan);
}

/* The plans of all positions, and the groups that are merged so far. */
typedef struct crowd {
    int size;
    composite_plan plans[9];
    bool merged[9][64];
} crowd;

/* Whether a part has been sent, once what it waits for is merged. */
static bool is_sent(const crowd *all, int to, const composite_part *received)
{
    const composite_plan *from = &all->plans[received->peer];
    for (int64_t i = 0; i < from->sends.count; i++) {
        const composite_part *send = &from->sends.items[i];
        if (send->peer == to && send->round == received->round &&
            send->pix0 == received->pix0) {
            return send->after == 0 || all->merged[received->peer][send->after - 1];
        }
    }
    fail_msg("a part is not sent");
    return false;
}

/* Whether all parts of a group have come, and it is its turn in its segment. */
static bool can_merge(const crowd *all, int position, int64_t number)
{
    const composite_plan *plan = &all->plans[position];
    const composite_group *group = &plan->groups[number];
    bool can = group->before < 0 || all->merged[position][group->before];
    for (int64_t i = group->receive0; i < group->receive1 && can; i++) {
        can = is_sent(all, position, &plan->receives.items[i]);
    }
    return can;
}

/* Merges until nothing is left that can be merged; the number of groups that stay. */
static int64_t count_stuck(crowd *all)
{
    int64_t stuck = 0;
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        stuck = 0;
        for (int q = 0; q < all->size; q++) {
            for (int64_t g = 0; g < all->plans[q].ngroups; g++) {
                const bool can = !all->merged[q][g] && can_merge(all, q, g);
                all->merged[q][g] |= can;
                goes_on |= can;
                stuck += !all->merged[q][g];
            }
        }
    }
    return stuck;
}

static void stages_never_wait_for_each_other_in_a_circle(void **state)
{
    (void)state;
    const bool late[9] = {[3] = true};
    for (int size = 3; size <= 9; size++) {
        for (int root = 0; root < size; root++) {
            for (int kind = 0; kind < 4; kind++) {
                const bool goes_around = kind == 3 && size > 3;
                crowd all = {.size = size};
                composite_memory memory = {0};
                composite_plan_key key =
                    make_key(goes_around ? &composite_around_late : direct_send(), size,
                             kind == 0 ? 61 : 200, 0, kind == 1 ? 4 : 7);
                key.problem.root = root;
                key.problem.gather_bytes = COMPOSITE_PIXEL_BYTES;
                key.problem.late = goes_around ? late : NULL;
                for (int b = 1; b <= COMPOSITE_BANDS && kind == 2; b++) {
                    key.problem.cuts.before[b] = b < 40 ? b : 40 + 30 * (b - 39);
                }
                for (key.position = 0; key.position < size; key.position++) {
                    composite_plan *plan = &all.plans[key.position];
                    plan->memory = &memory;
                    assert_int_equal(composite_plan_make(plan, &key), STATUS_OK);
                    assert_true(plan->ngroups <= 64);
                }
                assert_int_equal(count_stuck(&all), 0);
                for (int q = 0; q < size; q++) {
                    composite_plan_clear(&all.plans[q]);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unfinished_pixels_for_the_root_leave_by_stages),
        cmocka_unit_test(stages_never_wait_for_each_other_in_a_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

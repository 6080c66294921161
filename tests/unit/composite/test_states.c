/* The states of a call of the executor, and of a rank's board. */
#include "composite/run/board.h"
#include "composite/run/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The states that a call can come to from one, as bits, in any number of steps. */
static unsigned find_reachable(composite_state from)
{
    unsigned found = 0;
    unsigned before;
    do {
        before = found;
        for (int a = 0; a < COMPOSITE_STATES; a++) {
            const bool is_reached = a == (int)from || (found >> a & 1u);
            for (int b = 0; b < COMPOSITE_STATES && is_reached; b++) {
                found |= (unsigned)composite_state_follows((composite_state)a,
                                                           (composite_state)b)
                         << b;
            }
        }
    } while (found != before);
    return found;
}

static void every_state_is_reached_and_left_for_the_next_call(void **state)
{
    (void)state;
    for (int s = 0; s < COMPOSITE_STATES; s++) {
        assert_int_equal(find_reachable((composite_state)s),
                         (1u << COMPOSITE_STATES) - 1);
    }
}

static void a_call_that_merges_goes_on_to_the_end(void **state)
{
    (void)state;
    for (int s = COMPOSITE_MERGING; s <= COMPOSITE_LINGERING; s++) {
        const int next = s == COMPOSITE_LINGERING ? COMPOSITE_RESTING : s + 1;
        for (int to = 0; to < COMPOSITE_STATES; to++) {
            assert_int_equal(
                composite_state_follows((composite_state)s, (composite_state)to),
                to == next);
        }
    }
}

/* Without it others would wait forever for what this rank brings. */
static void no_call_ends_before_it_was_compared(void **state)
{
    (void)state;
    assert_false(composite_state_follows(COMPOSITE_RESTING, COMPOSITE_COMPARING));
    assert_false(composite_state_follows(COMPOSITE_PREPARING, COMPOSITE_RESTING));
    assert_false(composite_state_follows(COMPOSITE_PREPARING, COMPOSITE_MERGING));
}

/* ---- Boards ------------------------------------------------------------------------ */

static void a_board_lets_others_see_one_thing_after_the_other(void **state)
{
    (void)state;
    composite_board board = {.state = COMPOSITE_BOARD_BLANK};
    composite_board_enter(&board, COMPOSITE_BOARD_OPEN, 0);
    assert_false(composite_board_is_told(&board, 6));
    composite_board_enter(&board, COMPOSITE_BOARD_TOLD, 6);
    assert_true(composite_board_is_told(&board, 6));
    assert_false(composite_board_is_behind(&board, 0));
    composite_board_enter(&board, COMPOSITE_BOARD_MERGING, 3);
    assert_true(composite_board_is_behind(&board, 2));
    assert_false(composite_board_is_behind(&board, 3));
    assert_false(composite_board_has_reached(&board, COMPOSITE_BOARD_MERGED));
    for (int s = COMPOSITE_BOARD_MERGED; s <= COMPOSITE_BOARD_FINISHED; s++) {
        composite_board_enter(&board, (composite_board_state)s, 0);
        assert_true(composite_board_is_behind(&board, INT64_C(1) << 61));
        for (int t = COMPOSITE_BOARD_MERGED; t <= COMPOSITE_BOARD_FINISHED; t++) {
            assert_int_equal(
                composite_board_has_reached(&board, (composite_board_state)t), t <= s);
        }
    }
}

static void a_board_that_opens_again_has_forgotten_the_frame_before(void **state)
{
    (void)state;
    const pixel_rect all = {1, 2, 3, 4};
    composite_board board = {
        .state = COMPOSITE_BOARD_FINISHED, .active = all, .kept = all};
    composite_board_set_active(&board, all);
    atomic_init(&board.frame, 4);
    atomic_init(&board.progress, INT64_MAX);
    composite_board_enter(&board, COMPOSITE_BOARD_OPEN, 0);
    assert_false(composite_board_is_told(&board, 6));
    assert_false(composite_board_is_behind(&board, 0));
    assert_false(composite_board_has_reached(&board, COMPOSITE_BOARD_MERGED));
    assert_true(pixel_rect_is_empty(composite_board_active(&board)));
    assert_true(pixel_rect_is_empty(board.active) && pixel_rect_is_empty(board.kept));
}

/* Who saw a later state may act on it: none may be taken back within a frame. */
static void a_board_never_goes_back_but_to_open(void **state)
{
    (void)state;
    for (int from = 0; from < COMPOSITE_BOARD_STATES; from++) {
        for (int to = 0; to < from; to++) {
            const bool ended =
                from == COMPOSITE_BOARD_TOLD || from == COMPOSITE_BOARD_FINISHED;
            assert_int_equal(composite_board_follows((composite_board_state)from,
                                                     (composite_board_state)to),
                             to == COMPOSITE_BOARD_OPEN && ended);
        }
    }
    assert_false(composite_board_follows(COMPOSITE_BOARD_OPEN, COMPOSITE_BOARD_MERGING));
    assert_false(
        composite_board_follows(COMPOSITE_BOARD_MERGED, COMPOSITE_BOARD_FINISHED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_is_reached_and_left_for_the_next_call),
        cmocka_unit_test(a_call_that_merges_goes_on_to_the_end),
        cmocka_unit_test(no_call_ends_before_it_was_compared),
        cmocka_unit_test(a_board_lets_others_see_one_thing_after_the_other),
        cmocka_unit_test(a_board_that_opens_again_has_forgotten_the_frame_before),
        cmocka_unit_test(a_board_never_goes_back_but_to_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

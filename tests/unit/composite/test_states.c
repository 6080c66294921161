/* The states of a call of the executor, and of a rank's status page. */
#include "composite/run/state.h"
#include "composite/run/status_page.h"

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
    for (int s = COMPOSITE_DRAWING; s <= COMPOSITE_LINGERING; s++) {
        const int next = s == COMPOSITE_LINGERING ? COMPOSITE_RESTING : s + 1;
        for (int to = 0; to < COMPOSITE_STATES; to++) {
            assert_int_equal(
                composite_state_follows((composite_state)s, (composite_state)to),
                to == next);
        }
    }
}

/* Without it other ranks would wait forever for this rank's input. */
static void no_call_ends_before_its_inputs_were_compared(void **state)
{
    (void)state;
    assert_false(composite_state_follows(COMPOSITE_RESTING, COMPOSITE_COMPARING));
    assert_false(composite_state_follows(COMPOSITE_PREPARING, COMPOSITE_RESTING));
    assert_false(composite_state_follows(COMPOSITE_PREPARING, COMPOSITE_MERGING));
}

/* ---- Status pages
 * ------------------------------------------------------------------------ */

static void a_page_lets_others_see_one_thing_after_the_other(void **state)
{
    (void)state;
    composite_status_page page = {.state = COMPOSITE_PAGE_BLANK};
    composite_status_page_enter(&page, COMPOSITE_PAGE_OPEN, 0);
    assert_false(composite_status_page_is_published(&page, 6));
    composite_status_page_enter(&page, COMPOSITE_PAGE_PUBLISHED, 6);
    assert_true(composite_status_page_is_published(&page, 6));
    assert_false(composite_status_page_has_drawn(&page));
    composite_status_page_enter(&page, COMPOSITE_PAGE_MERGING,
                                composite_status_page_progress(0, 0, 2));
    assert_true(composite_status_page_has_drawn(&page));
    assert_false(
        composite_status_page_has_passed(&page, composite_status_page_progress(0, 0, 2)));
    composite_status_page_enter(&page, COMPOSITE_PAGE_MERGING, 3);
    assert_true(composite_status_page_has_passed(&page, 2));
    assert_false(composite_status_page_has_passed(&page, 3));
    assert_false(composite_status_page_has_reached(&page, COMPOSITE_PAGE_MERGED));
    for (int s = COMPOSITE_PAGE_MERGED; s <= COMPOSITE_PAGE_FINISHED; s++) {
        composite_status_page_enter(&page, (composite_status_page_state)s, 0);
        assert_true(composite_status_page_has_passed(&page, INT64_C(1) << 61));
        for (int t = COMPOSITE_PAGE_MERGED; t <= COMPOSITE_PAGE_FINISHED; t++) {
            assert_int_equal(
                composite_status_page_has_reached(&page, (composite_status_page_state)t),
                t <= s);
        }
    }
}

static void a_page_that_opens_again_has_forgotten_the_frame_before(void **state)
{
    (void)state;
    const pixel_rect all = {1, 2, 3, 4};
    composite_status_page page = {.state = COMPOSITE_PAGE_FINISHED,
                                  .bounds = all,
                                  .active = all,
                                  .kept = all,
                                  .failed = true};
    composite_status_page_set_active(&page, all);
    atomic_init(&page.frame, 4);
    atomic_init(&page.progress, INT64_MAX);
    composite_status_page_enter(&page, COMPOSITE_PAGE_OPEN, 0);
    assert_false(composite_status_page_is_published(&page, 6));
    assert_false(composite_status_page_has_drawn(&page));
    assert_false(composite_status_page_has_reached(&page, COMPOSITE_PAGE_MERGED));
    assert_true(pixel_rect_is_empty(page.bounds) && !page.failed);
    assert_true(pixel_rect_is_empty(composite_status_page_active(&page)));
    assert_true(pixel_rect_is_empty(page.active) && pixel_rect_is_empty(page.kept));
}

/* A rank that saw a later state may act on it: no state may be taken back within a frame.
 */
static void a_page_never_goes_back_but_to_open(void **state)
{
    (void)state;
    for (int from = 0; from < COMPOSITE_PAGE_STATES; from++) {
        for (int to = 0; to < from; to++) {
            const bool ended =
                from == COMPOSITE_PAGE_PUBLISHED || from == COMPOSITE_PAGE_FINISHED;
            assert_int_equal(
                composite_status_page_follows((composite_status_page_state)from,
                                              (composite_status_page_state)to),
                to == COMPOSITE_PAGE_OPEN && ended);
        }
    }
    assert_false(
        composite_status_page_follows(COMPOSITE_PAGE_OPEN, COMPOSITE_PAGE_MERGING));
    assert_false(
        composite_status_page_follows(COMPOSITE_PAGE_MERGED, COMPOSITE_PAGE_FINISHED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_is_reached_and_left_for_the_next_call),
        cmocka_unit_test(a_call_that_merges_goes_on_to_the_end),
        cmocka_unit_test(no_call_ends_before_its_inputs_were_compared),
        cmocka_unit_test(a_page_lets_others_see_one_thing_after_the_other),
        cmocka_unit_test(a_page_that_opens_again_has_forgotten_the_frame_before),
        cmocka_unit_test(a_page_never_goes_back_but_to_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

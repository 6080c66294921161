/* When pictures of running programs are due. */
#include "library/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* Due cycles of a program with steps of `dt` from cycle `first` on, as text. */
static void list_due(const io_trigger *config, int first, int steps, double dt,
                     char text[256])
{
    insitu_trigger trigger = {.config = config};
    size_t used = 0;
    text[0] = '\0';
    for (int cycle = first; cycle < first + steps; cycle++) {
        if (insitu_trigger_is_due(&trigger, cycle, dt * cycle)) {
            used += (size_t)snprintf(text + used, 256 - used, " %d", cycle);
        }
    }
}

static void every_so_many_cycles(void **state)
{
    (void)state;
    char text[256];
    const io_trigger config = {.every = 4};
    list_due(&config, 0, 10, 0.1, text);
    assert_string_equal(text, " 0 4 8");
    list_due(&config, 7, 6, 0.1, text);
    assert_string_equal(text, " 8 12");
}

static void times_are_passed_once_and_in_spite_of_rounding(void **state)
{
    (void)state;
    char text[256];
    double times[] = {0.1, 0.3, 0.31, 0.32, 0.7};
    const io_trigger config = {.ntimes = 5, .times = times};
    list_due(&config, 0, 10, 0.1, text); /* 0.1 * 3 is a little more than 0.3 */
    assert_string_equal(text, " 1 3 4 7");
}

static void times_before_the_first_step_are_over(void **state)
{
    (void)state;
    char text[256];
    double times[] = {0.1, 0.2, 0.5};
    const io_trigger config = {.ntimes = 3, .times = times};
    list_due(&config, 2, 6, 0.1, text);
    assert_string_equal(text, " 2 5");
    list_due(&config, 3, 6, 0.1, text);
    assert_string_equal(text, " 5");
}

static void intervals_are_drawn_where_they_end(void **state)
{
    (void)state;
    char text[256];
    const io_trigger config = {.interval = 0.25};
    list_due(&config, 0, 11, 0.1, text);
    assert_string_equal(text, " 0 3 5 8 10");
    list_due(&config, 4, 5, 0.1, text);
    assert_string_equal(text, " 5 8");
}

static void steps_longer_than_intervals_count_once(void **state)
{
    (void)state;
    char text[256];
    const io_trigger config = {.interval = 0.1};
    list_due(&config, 0, 5, 0.35, text);
    assert_string_equal(text, " 0 1 2 3 4");
}

static void conditions_compare_values(void **state)
{
    (void)state;
    const double never = (double)NAN;
    const io_condition above = {.has_above = true, .above = 1.9};
    const io_condition below = {.has_below = true, .below = -1.0};
    const io_condition between = {
        .has_above = true, .above = 1.0, .has_below = true, .below = 3.0};
    assert_true(insitu_condition_holds(&above, 2.0, never));
    assert_false(insitu_condition_holds(&below, -1.0, never));
    assert_true(insitu_condition_holds(&between, 2.0, 2.0));
}

static void conditions_compare_with_the_last_picture(void **state)
{
    (void)state;
    const io_condition change = {.change = 0.5};
    const io_condition both = {.has_above = true, .above = 1.0, .change = 0.5};
    assert_true(insitu_condition_holds(&change, 2.0, (double)NAN));
    assert_false(insitu_condition_holds(&change, 2.5, 2.0));
    assert_true(insitu_condition_holds(&change, 1.25, 2.0));
    assert_false(insitu_condition_holds(&both, 0.0, 2.0));
    assert_true(insitu_condition_holds(&both, 3.0, 2.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_so_many_cycles),
        cmocka_unit_test(times_are_passed_once_and_in_spite_of_rounding),
        cmocka_unit_test(times_before_the_first_step_are_over),
        cmocka_unit_test(intervals_are_drawn_where_they_end),
        cmocka_unit_test(steps_longer_than_intervals_count_once),
        cmocka_unit_test(conditions_compare_values),
        cmocka_unit_test(conditions_compare_with_the_last_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

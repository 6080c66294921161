/* Pauses of pictures that fail. */
#include "library/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void pauses_double_up_to_five_minutes(void **state)
{
    static const double seconds[] = {0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300};
    (void)state;
    for (int n = 0; n < (int)(sizeof seconds / sizeof seconds[0]); n++) {
        assert_true(insitu_pause_seconds(n) == seconds[n]);
    }
    assert_true(insitu_pause_seconds(1 << 30) == 300.0);
}

/* A disk that is full for two seconds costs no more than the second pause. */
static void pictures_are_tried_again_when_a_pause_is_over(void **state)
{
    (void)state;
    insitu_pause pause = {0};
    assert_true(insitu_pause_is_over(&pause, 0.0));
    for (int n = 0; n < 2; n++) {
        insitu_pause_fail(&pause, 100.0);
        assert_true(insitu_pause_is_over(&pause, 100.0) && !insitu_pause_rests(&pause));
    }
    insitu_pause_fail(&pause, 100.0);
    assert_true(!insitu_pause_is_over(&pause, 100.9) && insitu_pause_rests(&pause));
    assert_true(insitu_pause_is_over(&pause, 101.0));
    insitu_pause_fail(&pause, 101.0);
    assert_true(!insitu_pause_is_over(&pause, 102.9));
    assert_true(insitu_pause_is_over(&pause, 103.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_double_up_to_five_minutes),
        cmocka_unit_test(pictures_are_tried_again_when_a_pause_is_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

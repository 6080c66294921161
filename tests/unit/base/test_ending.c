/* SIGTERM is noted; a second one ends the program, and so does time. */
#include "base/ending/ending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that notes SIGTERM and then waits for ever, with so many seconds of grace. It
 * gets the signal `times` times. Returns the signal that ended it. */
static int end_of(int grace, int times)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        base_ending_catch(grace);
        for (int n = 0; n < times; n++) {
            raise(SIGTERM);
        }
        while (base_ending_is_asked()) {
            pause();
        }
        _exit(0); /* nothing was noted */
    }
    int end = 0;
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_true(WIFSIGNALED(end));
    return WTERMSIG(end);
}

static void a_program_that_waits_for_ever_ends_in_time(void **state)
{
    (void)state;
    assert_int_equal(end_of(1, 1), SIGTERM);
}

static void a_second_signal_ends_it_at_once(void **state)
{
    (void)state;
    const int hours = 3600;
    assert_int_equal(end_of(3 * hours, 2), SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_waits_for_ever_ends_in_time),
        cmocka_unit_test(a_second_signal_ends_it_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

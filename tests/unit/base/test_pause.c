/* Pauses do the work of their own thread, now and then. */
#include "base/system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

static void count_one(void *context)
{
    ++*(int *)context;
}

static void without_work_nothing_happens(void **state)
{
    (void)state;
    int count = 0;
    base_pause();
    base_pause_set(count_one, &count);
    base_pause_set(NULL, NULL);
    base_pause();
    assert_int_equal(count, 0);
}

/* The first pause works; many more in a row do so once in 200 microseconds at most. */
static void pauses_in_a_row_are_one(void **state)
{
    (void)state;
    int count = 0;
    const double begin = base_clock();
    base_pause_set(count_one, &count);
    base_pause();
    assert_int_equal(count, 1);
    for (int n = 0; n < 10000; n++) {
        base_pause();
    }
    const double seconds = base_clock() - begin;
    assert_true(count <= 1 + (int)(seconds / 200e-6));
    while (base_clock() - begin < seconds + 300e-6) {
    }
    const int before = count;
    base_pause();
    assert_int_equal(count, before + 1);
    base_pause_set(NULL, NULL);
}

static void *pause_once(void *none)
{
    base_pause();
    return none;
}

/* MPI may allow the calls of one thread only. */
static void other_threads_do_not_work(void **state)
{
    (void)state;
    int count = 0;
    pthread_t other;
    base_pause_set(count_one, &count);
    assert_int_equal(pthread_create(&other, NULL, pause_once, NULL), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(count, 0);
    base_pause();
    assert_int_equal(count, 1);
    base_pause_set(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_work_nothing_happens),
        cmocka_unit_test(pauses_in_a_row_are_one),
        cmocka_unit_test(other_threads_do_not_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Ranks that outnumber cores, while MPI starts and ends. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "base/parallel/start.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <cmocka.h>

static int starts, ends;

static long sleeps(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

/* Waits in a loop until this thread has slept; for ever if nothing makes it sleep. */
static void spin(void)
{
    for (const long before = sleeps(); sleeps() == before;) {
    }
}

/* MPI's profiling interface lets a program put its own functions before those of MPI. */
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    spin();
    starts++;
    return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Finalize(void)
{
    const int code = PMPI_Finalize();
    spin();
    ends++;
    return code;
}

static void check_no_turns(void)
{
    struct itimerval timer;
    assert_int_equal(getitimer(ITIMER_VIRTUAL, &timer), 0);
    assert_int_equal(timer.it_interval.tv_usec + timer.it_value.tv_usec, 0);
}

static void ranks_that_outnumber_cores_sleep_while_mpi_starts_and_ends(void **state)
{
    (void)state;
    bool speaks;
    assert_int_equal(setenv("MPI_LOCALNRANKS", "1000000", 1), 0);
    assert_int_equal(parallel_start(&speaks), STATUS_OK);
    check_no_turns();
    parallel_finish();
    check_no_turns();
    assert_int_equal(starts + ends, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_that_outnumber_cores_sleep_while_mpi_starts_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

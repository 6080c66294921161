/* The place that a launcher has given a process, as its environment tells it. */
#include "base/launched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static const char *const names[] = {"PMI_RANK",    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                    "PMI_SIZE",    "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID",
                                    "SLURM_NTASKS"};

static int clear(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        unsetenv(names[n]);
    }
    return 0;
}

static void assert_place(int rank, int size)
{
    assert_int_equal(base_launched_rank(), rank);
    assert_int_equal(base_launched_size(), size);
}

static void without_a_launcher_a_process_is_the_only_one(void **unused)
{
    (void)unused;
    assert_place(0, 1);
}

static void each_launcher_tells_the_rank(void **unused)
{
    (void)unused;
    setenv("SLURM_PROCID", "7", 1);
    assert_place(7, 1);
    setenv("PMIX_RANK", "6", 1);
    assert_place(6, 1);
    setenv("OMPI_COMM_WORLD_RANK", "5", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "9", 1);
    assert_place(5, 9);
    /* A launcher inside a job of Slurm counts anew. */
    setenv("PMI_RANK", "2", 1);
    setenv("PMI_SIZE", "3", 1);
    assert_place(2, 3);
}

static void a_batch_script_is_one_process(void **unused)
{
    (void)unused;
    setenv("SLURM_PROCID", "0", 1);
    setenv("SLURM_NTASKS", "64", 1);
    assert_place(0, 1);
}

static void text_that_is_no_number_tells_nothing(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"", "x", "1x", "-1", "99999999999999999999"};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        setenv("PMI_RANK", bad[n], 1);
        setenv("PMI_SIZE", bad[n], 1);
        assert_place(0, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_a_launcher_a_process_is_the_only_one, clear),
        cmocka_unit_test_setup(each_launcher_tells_the_rank, clear),
        cmocka_unit_test_setup(a_batch_script_is_one_process, clear),
        cmocka_unit_test_setup(text_that_is_no_number_tells_nothing, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

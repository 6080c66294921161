#define _GNU_SOURCE /* posix_openpt */
/* The place that a launcher has given a process, as its environment tells it. */
#include "base/launched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {"PMI_RANK",
                                    "OMPI_COMM_WORLD_RANK",
                                    "PMIX_RANK",
                                    "PMI_SIZE",
                                    "OMPI_COMM_WORLD_SIZE",
                                    "SLURM_PROCID",
                                    "SLURM_NTASKS",
                                    "MPI_LOCALNRANKS",
                                    "OMPI_COMM_WORLD_LOCAL_SIZE",
                                    "SLURM_STEP_TASKS_PER_NODE"};

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

static void launchers_tell_the_ranks_of_a_node(void **unused)
{
    (void)unused;
    assert_int_equal(base_launched_on_node(), 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", "8(x4),2", 1);
    assert_int_equal(base_launched_on_node(), 8);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "5", 1);
    assert_int_equal(base_launched_on_node(), 5);
    setenv("MPI_LOCALNRANKS", "3", 1);
    assert_int_equal(base_launched_on_node(), 3);
}

static int open_terminal(void)
{
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(end >= 0);
    return end;
}

/* Whether a child of this process is at a terminal. `launcher`, `rank`: where the
 * standard output of either one leads. */
static bool child_is_at_terminal(int launcher, int rank)
{
    const int kept = dup(STDOUT_FILENO);
    int code = 0;
    dup2(launcher, STDOUT_FILENO);
    const pid_t child = fork();
    if (child == 0) {
        dup2(rank, STDOUT_FILENO);
        _exit(base_launched_at_terminal() ? 1 : 2);
    }
    const bool has_ended = child > 0 && waitpid(child, &code, 0) == child;
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_true(has_ended);
    return WEXITSTATUS(code) == 1;
}

static void terminals_of_a_launcher_are_not_those_of_the_user(void **unused)
{
    (void)unused;
    const int terminal = open_terminal(), file = open("/dev/null", O_WRONLY);
    assert_true(child_is_at_terminal(file, terminal));
    assert_false(child_is_at_terminal(terminal, file));
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    assert_false(child_is_at_terminal(file, terminal));
    assert_false(child_is_at_terminal(terminal, file));
    assert_true(child_is_at_terminal(terminal, terminal));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_a_launcher_a_process_is_the_only_one, clear),
        cmocka_unit_test_setup(each_launcher_tells_the_rank, clear),
        cmocka_unit_test_setup(a_batch_script_is_one_process, clear),
        cmocka_unit_test_setup(text_that_is_no_number_tells_nothing, clear),
        cmocka_unit_test_setup(launchers_tell_the_ranks_of_a_node, clear),
        cmocka_unit_test_setup(terminals_of_a_launcher_are_not_those_of_the_user, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

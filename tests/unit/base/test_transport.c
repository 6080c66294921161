/* The settings of UCX that programs make before MPI starts. */
#include "base/parallel/transport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char VARIABLE[] = "UCX_RNDV_THRESH";

/* Makes a folder with one entry, or none, and runs with it. */
static void set_with(const char *entry)
{
    char folder[] = "/tmp/karman-cards-XXXXXX";
    char path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s", folder, entry ? entry : "");
    assert_true(!entry || mkdir(path, 0700) == 0);
    parallel_set_transport(folder);
    assert_true(!entry || rmdir(path) == 0);
    assert_int_equal(rmdir(folder), 0);
}

static void messages_over_tcp_do_not_wait(void **state)
{
    (void)state;
    unsetenv(VARIABLE);
    set_with(NULL);
    assert_string_equal(getenv(VARIABLE), "1m");
    unsetenv(VARIABLE);
    parallel_set_transport("/there/is/no/such/folder");
    assert_string_equal(getenv(VARIABLE), "1m");
}

static void a_card_with_rdma_keeps_its_threshold(void **state)
{
    (void)state;
    unsetenv(VARIABLE);
    set_with("mlx5_0");
    assert_null(getenv(VARIABLE));
}

static void the_users_threshold_stays(void **state)
{
    (void)state;
    setenv(VARIABLE, "8k", 1);
    set_with(NULL);
    assert_string_equal(getenv(VARIABLE), "8k");
}

static void a_process_without_a_launcher_is_alone(void **state)
{
    (void)state;
    char path[] = "PATH=/bin", job[] = "SLURM_NTASKS=4";
    char *const plain[] = {path, job, NULL};
    unsetenv("UCX_TLS");
    unsetenv("HWLOC_PLUGINS_PATH");
    setenv("HWLOC_COMPONENTS", "x86", 1);
    assert_true(parallel_start_alone(plain));
    assert_string_equal(getenv("UCX_TLS"), "self");
    assert_string_equal(getenv("HWLOC_PLUGINS_PATH"), "/dev/null");
    assert_string_equal(getenv("HWLOC_COMPONENTS"), "x86");
    parallel_forget_alone();
    assert_null(getenv("UCX_TLS"));
    assert_null(getenv("HWLOC_PLUGINS_PATH"));
    assert_string_equal(getenv("HWLOC_COMPONENTS"), "x86");
    unsetenv("HWLOC_COMPONENTS");
}

static void a_launched_process_is_not_alone(void **state)
{
    (void)state;
    static const char *const signs[] = {"PMI_RANK=0", "PMIX_RANK=1", "SLURM_PROCID=2",
                                        "OMPI_COMM_WORLD_RANK=0", "PALS_RANKID=3"};
    unsetenv("UCX_TLS");
    for (size_t n = 0; n < sizeof signs / sizeof signs[0]; n++) {
        char path[] = "PATH=/bin", sign[64];
        snprintf(sign, sizeof sign, "%s", signs[n]);
        char *const launched[] = {path, sign, NULL};
        assert_false(parallel_start_alone(launched));
        assert_null(getenv("UCX_TLS"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_over_tcp_do_not_wait),
        cmocka_unit_test(a_card_with_rdma_keeps_its_threshold),
        cmocka_unit_test(the_users_threshold_stays),
        cmocka_unit_test(a_process_without_a_launcher_is_alone),
        cmocka_unit_test(a_launched_process_is_not_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

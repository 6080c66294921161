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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_over_tcp_do_not_wait),
        cmocka_unit_test(a_card_with_rdma_keeps_its_threshold),
        cmocka_unit_test(the_users_threshold_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

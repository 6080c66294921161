/* The socket of a process, by a folder that stands for that of the processors. */
#define _GNU_SOURCE
#include "base/parallel/nodes.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

enum { MOST = CPU_SETSIZE };

typedef struct folder {
    char path[64];
    cpu_set_t allowed; /* for this process */
} folder;

/* Writes the package of a processor. */
static void put(const folder *cpus, size_t processor, int package)
{
    char path[256];
    snprintf(path, sizeof path, "%s/cpu%zu", cpus->path, processor);
    mkdir(path, 0755);
    strncat(path, "/topology", sizeof path - strlen(path) - 1);
    mkdir(path, 0755);
    strncat(path, "/physical_package_id", sizeof path - strlen(path) - 1);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%d\n", package);
    assert_int_equal(fclose(file), 0);
}

/* Gives all processors that this process may use one package, the last one another. */
static size_t put_all(const folder *cpus, int package, int of_last)
{
    size_t last = 0;
    for (size_t n = 0; n < MOST; n++) {
        if (CPU_ISSET(n, &cpus->allowed)) {
            put(cpus, n, package);
            last = n;
        }
    }
    put(cpus, last, of_last);
    return last;
}

static int open_folder(void **state)
{
    folder *cpus = calloc(1, sizeof *cpus);
    strcpy(cpus->path, "/tmp/karman-cpus-XXXXXX");
    *state = cpus;
    return !mkdtemp(cpus->path) ||
           sched_getaffinity(0, sizeof cpus->allowed, &cpus->allowed) != 0;
}

static int close_folder(void **state)
{
    folder *cpus = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", cpus->path);
    const int failed =
        system(command) || sched_setaffinity(0, sizeof cpus->allowed, &cpus->allowed);
    free(cpus);
    return failed;
}

static void processors_of_one_package_are_a_socket(void **state)
{
    const folder *cpus = *state;
    put_all(cpus, 0, 0);
    assert_int_equal(parallel_find_socket(cpus->path), 0);
    put_all(cpus, 3, 3);
    assert_int_equal(parallel_find_socket(cpus->path), 3);
}

static void processors_of_two_packages_are_none(void **state)
{
    const folder *cpus = *state;
    if (CPU_COUNT(&cpus->allowed) < 2) {
        skip();
    }
    const size_t last = put_all(cpus, 0, 1);
    assert_in_range(-parallel_find_socket(cpus->path), 1, MOST);
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(last, &own);
    assert_int_equal(sched_setaffinity(0, sizeof own, &own), 0);
    assert_int_equal(parallel_find_socket(cpus->path), 1); /* bound to the last one */
}

static void a_system_that_tells_nothing_has_none(void **state)
{
    const folder *cpus = *state;
    assert_in_range(-parallel_find_socket(cpus->path), 1, MOST);
    put_all(cpus, -1, -1); /* as some virtual machines do */
    assert_in_range(-parallel_find_socket(cpus->path), 1, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(processors_of_one_package_are_a_socket,
                                        open_folder, close_folder),
        cmocka_unit_test_setup_teardown(processors_of_two_packages_are_none, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(a_system_that_tells_nothing_has_none, open_folder,
                                        close_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

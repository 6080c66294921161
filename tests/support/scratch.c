#include "scratch.h"

#include "base/status.h"
#include "file.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[512];

int scratch_setup(void **state)
{
    (void)state;
    base_fail_set_message("");
    test_temporary_create(folder, sizeof folder);
    return 0;
}

int scratch_teardown(void **state)
{
    (void)state;
    test_tree_remove(folder);
    return 0;
}

const char *scratch_folder(void)
{
    return folder;
}

const char *scratch_path(const char *name)
{
    static char paths[8][1024];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

int scratch_count(void)
{
    int count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    while (readdir(listing)) {
        count++;
    }
    closedir(listing);
    return count - 2; /* "." and ".." */
}

void scratch_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void scratch_limit_files(size_t bytes)
{
    struct rlimit limit;
    /* Without this, the first write beyond the limit would end the program. */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes > 0 ? (rlim_t)bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

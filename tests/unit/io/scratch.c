#include "scratch.h"

#include "base/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[512];

int scratch_setup(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/karman-test-XXXXXX", base ? base : "/tmp");
    base_fail_set_message("");
    return mkdtemp(folder) ? 0 : -1;
}

/* Removes a file or a folder with what is in it. */
static void remove_all(const char *path)
{
    DIR *listing = opendir(path);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char child[1024];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
            remove_all(child);
        }
    }
    if (listing) {
        closedir(listing);
    }
    remove(path);
}

int scratch_teardown(void **state)
{
    (void)state;
    remove_all(folder);
    return 0;
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

unsigned char *scratch_read(const char *path, size_t *size)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    *size = (size_t)about.st_size;
    unsigned char *data = malloc(*size + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(data);
    assert_non_null(file);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    data[*size] = '\0';
    return data;
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
    /* Without this the first write beyond the limit would end the program. */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes > 0 ? (rlim_t)bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

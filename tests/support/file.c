#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* An exit before MPI_Finalize makes the launcher end the other ranks. */
static void stop(const char *path, const char *what)
{
    fprintf(stderr, "%s cannot be %s: %s\n", path, what, strerror(errno));
    abort();
}

FILE *test_file_create(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        stop(path, "made");
    }
    return file;
}

void test_file_close(FILE *file, const char *path)
{
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        stop(path, "written");
    }
}

void test_file_write(const char *path, const char *format, ...)
{
    FILE *file = test_file_create(path);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    test_file_close(file, path);
}

void test_file_put(const char *path, const char *text)
{
    char hidden[1200];
    snprintf(hidden, sizeof hidden, "%s.tmp", path);
    test_file_write(hidden, "%s", text);
    if (rename(hidden, path) != 0) {
        stop(path, "written");
    }
}

unsigned char *test_file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    unsigned char *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
    if (bytes) {
        rewind(file);
    }
    if (!bytes || fread(bytes, 1, (size_t)end, file) != (size_t)end) {
        stop(path, "read");
    }
    fclose(file);
    bytes[end] = '\0';
    *size = (size_t)end;
    return bytes;
}

bool test_file_same(const char *one, const char *other)
{
    size_t sizes[2];
    unsigned char *a = test_file_read(one, &sizes[0]),
                  *b = test_file_read(other, &sizes[1]);
    const bool same = sizes[0] == sizes[1] && memcmp(a, b, sizes[0]) == 0;
    free(a);
    free(b);
    return same;
}

void test_temporary_create(char *path, size_t size)
{
    const char *base = getenv("TMPDIR");
    snprintf(path, size, "%s/karman-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(path)) {
        stop(path, "made");
    }
}

void test_tree_remove(const char *path)
{
    DIR *listing = opendir(path);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        char child[1200];
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
            test_tree_remove(child);
        }
    }
    if (listing) {
        closedir(listing);
    }
    remove(path);
}

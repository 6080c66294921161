#include "io/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

status io_file_make_folders(const char *path)
{
    char *folder = strdup(path);
    if (!folder) {
        return base_fail_memory(strlen(path), "a path");
    }
    status s = STATUS_OK;
    /* The root folder is always there: start behind the first character. */
    for (char *slash = folder; s == STATUS_OK && (slash = strchr(slash + 1, '/'));
         *slash = '/') {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            s = base_fail(STATUS_OUTPUT, "cannot make the folder '%s' for '%s': %s",
                          folder, path, strerror(errno));
        }
    }
    free(folder);
    return s;
}

status io_file_temporary_name(const char *path, char **out)
{
    size_t size = strlen(path) + 32;
    char *name = malloc(size);
    if (!name) {
        return base_fail_memory(size, "a path");
    }
    snprintf(name, size, "%s.%ld.tmp", path, (long)getpid());
    *out = name;
    return STATUS_OK;
}

status io_file_commit(const char *temporary, const char *path)
{
    if (rename(temporary, path) == 0) {
        return STATUS_OK;
    }
    status s = base_fail(STATUS_OUTPUT, "cannot rename '%s' to '%s': %s", temporary, path,
                         strerror(errno));
    unlink(temporary);
    return s;
}

/* Writes everything, up to and with the closing of the file: only then is a full disk
 * known. */
static status write_bytes(const char *name, const char *path, const void *data,
                          size_t size)
{
    FILE *file = fopen(name, "wb");
    bool written = file && fwrite(data, 1, size, file) == size;
    int error = errno;
    if (file && fclose(file) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written) {
        return STATUS_OK;
    }
    if (file) {
        unlink(name);
    }
    return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", path, strerror(error));
}

status io_file_write(const char *path, const void *data, size_t size)
{
    char *temporary;
    status s = io_file_make_folders(path);
    if (s == STATUS_OK) {
        s = io_file_temporary_name(path, &temporary);
    }
    if (s != STATUS_OK) {
        return s;
    }
    s = write_bytes(temporary, path, data, size);
    if (s == STATUS_OK) {
        s = io_file_commit(temporary, path);
    }
    free(temporary);
    return s;
}

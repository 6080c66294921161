#include "output.h"

#include "failure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool solver_output_fail(const char *path)
{
    return solver_fail(SOLVER_FAILED, "cannot write '%s': %s", path, strerror(errno));
}

bool solver_output_folders(const char *path)
{
    char *folder = strdup(path);
    bool works = folder || solver_fail_memory(strlen(path), "a path");
    /* The root folder always exists: start behind the first character. */
    for (char *slash = folder; works && (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            works = solver_fail(SOLVER_FAILED, "cannot make the folder '%s' for '%s': %s",
                                folder, path, strerror(errno));
        }
    }
    free(folder);
    return works;
}

int solver_output_create(const char *part)
{
    unlink(part);
    return open(part, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0666);
}

bool solver_output_commit(const char *part, const char *path)
{
    if (rename(part, path) == 0) {
        return true;
    }
    solver_output_fail(path);
    unlink(part);
    return false;
}

bool solver_output_write(const char *part, const char *path, const void *data,
                         size_t size)
{
    const int descriptor = solver_output_create(part);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    bool works = file && fwrite(data, 1, size, file) == size && fflush(file) == 0 &&
                 fsync(descriptor) == 0;
    works = works || solver_output_fail(path);
    if (file && fclose(file) != 0 && works) {
        works = solver_output_fail(path);
    }
    if (!works && descriptor >= 0) {
        unlink(part);
    }
    return works && solver_output_commit(part, path);
}

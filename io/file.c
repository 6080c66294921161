#include "file.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool io_file_is_same(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool io_file_beside(const char *path, const char *name, char *out, size_t size)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    const int length = snprintf(out, size, "%.*s%s", folder, path, name);
    return length >= 0 && (size_t)length < size;
}

/* `shown`: the path as messages name it. */
static status make_folders(const char *path, const char *shown)
{
    char *folder = strdup(path);
    if (!folder) {
        return base_fail_memory(strlen(path), "a path");
    }
    status s = STATUS_OK;
    /* The root folder always exists: start behind the first character. */
    for (char *slash = folder; s == STATUS_OK && (slash = strchr(slash + 1, '/'));
         *slash = '/') {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            s = base_fail(STATUS_OUTPUT, "cannot make the folder '%s' for '%s': %s",
                          folder, shown, strerror(errno));
        }
    }
    free(folder);
    return s;
}

status io_file_make_folders(const char *path)
{
    return make_folders(path, path);
}

status io_file_temporary_name(const char *path, char **out)
{
    char suffix[BASE_PATH_SUFFIX];
    base_path_suffix(suffix);
    const size_t size = strlen(path) + sizeof suffix;
    char *name = malloc(size);
    if (!name) {
        return base_fail_memory(size, "a path");
    }
    snprintf(name, size, "%s%s", path, suffix);
    *out = name;
    return STATUS_OK;
}

int io_file_create(const char *temporary)
{
    unlink(temporary);
    return open(temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0666);
}

status io_file_commit(const char *temporary, const char *path)
{
    if (rename(temporary, path) == 0) {
        return STATUS_OK;
    }
    status s = base_fail(STATUS_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
    unlink(temporary);
    return s;
}

/* Whether a path leads to a device, a pipe or a socket, which no file may replace. */
static bool is_device(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* Writes and closes a file, or fails with errno if it is NULL. Messages name it `shown`.
 */
static status write_file(FILE *file, const char *shown, io_file_contents *write,
                         const void *context)
{
    if (!file) {
        return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", shown, strerror(errno));
    }
    errno = EIO; /* for writers that say no more than that a byte was lost */
    bool written = write(file, context) && !ferror(file);
    int error = errno;
    if (fclose(file) != 0 && written) {
        written = false;
        error = errno;
    }
    return written ? STATUS_OK
                   : base_fail(STATUS_OUTPUT, "cannot write '%s': %s", shown,
                               strerror(error));
}

/* The same under a temporary name: nothing remains of it after a failure. */
static status write_temporary(const char *temporary, const char *shown,
                              io_file_contents *write, const void *context)
{
    const int descriptor = io_file_create(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (descriptor >= 0 && !file) {
        close(descriptor);
    }
    const status s = write_file(file, shown, write, context);
    if (s != STATUS_OK) {
        unlink(temporary);
    }
    return s;
}

status io_file_make(const char *path, io_file_contents *write, const void *context)
{
    char *temporary;
    if (is_device(path)) {
        return write_file(fopen(path, "wb"), path, write, context);
    }
    status s = io_file_make_folders(path);
    if (s == STATUS_OK) {
        s = io_file_temporary_name(path, &temporary);
    }
    if (s != STATUS_OK) {
        return s;
    }
    s = write_temporary(temporary, path, write, context);
    s = s == STATUS_OK ? io_file_commit(temporary, path) : s;
    free(temporary);
    return s;
}

static bool write_a_line(FILE *file, const void *context)
{
    (void)context;
    return fputs("karman can write here\n", file) >= 0;
}

/* A file cannot take the place of a folder. */
static status check_no_folder(const char *path, const char *shown)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode)
               ? base_fail(STATUS_OUTPUT, "'%s' is a folder: name a file", shown)
               : STATUS_OK;
}

status io_file_try(const char *path, const char *shown)
{
    char *temporary;
    if (is_device(path)) {
        return STATUS_OK;
    }
    status s = check_no_folder(path, shown);
    s = s == STATUS_OK ? make_folders(path, shown) : s;
    if (s == STATUS_OK) {
        s = io_file_temporary_name(path, &temporary);
    }
    if (s != STATUS_OK) {
        return s;
    }
    s = write_temporary(temporary, shown, write_a_line, NULL);
    if (s == STATUS_OK) {
        unlink(temporary);
    }
    free(temporary);
    return s;
}

typedef struct byte_range {
    const void *data;
    size_t size;
} byte_range;

static bool write_bytes(FILE *file, const void *context)
{
    const byte_range *bytes = context;
    return fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
}

status io_file_write(const char *path, const void *data, size_t size)
{
    return io_file_make(path, write_bytes, &(byte_range){data, size});
}

void io_file_print_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

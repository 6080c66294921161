#include "folder.h"

#include "base/array.h"
#include "base/log.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WAITING = 1 << 20 };

/* ---- Folders ----------------------------------------------------------------------- */

bool steer_path_join(const char *folder, const char *name, char path[STEER_MAX_PATH])
{
    int length = snprintf(path, STEER_MAX_PATH, "%s/%s", folder, name);
    return length > 0 && length < STEER_MAX_PATH;
}

static bool make_one(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* Makes the directory and its parents. */
static bool make_all(const char *path)
{
    char part[STEER_MAX_PATH];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = part; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        if (!make_one(part)) {
            return false;
        }
    }
    return make_one(part);
}

bool steer_folder_make(const char *path)
{
    static const char *const parts[] = {"orders", "answers", "frames"};
    bool done = make_all(path);
    for (int n = 0; done && n < 3; n++) {
        char part[STEER_MAX_PATH];
        done = steer_path_join(path, parts[n], part) && make_one(part);
    }
    return done;
}

bool steer_orders_guard(const steer_folder *folder)
{
    char path[STEER_MAX_PATH];
    const mode_t wanted = folder->group_orders ? 0775 : 0755;
    struct stat about;
    return steer_path_join(folder->path, "orders", path) && lstat(path, &about) == 0 &&
           ((about.st_mode & 0777) == wanted || chmod(path, wanted) == 0);
}

bool steer_orders_is_guarded(const steer_folder *folder, int handle)
{
    const mode_t others = folder->group_orders ? S_IWOTH : S_IWGRP | S_IWOTH;
    struct stat about;
    return fstat(handle, &about) == 0 && about.st_uid == geteuid() &&
           (about.st_mode & others) == 0;
}

static void report(steer_folder *folder, const char *name, int error)
{
    if (!folder->has_said) {
        base_log_warning("the run directory '%s' cannot be written (%s: %s); the program "
                         "goes on, and writes its files when it can again",
                         folder->path, name, strerror(error));
        folder->has_said = true;
    }
}

/* ---- Whole files ------------------------------------------------------------------- */

/* Writes text to a new file; sets errno on failure. */
static bool write_new(const char *path, const char *text, size_t size)
{
    unlink(path); /* of a killed program, or a link that somebody put there */
    FILE *file = fopen(path, "wbx");
    if (!file) {
        return false;
    }
    bool done = fwrite(text, 1, size, file) == size;
    int error = errno;
    if (fclose(file) != 0 && done) {
        return false;
    }
    errno = error;
    return done;
}

static bool write_whole(const char *folder, const char *name, const char *text)
{
    char path[STEER_MAX_PATH], temporary[STEER_MAX_PATH], hidden[STEER_MAX_PATH],
        suffix[BASE_PATH_SUFFIX];
    const char *slash = strrchr(name, '/');
    const char *last = slash ? slash + 1 : name;
    base_path_suffix(suffix);
    snprintf(hidden, sizeof hidden, "%.*s.%s%s", (int)(last - name), name, last, suffix);
    if (!steer_path_join(folder, name, path) ||
        !steer_path_join(folder, hidden, temporary)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (write_new(temporary, text, strlen(text)) && rename(temporary, path) == 0) {
        return true;
    }
    int error = errno;
    unlink(temporary);
    errno = error;
    return false;
}

/* Makes a directory that has been removed. */
static bool make_again(const steer_folder *folder)
{
    return steer_folder_make(folder->path) &&
           (!folder->guards || steer_orders_guard(folder));
}

bool steer_folder_write(steer_folder *folder, const char *name, const json_t *json)
{
    char *text = json ? json_dumps(json, JSON_INDENT(1)) : NULL;
    errno = ENOMEM;
    bool done = text && write_whole(folder->path, name, text);
    /* The directory has been removed: it is made again. */
    if (text && !done && errno == ENOENT && make_again(folder)) {
        done = write_whole(folder->path, name, text);
    }
    if (!done) {
        report(folder, name, errno);
    }
    free(text);
    return done;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* O_NONBLOCK: a pipe with the name of a file must not block the program. */
static int open_regular(const char *path, struct stat *about)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && (fstat(file, about) != 0 || !S_ISREG(about->st_mode))) {
        close(file);
        errno = EINVAL;
        return -1;
    }
    return file;
}

/* Number of bytes read, at most `size`, or -1. */
static ssize_t read_all(int file, char *text, size_t size)
{
    size_t used = 0;
    while (used < size) {
        ssize_t got = read(file, text + used, size - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        used += (size_t)got;
    }
    return (ssize_t)used;
}

static status read_open(int file, const char *path, size_t most, size_t room, char **text,
                        size_t *size)
{
    char *buffer = malloc(room + 1);
    if (!buffer) {
        return base_fail_memory(room, "a file");
    }
    ssize_t got = read_all(file, buffer, room);
    if (got < 0 || (size_t)got > most) {
        status s =
            got < 0 ? base_fail(STATUS_INPUT, "'%s' cannot be read: %s", path,
                                strerror(errno))
                    : base_fail(STATUS_INPUT, "'%s' has more than %zu bytes", path, most);
        free(buffer);
        return s;
    }
    buffer[got] = '\0';
    *text = buffer;
    *size = (size_t)got;
    return STATUS_OK;
}

status steer_file_read(const char *path, size_t most, char **text, size_t *size)
{
    struct stat about;
    int file = open_regular(path, &about);
    if (file < 0) {
        return base_fail(STATUS_INPUT, "'%s' cannot be read: %s", path, strerror(errno));
    }
    /* One byte more than the file has now shows whether the file has grown. */
    size_t there = about.st_size > 0 ? (size_t)about.st_size : 0;
    size_t room = (there < most ? there : most) + 1;
    status s = read_open(file, path, most, room, text, size);
    close(file);
    return s;
}

/* ---- Lines ------------------------------------------------------------------------- */

static bool make_room(steer_lines *lines, size_t more)
{
    size_t needed = lines->used + more;
    if (needed > MOST_WAITING) {
        return false;
    }
    return base_array_room(lines->text, (int64_t)lines->used, (int64_t)more, NULL) ==
           STATUS_OK;
}

void steer_lines_add(steer_lines *lines, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0;
    if (text && make_room(lines, length + 1)) {
        memcpy(lines->text + lines->used, text, length);
        lines->text[lines->used + length] = '\n';
        lines->used += length + 1;
    }
    free(text);
    json_decref(json);
}

/* Ends an incomplete line, which a killed run may have left. */
static bool end_line(int file)
{
    char last = '\n';
    off_t end = lseek(file, 0, SEEK_END);
    if (end <= 0 || pread(file, &last, 1, end - 1) != 1 || last == '\n') {
        return true;
    }
    return write(file, "\n", 1) == 1;
}

/* Writes as much as possible; sets errno on failure. */
static bool append(int file, steer_lines *lines)
{
    size_t done = 0;
    while (done < lines->used) {
        ssize_t wrote = write(file, lines->text + done, lines->used - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            break;
        }
        done += (size_t)wrote;
    }
    lines->used -= done;
    memmove(lines->text, lines->text + done, lines->used);
    return lines->used == 0;
}

static int open_lines(const steer_folder *folder, const char *name)
{
    char path[STEER_MAX_PATH];
    if (!steer_path_join(folder->path, name, path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
    int file = open(path, flags, 0666);
    if (file < 0 && errno == ENOENT && make_again(folder)) {
        file = open(path, flags, 0666);
    }
    return file;
}

void steer_lines_flush(steer_lines *lines, steer_folder *folder)
{
    if (lines->used == 0) {
        return;
    }
    int file = open_lines(folder, lines->name);
    bool done = file >= 0;
    if (done && !lines->has_begun) {
        done = lines->has_begun = end_line(file);
    }
    done = done && append(file, lines);
    int error = errno;
    if (file >= 0 && close(file) != 0) {
        error = errno; /* quota exceeded, say; the bytes handed over count as written */
        done = false;
    }
    if (!done) {
        report(folder, lines->name, error);
    }
}

void steer_lines_clear(steer_lines *lines)
{
    free(lines->text);
    *lines = (steer_lines){.name = lines->name};
}

#include "folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PATH = 1024 };

/* ---- Paths ------------------------------------------------------------------------- */

/* Whether the first `length` letters can be the name of an entry of a folder. */
static bool is_name(const char *text, size_t length)
{
    bool dots =
        (length == 1 && text[0] == '.') || (length == 2 && strncmp(text, "..", 2) == 0);
    return length > 0 && !dots;
}

/* Opens the entry `name` of the folder `parent`, and closes `parent`. */
static int step_into(int parent, const char *name, int flags)
{
    int child = openat(parent, name, flags | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    close(parent);
    return child;
}

/*
 * Walks along `path` part by part, and opens the last part with `flags`. Linux has
 * openat2 with RESOLVE_BENEATH for this; the walk works on any POSIX system.
 */
static int walk(const char *folder, const char *path, int flags)
{
    char copy[MOST_PATH];
    if (strlen(path) >= sizeof copy) {
        return -1;
    }
    memcpy(copy, path, strlen(path) + 1);
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (char *part = copy; at >= 0;) {
        size_t length = strcspn(part, "/");
        bool last = part[length] == '\0';
        part[length] = '\0';
        if (!is_name(part, length)) {
            close(at);
            return -1;
        }
        at = step_into(at, part, last ? flags : O_DIRECTORY);
        if (last) {
            break;
        }
        part += length + 1;
    }
    return at;
}

int live_folder_open(const char *folder, const char *path, struct stat *info)
{
    /* Without O_NONBLOCK, opening a pipe would wait for a writer. */
    int file = walk(folder, path, O_NONBLOCK);
    if (file >= 0 && (fstat(file, info) != 0 || !S_ISREG(info->st_mode))) {
        close(file);
        return -1;
    }
    return file;
}

bool live_folder_has_folder(const char *folder, const char *path)
{
    int file = walk(folder, path, O_DIRECTORY);
    if (file >= 0) {
        close(file);
    }
    return file >= 0;
}

/* ---- Documents --------------------------------------------------------------------- */

static bool read_all(int file, char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(file, bytes + done, size - done);
        if (got <= 0) {
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

json_t *live_folder_json(const char *folder, const char *path, size_t most)
{
    struct stat info;
    json_t *document = NULL;
    int file = live_folder_open(folder, path, &info);
    if (file < 0) {
        return NULL;
    }
    size_t size = (size_t)info.st_size;
    char *bytes = size > 0 && size <= most ? malloc(size) : NULL;
    if (bytes && read_all(file, bytes, size)) {
        document = json_loadb(bytes, size, 0, NULL);
    }
    free(bytes);
    close(file);
    return document;
}

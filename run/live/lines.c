#include "lines.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 4096 };

/* Length of the whole lines at the start of bytes[count]. */
static size_t whole_lines(const char *bytes, size_t count)
{
    while (count > 0 && bytes[count - 1] != '\n') {
        count--;
    }
    return count;
}

static bool read_from(int file, int64_t since, int64_t size, live_lines *out)
{
    int64_t left = size - since;
    size_t count = left < LIVE_LINES_MOST ? (size_t)left : LIVE_LINES_MOST;
    out->text = malloc(count + 1);
    ssize_t got = out->text ? pread(file, out->text, count, (off_t)since) : -1;
    if (got < 0) {
        free(out->text);
        return false;
    }
    out->length = whole_lines(out->text, (size_t)got);
    bool endless = out->length == 0 && got == LIVE_LINES_MOST;
    out->next = since + (endless ? (int64_t)got : (int64_t)out->length);
    return true;
}

bool live_lines_read(const char *folder, const char *name, int64_t since, live_lines *out)
{
    struct stat info;
    *out = (live_lines){.next = since};
    int file = live_folder_open(folder, name, &info);
    if (file < 0) {
        return since == 0;
    }
    bool good =
        since >= 0 && since <= info.st_size && read_from(file, since, info.st_size, out);
    close(file);
    return good;
}

json_t *live_lines_at(const char *folder, const char *name, int64_t at)
{
    struct stat info;
    char bytes[MOST_LINE + 1];
    int file = live_folder_open(folder, name, &info);
    if (file < 0) {
        return NULL;
    }
    /* The byte before `at` shows whether a line begins there. */
    size_t before = at > 0 ? 1 : 0;
    ssize_t got = at >= 0 && at < info.st_size
                      ? pread(file, bytes, sizeof bytes, (off_t)(at - (int64_t)before))
                      : -1;
    close(file);
    if (got <= (ssize_t)before || (before == 1 && bytes[0] != '\n')) {
        return NULL;
    }
    const char *line = bytes + before;
    const char *end = memchr(line, '\n', (size_t)got - before);
    return end ? json_loadb(line, (size_t)(end - line), 0, NULL) : NULL;
}

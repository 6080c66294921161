#include "copy.h"

#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the source, the folders of configs, data and pictures lie side by side. */
static const struct {
    const char *source, *copy;
} paths[] = {{"../../out/gallery/", ""},
             {"out/gallery/", ""},
             {"../datasets/", ""},
             {"../out/", "out/"},
             {"datasets/", ""},
             {"configs/gallery/", ""},
             {"configs/", ""}};

enum { PATHS = sizeof paths / sizeof paths[0] };

/* Copies text, and replaces paths by those of the copy. */
static void shorten(const char *text, FILE *stream)
{
    while (*text != '\0') {
        int p = 0;
        while (p < PATHS &&
               strncmp(text, paths[p].source, strlen(paths[p].source)) != 0) {
            p++;
        }
        if (p < PATHS) {
            fputs(paths[p].copy, stream);
            text += strlen(paths[p].source);
        } else {
            fputc(*text++, stream);
        }
    }
}

/* Reads the whole file; malloc'ed, or NULL with errno. */
static char *read_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        return NULL;
    }
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = ferror(file) ? NULL : strdup("");
    }
    fclose(file);
    return text;
}

status example_file_read(const char *folder, const char *name, char **out)
{
    char *path = base_path_join(folder, name), *shortened = NULL;
    char *text = path ? read_text(path) : NULL;
    size_t size;
    FILE *stream = text ? open_memstream(&shortened, &size) : NULL;
    status s = STATUS_OK;
    if (stream) {
        shorten(text, stream);
    }
    if (!text) {
        s = base_fail(STATUS_INPUT, "%s/%s cannot be read: %s", folder, name,
                      strerror(errno));
    } else if (!stream || fclose(stream) != 0) {
        s = base_fail_memory(strlen(text), name);
    }
    free(text);
    free(path);
    if (s == STATUS_OK) {
        *out = shortened;
    }
    return s;
}

status example_file_check(const char *folder, const char *name, const char *text)
{
    char *path = base_path_join(folder, name);
    if (!path) {
        return base_fail_memory(0, name);
    }
    status s = STATUS_OK;
    if (access(path, F_OK) == 0) {
        char *held = read_text(path);
        if (!held || strcmp(held, text) != 0) {
            s = base_fail(
                STATUS_OUTPUT,
                "%s exists with other contents: nothing is overwritten; name another "
                "folder, 'karman example NAME FOLDER'",
                path);
        }
        free(held);
    }
    free(path);
    return s;
}

static status write_new(const char *path, const char *text, bool *is_new)
{
    FILE *file = fopen(path, "wx");
    *is_new = file != NULL;
    if (!file) {
        return errno == EEXIST ? STATUS_OK
                               : base_fail(STATUS_OUTPUT, "%s cannot be written: %s",
                                           path, strerror(errno));
    }
    const bool failed = fputs(text, file) < 0;
    if (fclose(file) != 0 || failed) {
        status s =
            base_fail(STATUS_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
        unlink(path);
        return s;
    }
    return STATUS_OK;
}

status example_file_write(const char *folder, const char *name, const char *text,
                          bool *is_new)
{
    char *path = base_path_join(folder, name);
    status s = path ? write_new(path, text, is_new) : base_fail_memory(0, name);
    free(path);
    return s;
}

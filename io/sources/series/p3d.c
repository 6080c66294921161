#include "p3d.h"

#include "io/file.h"
#include "io/gzip/unpacked.h"
#include "io/json/json.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool series_p3d_is(const char *path)
{
    char text[4096] = "";
    struct stat about;
    FILE *stream =
        stat(path, &about) == 0 && S_ISREG(about.st_mode) ? io_packed_stream(path) : NULL;
    text[stream ? fread(text, 1, sizeof text - 1, stream) : 0] = '\0';
    if (stream) {
        fclose(stream);
    }
    return text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"filenames\"") &&
           strstr(text, "\"xyz\"");
}

/* The path of a member of an entry, from the working directory, of a file that is there;
 * *out is NULL if there is no such member. */
static status find_path(const char *list, const json_t *entry, const char *key,
                        char **out)
{
    char path[PATH_MAX];
    const char *name = json_string_value(json_object_get(entry, key));
    *out = NULL;
    if (name && !io_file_beside(list, name, path, sizeof path)) {
        return base_fail(STATUS_INPUT, "'%s' names a file whose path is too long", list);
    }
    if (name && access(path, F_OK) != 0) {
        return base_fail(
            STATUS_INPUT,
            "'%s' is ParaView's list of PLOT3D files, and '%s', which it names, "
            "is missing: bring it there",
            list, path);
    }
    *out = name ? strdup(path) : NULL;
    return *out || !name ? STATUS_OK : base_fail_memory(strlen(path), "a path");
}

/* A percent sign in the name of a file, which is no pattern, is written twice. */
static status find_values(const char *list, const json_t *entry, const char *key,
                          char **out)
{
    char *path = NULL;
    status s = find_path(list, entry, key, &path);
    *out = path ? malloc(2 * strlen(path) + 1) : NULL;
    char *to = *out;
    for (const char *from = path; to && *from != '\0'; from++) {
        *to++ = *from;
        *to = '%';
        to += *from == '%';
    }
    if (to) {
        *to = '\0';
    }
    s = path && !*out ? base_fail_memory(strlen(path), "a path") : s;
    free(path);
    return s;
}

static status add_entry(const char *list, const json_t *entry, series_files *out)
{
    char *grid = NULL;
    const json_t *time = json_object_get(entry, "time");
    status s = find_path(list, entry, "xyz", &grid);
    if (s == STATUS_OK && !grid) {
        s = base_fail(STATUS_INPUT,
                      "ParaView's list '%s' has an entry without its grid: each of "
                      "'filenames' names one as 'xyz'",
                      list);
    }
    s = s == STATUS_OK ? series_files_add(out, grid, -1) : s;
    free(grid);
    if (s == STATUS_OK) {
        series_file *file = &out->files[out->count - 1];
        file->has_time = json_is_number(time);
        file->time = json_number_value(time);
        s = find_values(list, entry, "q", &file->q);
        s = s == STATUS_OK ? find_values(list, entry, "function", &file->function) : s;
    }
    return s;
}

status series_p3d_read(const char *path, series_files *out)
{
    json_error_t error;
    json_t *document = json_load_file(path, 0, &error), *entry;
    const json_t *entries = json_object_get(document, "filenames");
    status s =
        document ? STATUS_OK
                 : base_fail(STATUS_INPUT, "ParaView's list '%s' is no JSON: line %d: %s",
                             path, error.line, error.text);
    if (s == STATUS_OK && json_array_size(entries) == 0) {
        s = base_fail(
            STATUS_INPUT,
            "ParaView's list '%s' names no files: 'filenames' is a list such as "
            "[{\"time\": 0, \"xyz\": \"wing.xyz\", \"q\": \"wing.q\"}]",
            path);
    }
    for (size_t n = 0; n < json_array_size(entries) && s == STATUS_OK; n++) {
        entry = json_array_get(entries, n);
        s = add_entry(path, entry, out);
    }
    json_decref(document);
    return s;
}

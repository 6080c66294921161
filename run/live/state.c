#include "state.h"

#include "folder.h"
#include "run/steer/alive.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STATUS = 64 * 1024 };

static const struct {
    const char *name, *file;
} files[] = {
    {"frames", "frames.jsonl"},
    {"monitors", "monitors.jsonl"},
    {"timings", "timings.jsonl"},
    {"log", "log.jsonl"},
};

enum { FILES = sizeof files / sizeof files[0] };

const char *live_state_file(const char *name)
{
    for (int f = 0; name && f < FILES; f++) {
        if (strcmp(files[f].name, name) == 0) {
            return files[f].file;
        }
    }
    return NULL;
}

static bool look_at(const char *folder, const char *path, struct stat *info)
{
    int file = live_folder_open(folder, path, info);
    if (file >= 0) {
        close(file);
    }
    return file >= 0;
}

/* Lines are appended in place: the inode of the file stays. */
static json_t *describe_lines(const char *folder, const char *path)
{
    struct stat info;
    char id[32] = "";
    int64_t size = 0;
    if (look_at(folder, path, &info)) {
        snprintf(id, sizeof id, "%" PRIuMAX, (uintmax_t)info.st_ino);
        size = info.st_size;
    }
    return json_pack("{s:s, s:I}", "id", id, "size", (json_int_t)size);
}

/* Documents are replaced by rename: their inode, size or time changes. */
static json_t *describe_document(const char *folder, const char *path)
{
    struct stat info;
    char id[128] = "";
    if (look_at(folder, path, &info)) {
        snprintf(id, sizeof id, "%" PRIuMAX "-%" PRIdMAX "-%" PRIdMAX ".%09ld",
                 (uintmax_t)info.st_ino, (intmax_t)info.st_size,
                 (intmax_t)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    }
    return json_string(id);
}

static json_t *describe_files(const char *folder)
{
    json_t *all = json_object();
    for (int f = 0; all && f < FILES; f++) {
        json_object_set_new(all, files[f].name, describe_lines(folder, files[f].file));
    }
    return all;
}

/* Whether the program is alive; null if none has begun. */
static json_t *describe_life(const json_t *run, const json_t *last)
{
    return run ? json_boolean(steer_alive_check(run, last)) : json_null();
}

json_t *live_state_describe(const live_site *site)
{
    const char *folder = site->folder;
    json_t *run = live_folder_json(folder, "run.json", MOST_STATUS);
    json_t *last = live_folder_json(folder, "status.json", MOST_STATUS);
    json_t *alive = describe_life(run, last);
    return json_pack("{s:o?, s:o?, s:o, s:o, s:o, s:f, s:s, s:i, s:s}", "run", run,
                     "status", last, "alive", alive, "files", describe_files(folder),
                     "parameters", describe_document(folder, "parameters.json"), "now",
                     steer_now(), "host", site->host, "port", site->port, "folder",
                     folder);
}

#include "case.h"

#include "base/parallel/parallel.h"
#include "io/source.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool app_case_is_data(MPI_Comm comm, const char *path)
{
    int is_data = parallel_rank(comm) == 0 && io_source_is_data(path);
    parallel_bcast(&is_data, 1, MPI_INT, 0, comm);
    return is_data != 0;
}

/* A path in quotes, as YAML and JSON have them; malloc'ed, NULL where it is no UTF-8. */
static char *quote(const char *path)
{
    json_t *json = json_string(path);
    char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    return quoted;
}

static status fail_path(const char *path)
{
    return base_fail(STATUS_USAGE, "the path '%s' is no UTF-8: rename it", path);
}

/* The name of a file without its folder and extension; malloc'ed, NULL where memory is
 * short. A percent sign would be one of a pattern. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *stem = strndup(name, length);
    for (char *at = stem; at && *at; at++) {
        *at = *at == '%' ? '_' : *at;
    }
    return stem;
}

static status choose_frames(const char *path, bool all_steps, char **frames)
{
    char *stem = stem_of(path);
    const size_t size = stem ? strlen(stem) + 16 : 0;
    *frames = stem ? malloc(size) : NULL;
    if (*frames) {
        snprintf(*frames, size, "%s%s.png", stem, all_steps ? "_%04d" : "");
    }
    free(stem);
    return *frames ? STATUS_OK : base_fail_memory(size, "the name of a picture");
}

/* Whether a pattern has a number, so that there is a picture for each step. */
static bool has_number(const char *frames)
{
    const char *percent = strchr(frames, '%');
    while (percent && percent[1] == '%') {
        percent = strchr(percent + 2, '%');
    }
    return percent != NULL;
}

static status print_case(const char *file, const char *frames, bool all_steps,
                         char **text)
{
    char *quoted[2] = {quote(file), quote(frames)};
    size_t size = 0;
    FILE *stream = quoted[0] && quoted[1] ? open_memstream(text, &size) : NULL;
    if (stream) {
        fprintf(stream,
                "data: {file: %s, steps: %s}\n"
                "image: {width: 1280, height: 800, background: [0, 0, 0]}\n"
                "camera: auto\n"
                "layers: auto\n"
                "output: {frames: %s}\n",
                quoted[0], all_steps ? "all" : "last", quoted[1]);
        fclose(stream);
    }
    free(quoted[0]);
    free(quoted[1]);
    return stream ? STATUS_OK : fail_path(file);
}

status app_case_make(const char *path, const char *frames, bool all_steps, char **text)
{
    char *chosen = NULL;
    status s = frames ? STATUS_OK : choose_frames(path, all_steps, &chosen);
    const char *used = frames ? frames : chosen;
    if (s == STATUS_OK) {
        s = print_case(path, used, all_steps || has_number(used), text);
    }
    free(chosen);
    return s;
}

/* Folders of configs are where their paths lead from, but not those of the command line.
 */
status app_case_frames(const char *config, const char *frames, char **override)
{
    char here[PATH_MAX] = "";
    const bool is_here = strchr(config, '/') == NULL || frames[0] == '/';
    if (!is_here && !getcwd(here, sizeof here)) {
        return base_fail(STATUS_INPUT, "the working directory is not there any more");
    }
    const size_t size = strlen(here) + strlen(frames) + 2;
    char *path = malloc(size);
    if (!path) {
        return base_fail_memory(size, "the path of the pictures");
    }
    snprintf(path, size, "%s%s%s", here, is_here ? "" : "/", frames);
    char *quoted = quote(path);
    free(path);
    if (!quoted) {
        return fail_path(frames);
    }
    const size_t length = strlen(quoted) + 16;
    *override = malloc(length);
    if (*override) {
        snprintf(*override, length, "output.frames=%s", quoted);
    }
    free(quoted);
    return *override ? STATUS_OK : base_fail_memory(length, "the path of the pictures");
}

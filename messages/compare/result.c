#include "result.h"

#include "io/file.h"
#include "io/json/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *compare_result_path(const compare_plan *plan, const compare_case *which, int repeat,
                          const char *suffix)
{
    char name[COMPARE_NAME], end[64];
    compare_plan_name(plan, which, name);
    snprintf(end, sizeof end, "-%d%s", repeat, suffix);
    return compare_plan_path(plan, "runs", name, end);
}

/* Makes a pattern from a path: doubles every %. Frees `path`. */
static char *double_percents(char *path)
{
    char *pattern = path ? malloc(2 * strlen(path) + 1) : NULL;
    char *out = pattern;
    for (const char *in = path; pattern && *in; in++) {
        *out++ = *in;
        if (*in == '%') {
            *out++ = '%';
        }
    }
    if (pattern) {
        *out = '\0';
    }
    free(path);
    return pattern;
}

char *compare_result_pattern(const compare_plan *plan, const compare_case *which)
{
    static const char file[] = "/%06d.png";
    char name[COMPARE_NAME];
    compare_plan_name(plan, which, name);
    char *folder = double_percents(compare_plan_path(plan, "pictures", name, ""));
    size_t size = folder ? strlen(folder) + sizeof file : 0;
    char *pattern = folder ? malloc(size) : NULL;
    if (pattern) {
        snprintf(pattern, size, "%s%s", folder, file);
    }
    free(folder);
    return pattern;
}

static bool is_whole(const json_t *result)
{
    const json_t *frames = json_object_get(json_object_get(result, "timings"), "frames");
    const char *picture =
        json_string_value(json_object_get(json_array_get(frames, 0), "picture"));
    return picture && access(picture, R_OK) == 0;
}

json_t *compare_result_load(const compare_plan *plan, const compare_case *which,
                            int repeat)
{
    char *path = compare_result_path(plan, which, repeat, ".json");
    json_t *result = path ? json_load_file(path, 0, NULL) : NULL;
    free(path);
    if (result && !is_whole(result)) {
        json_decref(result);
        result = NULL;
    }
    return result;
}

status compare_result_write(const char *path, const json_t *document)
{
    size_t size;
    char *text = io_json_print(document, &size);
    if (!text) {
        return base_fail_memory(4096, "a result");
    }
    status s = io_file_write(path, text, size);
    free(text);
    return s;
}

/* Returns a new value; NULL without memory. */
static json_t *describe_machine(const compare_machine *machine)
{
    return json_pack("{s:o, s:f, s:i, s:i}", "host", io_json_text(machine->host), "load",
                     machine->load, "processors", machine->processors, "cores",
                     machine->cores);
}

status compare_result_save(const compare_plan *plan, const compare_case *which,
                           int repeat, const char *timings, double seconds)
{
    json_error_t error;
    json_t *content = json_load_file(timings, 0, &error);
    if (!content) {
        return base_fail(STATUS_INPUT,
                         "a run succeeded, but its timings %s are unreadable: %s",
                         timings, error.text);
    }
    const compare_projection *projection = &plan->projections[which->projection];
    json_t *result = json_pack(
        "{s:s, s:s, s:i, s:s, s:f, s:i, s:f, s:o, s:o}", "partition", which->partition,
        "algorithm", which->algorithm, "ranks", which->ranks, "projection",
        projection->name, "factor", projection->factor, "repeat", repeat, "seconds",
        seconds, "machine", describe_machine(&plan->machine), "timings", content);
    char *path = compare_result_path(plan, which, repeat, ".json");
    status s = result && path ? compare_result_write(path, result)
                              : base_fail_memory(4096, "a result");
    free(path);
    json_decref(result);
    if (s == STATUS_OK) {
        unlink(timings);
    }
    return s;
}

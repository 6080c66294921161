#include "overrides.h"

#include "base/array.h"
#include "base/log.h"
#include "frame/job_state.h"
#include "io/sources/series/files.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The list ---------------------------------------------------------------------- */

/* Adds a text and takes it; NULL stands for a failed allocation. */
static status add(follow_overrides *overrides, char *text)
{
    if (!text) {
        return base_fail_memory(PATH_MAX, "an override");
    }
    const status s =
        base_array_add(overrides->texts, overrides->count, text, "overrides");
    if (s != STATUS_OK) {
        free(text);
    }
    return s;
}

/* Frees the texts from `kept` on. */
static void cut(follow_overrides *overrides, int kept)
{
    while (overrides->count > kept) {
        free(overrides->texts[--overrides->count]);
    }
}

status follow_overrides_create(int count, const char *const *texts, follow_overrides *out)
{
    follow_overrides overrides = {0};
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = add(&overrides, strdup(texts[n]));
    }
    if (s != STATUS_OK) {
        follow_overrides_clear(&overrides);
        return s;
    }
    overrides.file = overrides.count;
    *out = overrides;
    return STATUS_OK;
}

void follow_overrides_clear(follow_overrides *overrides)
{
    cut(overrides, 0);
    free(overrides->texts);
    *overrides = (follow_overrides){0};
}

/* ---- The file ---------------------------------------------------------------------- */

/* Adds KEY="path", quoted as YAML and JSON do. */
static status add_path(follow_overrides *overrides, const char *key, const char *path)
{
    json_t *json = json_string(path);
    char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
    json_decref(json);
    if (!quoted) {
        return base_fail(STATUS_USAGE, "the path '%s' is no UTF-8: rename it", path);
    }
    size_t size = strlen(key) + strlen(quoted) + 2;
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, "%s=%s", key, quoted);
    }
    free(quoted);
    return add(overrides, text);
}

static status fail_long(const char *name)
{
    return base_fail(STATUS_USAGE, "the path of a file for '%.256s' is too long", name);
}

/* Adds the path of a file's timings: STEM-NAME.EXTENSION beside those of the config.
 * Overrides are relative to the config's folder, but this path is relative to the working
 * directory. */
static status add_timings(follow_overrides *overrides, const char *timings,
                          const char *name)
{
    char here[PATH_MAX] = "", path[PATH_MAX];
    if (timings[0] != '/' && !getcwd(here, sizeof here)) {
        return fail_long(name);
    }
    const char *slash = strrchr(timings, '/');
    const char *dot = strrchr(slash ? slash : timings, '.');
    const char *end = dot ? dot : timings + strlen(timings);
    const char *stem_end = strrchr(name, '.');
    int stem = (int)(stem_end ? stem_end - name : (long)strlen(name));
    int length = snprintf(path, sizeof path, "%s%s%.*s-%.*s%s", here, here[0] ? "/" : "",
                          (int)(end - timings), timings, stem, name, end);
    return length < (int)sizeof path ? add_path(overrides, "output.timings", path)
                                     : fail_long(name);
}

/* The pattern for the names of a config's files: that of data.file or, if this is a
 * folder, one for the name; malloc'ed. NULL: names have no numbers. */
static char *find_pattern(const io_config *config, const char *name)
{
    const char *path = config->data.file;
    const char *slash = strrchr(path, '/');
    return series_is_folder(path)    ? series_pattern_of(name)
           : series_is_pattern(path) ? strdup(slash ? slash + 1 : path)
                                     : NULL;
}

int64_t follow_number(const io_config *config, const char *name)
{
    char *pattern = find_pattern(config, name);
    const int64_t number = pattern ? series_number(pattern, name) : -1;
    free(pattern);
    base_fail_set_message("");
    return number;
}

bool follow_is_selected(const io_config *config, int64_t number)
{
    const io_data_config *data = &config->data;
    if (number < 0 || data->all_steps) {
        return true;
    }
    for (int n = 0; n < data->nsteps; n++) {
        if (data->steps[n] == number) {
            return true;
        }
    }
    const int64_t first = data->step_first >= 0 ? data->step_first : 0;
    return data->nsteps == 0 && number >= first &&
           (data->step_last < 0 || number <= data->step_last) &&
           (data->step_first < 0 || (number - first) % data->step_stride == 0);
}

/* The name of a file in data.file: its pattern if it has a number, itself otherwise. */
static status add_file(follow_overrides *overrides, const char *folder, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path
               ? add_path(overrides, "data.file", path)
               : fail_long(name);
}

static status add_steps(follow_overrides *overrides, int64_t number)
{
    char text[64];
    snprintf(text, sizeof text, "data.steps=%" PRId64, number);
    return add(overrides, strdup(text));
}

status follow_overrides_name(follow_overrides *overrides, const io_config *config,
                             const char *folder, const char *name)
{
    const int64_t number = follow_number(config, name);
    char *pattern = number >= 0 ? find_pattern(config, name) : NULL;
    cut(overrides, overrides->file);
    status s = add_file(overrides, folder, pattern ? pattern : name);
    if (s == STATUS_OK && pattern) {
        s = add_steps(overrides, number);
    }
    free(pattern);
    if (s == STATUS_OK && config->output.timings) {
        s = add_timings(overrides, config->output.timings, name);
    }
    return s;
}

/* ---- Found values ------------------------------------------------------------------ */

status follow_overrides_freeze(follow_overrides *overrides, const frame_job *job)
{
    cut(overrides, overrides->file);
    status s = STATUS_OK;
    for (int n = 0; n < job->found.count && s == STATUS_OK; n++) {
        const char *text = job->found.items[n].text;
        const char *range = strstr(text, ".range=");
        if (range) {
            base_log_warning("%.*s.range is auto: all files take %s from the first one",
                             (int)(range - text), text, range + strlen(".range="));
        }
        s = add(overrides, strdup(text));
    }
    overrides->file = overrides->count;
    return s;
}

#include "outputs.h"

#include "io/file.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether both paths lead to one file that is there. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat at_a, at_b;
    return stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev &&
           at_a.st_ino == at_b.st_ino;
}

static status check_not_input(const char *key, const char *path, const io_config *config,
                              const char *data_path)
{
    const char *inputs[] = {data_path, config->path};
    for (int n = 0; n < 2; n++) {
        if (is_same_file(path, inputs[n])) {
            return base_fail(
                STATUS_USAGE,
                "output.%s would overwrite %s, which is read: choose another name", key,
                inputs[n]);
        }
    }
    return STATUS_OK;
}

/* Makes the folder of an output and, for a moment, a file in it. */
static status check_writable(const char *path)
{
    static const char text[] = "karman can write here\n";
    char probe[PATH_MAX];
    int length = snprintf(probe, sizeof probe, "%s.probe", path);
    if (length < 0 || length >= (int)sizeof probe) {
        return base_fail(STATUS_USAGE, "output: the path '%s' is too long", path);
    }
    status s = io_file_write(probe, text, sizeof text - 1);
    if (s == STATUS_OK) {
        unlink(probe);
    }
    return s;
}

/* The files of one step, or the timings; NULL where the config asks for none. */
typedef struct step_outputs {
    char *frame, *floats;
    const char *timings;
} step_outputs;

static status check_apart(const step_outputs *outputs)
{
    const char *keys[] = {"frames", "float", "timings"};
    const char *paths[] = {outputs->frame, outputs->floats, outputs->timings};
    for (int a = 0; a < 3; a++) {
        for (int b = a + 1; b < 3; b++) {
            if (paths[a] && paths[b] && strcmp(paths[a], paths[b]) == 0) {
                return base_fail(
                    STATUS_USAGE,
                    "output.%s and output.%s would be the same file %s: choose "
                    "two names",
                    keys[a], keys[b], paths[a]);
            }
        }
    }
    return STATUS_OK;
}

static status check_step(const io_config *config, const char *data_path,
                         const step_outputs *outputs)
{
    status s = check_apart(outputs);
    if (s == STATUS_OK) {
        s = check_not_input("frames", outputs->frame, config, data_path);
    }
    if (s == STATUS_OK && outputs->floats) {
        s = check_not_input("float", outputs->floats, config, data_path);
    }
    if (s == STATUS_OK && outputs->timings) {
        s = check_not_input("timings", outputs->timings, config, data_path);
    }
    return s;
}

static status check_folders(const step_outputs *outputs)
{
    const char *paths[] = {outputs->frame, outputs->floats, outputs->timings};
    status s = STATUS_OK;
    for (int n = 0; n < 3 && s == STATUS_OK; n++) {
        s = paths[n] ? check_writable(paths[n]) : STATUS_OK;
    }
    return s;
}

status app_outputs_check(const io_config *config, const char *data_path, int nsteps,
                         const int64_t *numbers)
{
    const io_output_config *output = &config->output;
    status s = STATUS_OK;
    /* From the last step to the first, which is probed once nothing is in the way. */
    for (int n = nsteps - 1; n >= 0 && s == STATUS_OK; n--) {
        step_outputs outputs = {
            .frame = io_config_expand(output->frames, numbers[n]),
            .floats =
                output->floats ? io_config_expand(output->floats, numbers[n]) : NULL,
            .timings = output->timings};
        if (!outputs.frame || (output->floats && !outputs.floats)) {
            s = base_fail_memory(strlen(output->frames), "the path of an output");
        } else {
            s = check_step(config, data_path, &outputs);
        }
        if (s == STATUS_OK && n == 0) {
            s = check_folders(&outputs);
        }
        free(outputs.frame);
        free(outputs.floats);
    }
    return s;
}

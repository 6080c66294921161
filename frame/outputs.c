#include "outputs.h"

#include "io/file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether both paths lead to the same existing file. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat at_a, at_b;
    return stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev &&
           at_a.st_ino == at_b.st_ino;
}

/*
 * The files of one step, in the order of `keys`; NULL if the config does not ask for one.
 */
enum { FRAME, FLOATS, FIGURE, EXTRACTS, TIMINGS, MOVIE, OUTPUTS };

static const char *const keys[OUTPUTS] = {"output.frames",  "output.float",
                                          "output.figure",  "output.extracts",
                                          "output.timings", "output.movie"};

typedef struct step_outputs {
    char *paths[OUTPUTS]; /* from TIMINGS on borrowed */
} step_outputs;

static status check_not_input(const char *key, const char *path, const io_config *config,
                              const char *data_path)
{
    const char *inputs[] = {data_path, config->path};
    for (int n = 0; n < 2; n++) {
        if (is_same_file(path, inputs[n])) {
            return io_config_fail(
                config, key, "would overwrite %s, which is read: choose another name",
                inputs[n]);
        }
    }
    return STATUS_OK;
}

static status check_no_folder(const char *key, const char *path, const io_config *config)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode)
               ? io_config_fail(config, key, "'%s' is a folder: choose another name",
                                path)
               : STATUS_OK;
}

/* Checks the outputs of a step. They cannot have the same name, as io/config/check.c
 * requires different endings. */
static status check_step(const io_config *config, const char *data_path,
                         const step_outputs *outputs)
{
    status s = STATUS_OK;
    for (int n = 0; n < OUTPUTS && s == STATUS_OK; n++) {
        const char *path = outputs->paths[n];
        s = path ? check_not_input(keys[n], path, config, data_path) : s;
        s = path && s == STATUS_OK ? check_no_folder(keys[n], path, config) : s;
    }
    return s;
}

/* The path of an output as the user wrote it, without the config's folder; malloc'ed, or
 * NULL. */
static char *print_given(const io_config *config, int output, int64_t number)
{
    const char *given = io_config_given(config, keys[output]);
    return given == NULL       ? NULL
           : output >= TIMINGS ? strdup(given)
                               : io_config_expand(given, number);
}

/* Makes the folders of a step's outputs, and tries to create a file in each. */
static status check_folders(const io_config *config, const step_outputs *outputs,
                            int64_t number)
{
    status s = STATUS_OK;
    for (int n = 0; n < OUTPUTS && s == STATUS_OK; n++) {
        const char *path = outputs->paths[n];
        char *shown = path ? print_given(config, n, number) : NULL;
        s = path ? io_file_try(path, shown ? shown : path) : STATUS_OK;
        io_config_blame(config, keys[n], s);
        free(shown);
    }
    return s;
}

static status make_paths(const io_output_config *output, int64_t number,
                         step_outputs *outputs)
{
    *outputs = (step_outputs){{[TIMINGS] = output->timings, [MOVIE] = output->movie}};
    if (output->frames) {
        outputs->paths[FRAME] = io_config_expand(output->frames, number);
    }
    if (output->floats) {
        outputs->paths[FLOATS] = io_config_expand(output->floats, number);
    }
    if (output->figure) {
        outputs->paths[FIGURE] = io_config_expand(output->figure, number);
    }
    if (output->extracts) {
        outputs->paths[EXTRACTS] = io_config_expand(output->extracts, number);
    }
    return (outputs->paths[FRAME] || !output->frames) &&
                   (outputs->paths[FLOATS] || !output->floats) &&
                   (outputs->paths[FIGURE] || !output->figure) &&
                   (outputs->paths[EXTRACTS] || !output->extracts)
               ? STATUS_OK
               : base_fail_memory(0, "the path of an output");
}

status frame_outputs_check(const frame_outputs *what, int nsteps, const int64_t *numbers)
{
    const io_config *config = what->config;
    status s =
        nsteps > 1 || what->has_more_steps ? io_config_check_numbered(config) : STATUS_OK;
    /* The loop goes from the last step to the first, so that folders are tried only if no
     * other check fails. */
    for (int n = nsteps - 1; n >= 0 && s == STATUS_OK; n--) {
        step_outputs outputs;
        s = make_paths(&config->output, numbers[n], &outputs);
        if (s == STATUS_OK) {
            s = check_step(config, what->data_path, &outputs);
        }
        if (s == STATUS_OK && n == 0) {
            s = check_folders(config, &outputs, numbers[n]);
        }
        free(outputs.paths[FRAME]);
        free(outputs.paths[FLOATS]);
        free(outputs.paths[FIGURE]);
        free(outputs.paths[EXTRACTS]);
    }
    return s;
}

#include "single.h"

#include "io/config/config.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Paths of one run; all malloc'ed. */
typedef struct run_files {
    char *frames, *timings, *log;
} run_files;

static void free_files(run_files *files)
{
    free(files->frames);
    free(files->timings);
    free(files->log);
}

static status make_files(const compare_plan *plan, const compare_case *which, int repeat,
                         run_files *files)
{
    *files = (run_files){compare_result_pattern(plan, which),
                         compare_result_path(plan, which, repeat, ".timings.json"),
                         compare_result_path(plan, which, repeat, ".log")};
    if (files->frames && files->timings && files->log) {
        return STATUS_OK;
    }
    free_files(files);
    return base_fail_memory(4096, "the paths of a run");
}

status compare_single_run(const compare_plan *plan, const compare_launcher *launcher,
                          const compare_case *which, int repeat)
{
    run_files files;
    status s = make_files(plan, which, repeat, &files);
    if (s != STATUS_OK) {
        return s;
    }
    const compare_child child = {.which = *which,
                                 .frames = files.frames,
                                 .timings = files.timings,
                                 .log = files.log,
                                 .has_tiles = repeat == 1};
    double seconds = 0.0;
    s = compare_launch(plan, launcher, &child, &seconds);
    if (s == STATUS_OK) {
        s = compare_result_save(plan, which, repeat, files.timings, seconds);
    }
    free_files(&files);
    return s;
}

/* ---- Tiny runs --------------------------------------------------------------------- */

static status read_timings(const char *path, json_t **timings)
{
    json_error_t error;
    *timings = json_load_file(path, 0, &error);
    return *timings
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "a tiny run succeeded, but its timings %s are unreadable: %s",
                           path, error.text);
}

static void remove_files(const run_files *files, int64_t step)
{
    char *picture = io_config_expand(files->frames, step);
    char *end = picture ? strrchr(picture, '/') : NULL;
    if (end) {
        unlink(picture);
        *end = '\0';
        rmdir(picture);
    }
    free(picture);
    unlink(files->timings);
    unlink(files->log);
}

status compare_single_probe(const compare_plan *plan, const compare_launcher *launcher,
                            const compare_case *which, int width, int height,
                            json_t **timings)
{
    compare_plan unnumbered = *plan;
    unnumbered.hash = 0;
    run_files files;
    status s = make_files(&unnumbered, which, 0, &files);
    if (s != STATUS_OK) {
        return s;
    }
    const compare_child child = {.which = *which,
                                 .frames = files.frames,
                                 .timings = files.timings,
                                 .log = files.log,
                                 .width = width,
                                 .height = height};
    double seconds;
    s = compare_launch(plan, launcher, &child, &seconds);
    if (s == STATUS_OK) {
        s = timings ? read_timings(files.timings, timings) : STATUS_OK;
        remove_files(&files, plan->first_step);
    }
    free_files(&files);
    return s;
}

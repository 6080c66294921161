/* for realpath */
#define _XOPEN_SOURCE 700
#include "setup.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/system.h"
#include "base/version.h"
#include "composite/schedule.h"
#include "frame/complete.h"
#include "io/file.h"
#include "io/select.h"
#include "io/source.h"
#include "partition.h"
#include "render/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static status check_partitions(const compare_names *partitions)
{
    for (int n = 0; n < partitions->count; n++) {
        const char *name = partitions->at[n];
        if (!compare_partition_find(name)) {
            char all[256];
            compare_partition_list(all, sizeof all);
            return base_fail(STATUS_USAGE, "--partitions: there is no '%s', only %s",
                             name, all);
        }
    }
    return STATUS_OK;
}

static void list_algorithms(char *names, size_t size)
{
    size_t used = 0;
    for (int n = 0; composite_algorithm_at(n) && used < size; n++) {
        int length = snprintf(names + used, size - used, "%s%s", n ? "," : "",
                              composite_algorithm_at(n)->name);
        used += (size_t)length;
    }
}

static status read_algorithms(const char *list, compare_names *algorithms)
{
    char all[512];
    list_algorithms(all, sizeof all);
    if (strcmp(list, "all") == 0) {
        list = all;
    }
    status s = compare_plan_read_names("--algorithms", list, algorithms);
    for (int n = 0; s == STATUS_OK && n < algorithms->count; n++) {
        const char *name = algorithms->at[n];
        if (strcmp(name, "auto") != 0 && !composite_algorithm_find(name)) {
            return base_fail(STATUS_USAGE, "--algorithms: there is no '%s', only auto,%s",
                             name, all);
        }
    }
    return s;
}

/* Hashes the identity of a file: another size or time means other content. */
static uint64_t hash_file(uint64_t hash, const char *path)
{
    struct stat info;
    hash = base_hash_bytes(hash, path, strlen(path) + 1);
    if (stat(path, &info) == 0) {
        int64_t facts[] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec,
                           (int64_t)info.st_mtim.tv_nsec};
        hash = base_hash_bytes(hash, facts, sizeof facts);
    }
    return hash;
}

static uint64_t hash_plan(const io_config *config, const compare_launcher *launcher,
                          const compare_plan *plan)
{
    uint64_t hash = BASE_HASH_START;
    hash = base_hash_bytes(hash, base_version(), strlen(base_version()) + 1);
    hash = base_hash_bytes(hash, config->canonical, strlen(config->canonical) + 1);
    hash = base_hash_bytes(hash, &plan->threads, sizeof plan->threads);
    hash = base_hash_bytes(hash, plan->cores.at,
                           (size_t)plan->cores.count * sizeof plan->cores.at[0]);
    hash = base_hash_bytes(hash, &plan->warms_caches, sizeof plan->warms_caches);
    hash = hash_file(hash, config->data.file);
    hash = hash_file(hash, launcher->program);
    for (int n = 0; n < launcher->count; n++) {
        hash = base_hash_bytes(hash, launcher->words[n], strlen(launcher->words[n]) + 1);
    }
    return hash;
}

/* Checks that the data exist and that the config draws a step of them; finds the first
 * one. */
static status find_first_step(const io_config *config, int64_t *first)
{
    io_source *source = NULL;
    int count = 0, *steps = NULL;
    status s = io_source_open(MPI_COMM_SELF, &config->data, &source);
    if (s != STATUS_OK) {
        return io_config_blame(config, "data.file", s);
    }
    s = io_select_steps(source, config, false, &count, &steps);
    if (s == STATUS_OK) {
        *first = io_source_steps(source)[steps[0]].number;
    }
    free(steps);
    io_source_close(&source);
    return s;
}

static compare_view view_of(const io_config *config)
{
    return (compare_view){.width = config->width,
                          .height = config->height,
                          .orthographic = config->camera.orthographic,
                          .fov = config->camera.fov,
                          .tall = config->camera.height};
}

/* Adds an override to those of the runs. */
static status add_override(const char *text, compare_plan *plan)
{
    char *copy = strdup(text);
    if (!copy) {
        return base_fail_memory(0, "overrides");
    }
    plan->overrides[plan->noverrides++] = copy;
    return STATUS_OK;
}

/*
 * Adds the values found for an open config to the overrides of the runs. So the runs need
 * not find them again, and projections have a view to change. Unless the config says
 * otherwise, pixels have one sample: each sample is composited by itself.
 */
static status add_found(const compare_request *request, const io_config *config,
                        const frame_auto_values *found, compare_plan *plan)
{
    const int count = request->noverrides + found->count;
    status s = STATUS_OK;
    plan->overrides = calloc((size_t)count + 1, sizeof *plan->overrides);
    if (!plan->overrides) {
        return base_fail_memory((size_t)count * sizeof *plan->overrides, "overrides");
    }
    for (int n = 0; n < request->noverrides && s == STATUS_OK; n++) {
        s = add_override(request->overrides[n], plan);
    }
    for (int n = 0; n < found->count && s == STATUS_OK; n++) {
        s = add_override(found->items[n].text, plan);
    }
    plan->takes_one_sample = !io_config_given(config, "image.samples");
    return s;
}

/* Reads the config as the runs will, and checks the parts that all runs share. */
static status read_config(const compare_request *request,
                          const compare_launcher *launcher, compare_plan *plan)
{
    int ours = request->noverrides;
    const char *overrides[COMPARE_MOST_OVERRIDES + 2];
    memcpy(overrides, request->overrides, (size_t)ours * sizeof *overrides);
    overrides[ours] = "partition=object";
    overrides[ours + 1] = "composite={algorithm: auto}";
    const frame_job_options options = {.noverrides = ours + 2, .overrides = overrides};
    io_config *config = NULL;
    frame_auto_values found = {0};
    status s =
        frame_config_complete(MPI_COMM_SELF, request->config, &options, &found, &config);
    if (s != STATUS_OK) {
        return s;
    }
    s = add_found(request, config, &found, plan);
    frame_auto_values_clear(&found);
    s = s == STATUS_OK ? find_first_step(config, &plan->first_step) : s;
    plan->hash = hash_plan(config, launcher, plan);
    plan->view = view_of(config);
    io_config_destroy(&config);
    return s;
}

/* Too many ranks would fill the machine's memory before any of them fails. */
static status check_memory(const compare_plan *plan, const compare_launcher *launcher)
{
    const int64_t least = INT64_C(8) << 20; /* memory of a rank without data */
    const int64_t memory = base_machine_memory();
    const int ranks = plan->ranks[plan->nranks - 1];
    if (launcher->is_given || memory == 0 || ranks <= memory / least) {
        return STATUS_OK;
    }
    return base_fail(
        STATUS_USAGE,
        "--ranks: %d ranks take %.0f GiB at least and this machine has %.1f: "
        "give fewer, or a --launcher that starts them on others, too",
        ranks, (double)ranks * (double)least / 0x1p30, (double)memory / 0x1p30);
}

static void warn_of_idle_ranks(const compare_plan *plan)
{
    const int width = plan->view.width, height = plan->view.height;
    const int64_t most = render_screen_capacity(width, height);
    const int ranks = plan->ranks[plan->nranks - 1];
    for (int n = 0; n < plan->partitions.count && ranks > most; n++) {
        const char *name = plan->partitions.at[n];
        if (compare_partition_find(name)->is_screen) {
            base_log_warning("--ranks: with partition %s %d of %d ranks draw nothing of "
                             "%d x %d pixels",
                             name, ranks - (int)most, ranks, width, height);
        }
    }
}

/* Makes the folder, and tests whether it can be written. */
static status make_folder(const char *out, compare_plan *plan)
{
    size_t size = strlen(out) + 32;
    char *path = malloc(size);
    if (!path) {
        return base_fail_memory(size, "a path");
    }
    snprintf(path, size, "%s/.karman-compare", out);
    status s = io_file_write(path, "", 0);
    if (s == STATUS_OK) {
        unlink(path);
        plan->folder = realpath(out, NULL);
        s = plan->folder ? STATUS_OK
                         : base_fail(STATUS_OUTPUT, "--out %s: %s", out, strerror(errno));
    }
    free(path);
    return s;
}

/* Makes the folder of the runs, into which children write their logs. */
static status make_subfolder(const compare_plan *plan)
{
    char *path = compare_plan_path(plan, "runs", "log", "");
    status s = path ? io_file_make_folders(path) : base_fail_memory(4096, "a path");
    free(path);
    return s;
}

static status read_lists(const compare_request *request, compare_plan *plan)
{
    status s = compare_plan_read_ranks(request->ranks, plan);
    if (s == STATUS_OK) {
        s = compare_plan_read_names("--partitions", request->partitions,
                                    &plan->partitions);
    }
    s = s == STATUS_OK ? check_partitions(&plan->partitions) : s;
    s = s == STATUS_OK ? read_algorithms(request->algorithms, &plan->algorithms) : s;
    s = s == STATUS_OK ? compare_plan_read_projections(request->projections, plan) : s;
    return s == STATUS_OK && request->cores
               ? compare_cores_read(request->cores, &plan->cores)
               : s;
}

status compare_setup(const compare_request *request, const compare_launcher *launcher,
                     compare_plan *plan)
{
    plan->config = request->config;
    plan->warms_caches = request->warms_caches;
    plan->repeat = request->repeat;
    plan->threads = request->threads;
    status s = read_lists(request, plan);
    s = s == STATUS_OK ? check_memory(plan, launcher) : s;
    s = s == STATUS_OK ? read_config(request, launcher, plan) : s;
    if (s == STATUS_OK) {
        warn_of_idle_ranks(plan);
    }
    s = s == STATUS_OK ? make_folder(request->out, plan) : s;
    return s == STATUS_OK ? make_subfolder(plan) : s;
}

#include "job.h"

#include "annotations.h"
#include "app/frame/layers/layers.h"
#include "app/frame/share/share.h"
#include "base/parallel/parallel.h"
#include "base/version.h"
#include "config_load.h"
#include "costs.h"
#include "entry.h"
#include "grid/priority.h"
#include "io/file.h"
#include "io/running/running.h"
#include "job_state.h"
#include "missing.h"
#include "outputs.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What is drawn ----------------------------------------------------------------- */

/* Finds the algorithm of that name; NULL: the executor will choose. */
static status find_algorithm(const char *name, const composite_algorithm **found)
{
    *found = composite_algorithm_find(name);
    if (*found || strcmp(name, "auto") == 0) {
        return STATUS_OK;
    }
    char names[512] = "auto";
    for (int n = 0; composite_algorithm_at(n); n++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, ", %s",
                 composite_algorithm_at(n)->name);
    }
    return base_fail(STATUS_USAGE, "composite.algorithm: there is no '%s', only %s", name,
                     names);
}

static status check_algorithm(app_job *job)
{
    const io_composite_config *config = &job->config->composite;
    status s = find_algorithm(config->algorithm, &job->algorithm);
    if (s != STATUS_OK) {
        return s;
    }
    job->params = (composite_params){
        .nfactors = config->nfactors, .group = config->group, .fan_in = config->fan_in};
    _Static_assert((int)IO_MAX_FACTORS <= (int)COMPOSITE_MAX_FACTORS,
                   "factors of a config fit");
    for (int f = 0; f < config->nfactors; f++) {
        job->params.factors[f] = config->factors[f];
    }
    if (!job->algorithm && (config->nfactors || config->group || config->fan_in)) {
        return base_fail(STATUS_USAGE,
                         "composite: 'factors', 'group' and 'fan_in' are parameters of a "
                         "named algorithm: give 'algorithm', too");
    }
    if (!job->algorithm) {
        return STATUS_OK;
    }
    composite_problem problem = {.size = job->ranks,
                                 .pixels =
                                     (int64_t)job->config->width * job->config->height,
                                 .op = COMPOSITE_OVER};
    return job->algorithm->check_params(&problem, &job->params);
}

static bool is_selected(const io_data_config *config, int64_t number)
{
    return config->all_steps ||
           (number >= config->step_first && number <= config->step_last &&
            (number - config->step_first) % config->step_stride == 0);
}

static status select_steps(app_job *job)
{
    int all = io_source_step_count(job->source);
    const io_step *steps = io_source_steps(job->source);
    if (all == 0) {
        return base_fail(STATUS_INPUT, "%s holds a grid but no step of the flow to draw",
                         io_source_path(job->source));
    }
    job->steps = malloc((size_t)all * sizeof *job->steps);
    if (!job->steps) {
        return base_fail_memory((size_t)all * sizeof *job->steps, "the list of steps");
    }
    for (int s = 0; s < all; s++) {
        if (is_selected(&job->config->data, steps[s].number)) {
            job->steps[job->nsteps++] = s;
        }
    }
    if (job->nsteps == 0) {
        return base_fail(
            STATUS_USAGE,
            "data.steps selects no step of %s, which holds %d steps from %" PRId64
            " to %" PRId64,
            io_source_path(job->source), all, steps[0].number, steps[all - 1].number);
    }
    return STATUS_OK;
}

/* Finds steps and the volume's field in the source. */
static status read_source(app_job *job)
{
    status s = select_steps(job);
    if (s == STATUS_OK && job->config->volume) {
        s = grid_recipe_create(
            job->config->volume->field, io_source_field_count(job->source),
            io_source_fields(job->source), job->config->data.gas, &job->recipe);
    }
    return parallel_agree(job->comm, s);
}

static status open_source(app_job *job)
{
    status s = io_source_open(job->comm, &job->config->data, &job->source);
    return s == STATUS_OK ? read_source(job) : s;
}

status app_job_find_range(app_job *job, const grid_recipe *recipe, double range[2])
{
    status s = io_load_range(
        job->comm, job->source,
        &(io_load_series){job->layout, recipe, job->steps, job->nsteps}, range);
    if (s == STATUS_OK && range[0] == range[1]) {
        /* A constant field has no range: any with the value in it will do. */
        double around = range[0] != 0.0 ? fabs(range[0]) : 1.0;
        range[0] -= 0.5 * around;
        range[1] += 0.5 * around;
    }
    return s;
}

/* ---- Who draws what ---------------------------------------------------------------- */

static status rank_blocks(app_job *job)
{
    const io_data_config *data = &job->config->data;
    return grid_layout_rank_blocks(job->layout, data->npriority, data->priority);
}

static status make_stack(app_job *job)
{
    return job->recipe ? STATUS_OK
                       : parallel_agree(job->comm, render_stack_create(&job->stack));
}

status app_job_load_bricks(app_job *job)
{
    if (!job->recipe) {
        return STATUS_OK;
    }
    const bool has_moved = job->scene != NULL; /* else the store may be what io_load_grid
                                                  kept */
    render_scene_destroy(&job->scene);
    if (has_moved && !job->is_exchanging) {
        grid_store_destroy(&job->store);
    }
    int64_t count = 0;
    int64_t *numbers = NULL;
    status s = parallel_agree(job->comm, app_share_bricks(job, &count, &numbers));
    const io_load_list list = {job->layout, count, numbers,
                               grid_recipe_location(job->recipe)};
    if (s == STATUS_OK && has_moved && job->is_exchanging) {
        s = io_load_moved(job->comm, job->source, &list, !job->config->output.floats,
                          &job->store);
    } else if (s == STATUS_OK && !job->store && !job->config->output.floats) {
        s = io_load_later(job->comm, &list, &job->store);
    } else if (s == STATUS_OK) {
        /* They are there already, or depth shows where they are in any case. */
        s = io_load_kept_bricks(job->comm, job->source, &list, &job->store);
    }
    free(numbers);
    if (s == STATUS_OK && job->style.shade) {
        s = parallel_agree(job->comm, grid_store_add_gradients(job->store));
    }
    return s != STATUS_OK
               ? s
               : parallel_agree(job->comm, render_scene_create(job->store, &job->scene));
}

static status make_buffers(app_job *job)
{
    const io_config *config = job->config;
    status s = composite_executor_create(job->comm, &job->executor);
    if (s != STATUS_OK) {
        return s;
    }
    if (!job->algorithm) {
        job->algorithm = composite_executor_choose(job->executor);
    }
    composite_executor_set_threads(job->executor, job->threads);
    s = composite_executor_image(job->executor, config->width, config->height,
                                 config->output.floats != NULL, &job->img);
    if (s == STATUS_OK) {
        job->order = malloc((size_t)job->ranks * sizeof *job->order);
        s = job->order
                ? STATUS_OK
                : base_fail_memory((size_t)job->ranks * sizeof *job->order, "an order");
    }
    if (s == STATUS_OK && job->rank == 0) {
        s = io_png_writer_create(&job->writer);
    }
    if (s == STATUS_OK && config->output.timings) {
        s = io_timings_create(job->comm, base_version(), config->path, &job->timings);
        job->events = calloc(1, sizeof *job->events);
        s = s == STATUS_OK && !job->events
                ? base_fail_memory(sizeof *job->events, "events of a picture")
                : s;
    }
    s = s == STATUS_OK ? app_costs_create(job) : s;
    return parallel_agree(job->comm, s);
}

/* Cores of this node over the ranks on it, unless somebody says otherwise. */
static int choose_threads(int neighbours, int asked)
{
    if (asked > 0) {
        return asked;
    }
    if (getenv("OMP_NUM_THREADS")) {
        return omp_get_max_threads();
    }
    int threads = omp_get_num_procs() / neighbours;
    return threads > 1 ? threads : 1;
}

/* Collective. */
static void share_node(app_job *job, int asked)
{
    MPI_Comm node;
    MPI_Comm_split_type(job->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    const int neighbours = parallel_size(node);
    MPI_Comm_free(&node);
    job->threads = choose_threads(neighbours, asked);
    int all;
    parallel_allreduce(&job->threads, &all, 1, MPI_INT, MPI_SUM, job->comm);
    job->mean_threads = (double)all / job->ranks;
    job->crowd = fmax(1.0, (double)neighbours * job->threads / omp_get_num_procs());
}

/* Rank 0 writes, so rank 0 checks. */
static status check_output(const app_job *job)
{
    if (job->rank != 0) {
        return STATUS_OK;
    }
    int64_t *numbers = malloc((size_t)job->nsteps * sizeof *numbers);
    if (!numbers) {
        return base_fail_memory((size_t)job->nsteps * sizeof *numbers,
                                "the list of steps");
    }
    for (int n = 0; n < job->nsteps; n++) {
        numbers[n] = io_source_steps(job->source)[job->steps[n]].number;
    }
    status s =
        app_outputs_check(job->config, io_source_path(job->source), job->nsteps, numbers);
    free(numbers);
    return s;
}

/* Looks through the grid; a volume keeps what was read on the way. */
static status load_grid(app_job *job)
{
    return job->recipe
               ? io_load_grid(job->comm, job->source, grid_recipe_location(job->recipe),
                              &job->layout, &job->store)
               : io_load_layout(job->comm, job->source, &job->layout);
}

/* All that the config alone tells. */
static status check_config(app_job *job)
{
    status s = check_algorithm(job);
    if (s == STATUS_OK) {
        s = app_job_make_camera(job,
                                vec3_make(0.0, 0.0, 0.0)); /* wrong ones fail early */
    }
    return s;
}

/* From the source to the first picture. */
static status prepare(app_job *job)
{
    status s = parallel_agree(job->comm, check_output(job));
    if (s != STATUS_OK || (s = load_grid(job)) != STATUS_OK ||
        (s = parallel_agree(job->comm, rank_blocks(job))) != STATUS_OK ||
        (s = app_job_make_transfer(job)) != STATUS_OK ||
        (s = app_share_create(job)) != STATUS_OK ||
        (s = app_layers_create(job)) != STATUS_OK ||
        (s = parallel_agree(job->comm, app_job_make_camera(job, job->layout->origin))) !=
            STATUS_OK ||
        (s = app_share_divide(job)) != STATUS_OK ||
        (s = app_job_load_bricks(job)) != STATUS_OK ||
        (s = make_stack(job)) != STATUS_OK) {
        return s;
    }
    s = parallel_agree(job->comm, app_annotations_create(job, &job->annotations));
    return s != STATUS_OK ? s : make_buffers(job);
}

static status prepare_from_file(app_job *job, const char *config_path,
                                const app_job_options *options)
{
    status s = app_config_load(job->comm, config_path, options->noverrides,
                               options->overrides, &job->config);
    if (s != STATUS_OK) {
        return s;
    }
    s = parallel_agree(job->comm, check_config(job));
    if (s == STATUS_OK) {
        s = open_source(job);
    }
    return s == STATUS_OK ? prepare(job) : s;
}

static status prepare_live(app_job *job, io_config **config, io_source *source)
{
    job->config = *config;
    *config = NULL;
    job->source = source;
    job->is_live = true;
    io_live_set_fills(source, &job->config->data);
    status s = parallel_agree(job->comm, check_config(job));
    if (s == STATUS_OK) {
        s = read_source(job);
    }
    return s == STATUS_OK ? prepare(job) : s;
}

/* `borrows`: comm itself becomes the job's, instead of one of its own. */
static status create(MPI_Comm comm, bool borrows, int threads, app_job **out)
{
    app_job *job = calloc(1, sizeof *job);
    status s =
        job ? app_missing_create(&job->missing) : base_fail_memory(sizeof *job, "a job");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        if (job) {
            app_missing_destroy(&job->missing);
        }
        free(job);
        return s;
    }
    job->borrows_comm = borrows;
    job->comm = comm;
    if (!borrows) {
        parallel_dup(comm, &job->comm);
    }
    job->rank = parallel_rank(job->comm);
    job->ranks = parallel_size(job->comm);
    share_node(job, threads);
    *out = job;
    return STATUS_OK;
}

status app_job_create(MPI_Comm comm, const char *config_path,
                      const app_job_options *options, app_job **out)
{
    app_job *job = NULL;
    status s = create(comm, false, options->threads, &job);
    if (s != STATUS_OK) {
        return s;
    }
    job->resume = options->resume;
    const app_threads threads = app_threads_begin(job->threads);
    s = prepare_from_file(job, config_path, options);
    app_threads_end(&threads);
    if (s != STATUS_OK) {
        app_job_destroy(&job);
        return s;
    }
    *out = job;
    return STATUS_OK;
}

status app_job_create_live(MPI_Comm comm, io_config **config, io_source *source,
                           int threads, app_job **out)
{
    app_job *job = NULL;
    status s = create(comm, true, threads, &job);
    if (s != STATUS_OK) {
        return s;
    }
    const app_threads taken = app_threads_begin(job->threads);
    s = prepare_live(job, config, source);
    app_threads_end(&taken);
    if (s != STATUS_OK) {
        app_job_destroy(&job);
        return s;
    }
    *out = job;
    return STATUS_OK;
}

void app_job_destroy(app_job **job)
{
    app_job *j = *job;
    if (!j) {
        return;
    }
    io_png_writer_destroy(&j->writer);
    app_costs_destroy(j);
    io_timings_destroy(&j->timings);
    free(j->events);
    composite_executor_destroy(&j->executor);
    app_annotations_destroy(&j->annotations);
    app_missing_destroy(&j->missing);
    app_layers_destroy(j);
    render_transfer_destroy(&j->transfer);
    render_scene_destroy(&j->scene);
    render_stack_destroy(&j->stack);
    grid_store_destroy(&j->store);
    app_share_destroy(j);
    grid_recipe_destroy(&j->recipe);
    grid_layout_destroy(&j->layout);
    if (!j->is_live) {
        io_source_close(&j->source);
    }
    io_config_destroy(&j->config);
    free(j->steps);
    free(j->order);
    free(j->picture);
    if (!j->borrows_comm) {
        MPI_Comm_free(&j->comm);
    }
    free(j);
    *job = NULL;
}

int app_job_frame_count(const app_job *job)
{
    return job->nsteps;
}

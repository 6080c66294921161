#include "job.h"

#include "base/log.h"
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "base/version.h"
#include "config_load.h"
#include "entry.h"
#include "film/beside.h"
#include "film/film.h"
#include "film/frames.h"
#include "frame/layers/annotations.h"
#include "frame/layers/costs.h"
#include "frame/layers/layers.h"
#include "frame/light/shadows.h"
#include "frame/scene/appearance.h"
#include "frame/scene/bricks.h"
#include "frame/scene/volume.h"
#include "grid/priority.h"
#include "io/picture/movie/movie.h"
#include "io/sources/memory/memory.h"
#include "job_state.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- Preparation ------------------------------------------------------------------- */

static status rank_blocks(frame_job *job)
{
    const io_data_config *data = &job->scene.config->data;
    const frame_scene *scene = &job->scene;
    char **names = malloc(((size_t)data->npriority + 1) * sizeof *names);
    int count = 0;
    for (int n = 0; n < data->npriority && names; n++) {
        if (!frame_block_is_missing(scene, data->priority[n])) {
            names[count++] = data->priority[n];
        }
    }
    const status s = names ? grid_layout_rank_blocks(scene->layout, count, names)
                           : base_fail_memory(0, "the priorities of blocks");
    free(names);
    return s;
}

status frame_job_make_stack(frame_job *job)
{
    return job->scene.volume.recipe
               ? STATUS_OK
               : parallel_agree(job->scene.comm, render_stack_create(&job->stack));
}

/* Tells the timings how images are blended. */
static status note_composite(const frame_picture *picture, io_timings *timings)
{
    const io_config *config = picture->scene->config;
    const io_timings_composite how = {
        .width = config->width,
        .height = config->height,
        .algorithm = picture->algorithm ? picture->algorithm->name : NULL,
        .factors = picture->params.factors,
        .nfactors = picture->params.nfactors,
        .group = picture->params.group,
        .fan_in = picture->params.fan_in,
        .by_nodes = picture->by_nodes,
        .segment = picture->segment,
        .encoding = composite_encoding_names[picture->encoding],
        .samples = config->samples,
        .gather_bytes = frame_picture_is_gathered(picture) ? COMPOSITE_PIXEL_BYTES : 0};
    return config->partition.kind == IO_PARTITION_OBJECT
               ? io_timings_set_composite(timings, &how)
               : STATUS_OK;
}

/* Makes the objects that composite and write pictures. */
static status make_outputs(frame_job *job)
{
    const io_config *config = job->scene.config;
    status s = frame_picture_create(&job->picture);
    if (job->beside.lead) { /* which has the others */
        return parallel_agree(job->scene.comm, s);
    }
    if (s == STATUS_OK && job->scene.rank == 0) {
        s = io_png_writer_create(&job->files.writer);
        s = s == STATUS_OK ? frame_film_open_movie(job) : s;
    }
    if (s == STATUS_OK && (config->output.timings || job->recording)) {
        s = io_timings_create(job->scene.comm, base_version(), config->path,
                              &job->timings);
        s = s == STATUS_OK ? note_composite(&job->picture, job->timings) : s;
        job->events = calloc(1, sizeof *job->events);
        s = s == STATUS_OK && !job->events
                ? base_fail_memory(sizeof *job->events, "events of a picture")
                : s;
    }
    if (s == STATUS_OK && config->output.timings && config->output.tile_costs) {
        s = frame_costs_create(config->width, config->height, job->layers.count,
                               &job->layers.costs);
    }
    return parallel_agree(job->scene.comm, s);
}

/* Counts nodes and threads of all ranks. Collective. */
static void count_crew(frame_job *job, bool leads_node)
{
    const int threads = job->scene.threads;
    int sums[2], most[2];
    parallel_allreduce((int[]){threads, leads_node}, sums, 2, MPI_INT, MPI_SUM,
                       job->scene.comm);
    parallel_allreduce((int[]){threads, -threads}, most, 2, MPI_INT, MPI_MAX,
                       job->scene.comm);
    job->scene.mean_threads = (double)sums[0] / job->scene.ranks;
    job->crew = (frame_crew){sums[1], -most[1], most[0]};
}

/* Collective. */
static void share_node(frame_job *job, int asked)
{
    MPI_Comm node;
    parallel_split_nodes(job->scene.comm, &node);
    const int neighbours = parallel_size(node);
    const bool leads_node = parallel_rank(node) == 0;
    MPI_Comm_free(&node);
    job->scene.threads = frame_threads_choose(neighbours, asked);
    job->scene.neighbours = neighbours;
    count_crew(job, leads_node);
    job->crowd = fmax(1.0, (double)neighbours * job->scene.threads / omp_get_num_procs());
}

/* Checks everything that depends on the config alone. */
static status check_config(frame_job *job)
{
    status s = frame_picture_configure(&job->scene, &job->picture);
    const io_camera_config *camera = &job->scene.config->camera;
    const bool is_open = camera->auto_position || camera->auto_look_at ||
                         camera->auto_up || camera->auto_height;
    if (s == STATUS_OK && !is_open) {
        s = frame_scene_make_camera(
            &job->scene, vec3_make(0.0, 0.0, 0.0)); /* wrong cameras fail early */
    }
    return s;
}

status frame_job_check(const io_config *config, int ranks)
{
    frame_job job = {.scene = {.config = (io_config *)(uintptr_t)config, .ranks = ranks}};
    job.picture.scene = &job.scene;
    const status s = frame_film_refuse(config);
    return io_config_blame(config, NULL, s == STATUS_OK ? check_config(&job) : s);
}

/* Whether the first frame will draw all values that its store has room for, without
 * gradients. The values of a running program may change before. */
static bool loads_all(const frame_scene *scene)
{
    const io_volume_config *volume = scene->config->volume;
    return scene->volume.store && !scene->is_live &&
           scene->config->partition.kind == IO_PARTITION_OBJECT && !volume->shade.on &&
           volume->ngradients == 0;
}

static status find_looks(frame_job *job, const frame_auto_values *known,
                         frame_auto_values *found)
{
    frame_scene *scene = &job->scene;
    frame_auto_data data = frame_job_data(job);
    frame_auto_frame frame = {.store = scene->volume.store,
                              .recipe = scene->volume.recipe,
                              .step = scene->steps[0]};
    data.frame = loads_all(scene) ? &frame : NULL;
    status s = frame_auto_looks(&data, known, found, &scene->config);
    scene->volume.has_step = frame.has_values;
    scene->volume.step = frame.step;
    if (s == STATUS_OK && !scene->config->volume) {
        frame_volume_destroy(scene); /* slices stand in its place */
    }
    return s;
}

status frame_job_make_annotations(frame_job *job)
{
    return parallel_agree(
        job->scene.comm,
        frame_annotations_create(&job->scene, &job->layers, &job->picture.annotations));
}

/* Prepares all that follows from a grid and the looks. Collective. */
static status prepare_grid(frame_job *job)
{
    status s = STATUS_OK;
    if ((s = parallel_agree(job->scene.comm, rank_blocks(job))) != STATUS_OK ||
        (s = frame_scene_make_transfer(&job->scene)) != STATUS_OK ||
        (s = distribution_create(&job->scene, &job->layers, &job->picture,
                                 &job->distribution)) != STATUS_OK ||
        (s = frame_layers_create(&job->scene, &job->layers)) != STATUS_OK ||
        (s = parallel_agree(job->scene.comm,
                            frame_scene_make_camera(
                                &job->scene, job->scene.layout->origin))) != STATUS_OK ||
        (s = distribution_divide(job->distribution)) != STATUS_OK ||
        (s = frame_volume_load_bricks(&job->scene)) != STATUS_OK) {
        return s;
    }
    return frame_job_make_annotations(job);
}

/* Takes the ranges of a step into the config. Collective. */
static status find_ranges_of(frame_job *job, int step)
{
    if (!io_config_has_step_ranges(job->scene.config)) {
        return STATUS_OK;
    }
    const frame_auto_data data = frame_job_data(job);
    job->ranged = step;
    return frame_auto_step_ranges(&data, step, job->scene.config);
}

status frame_job_follow_ranges(frame_job *job, int step)
{
    frame_scene *scene = &job->scene;
    const bool is_known = job->ranged == step && !scene->is_live;
    if (is_known || !io_config_has_step_ranges(scene->config)) {
        return STATUS_OK;
    }
    status s = find_ranges_of(job, step);
    if (s == STATUS_OK && scene->config->volume) {
        s = frame_scene_rescale_volume(scene);
    }
    if (s == STATUS_OK) {
        s = frame_layers_rescale(scene, &job->layers);
    }
    frame_annotations_destroy(&job->picture.annotations);
    return s == STATUS_OK ? frame_job_make_annotations(job) : s;
}

/* Makes the particles that move with the grid, which layers do not outlive. Local. */
static status make_particles(frame_job *job)
{
    frame_scene *scene = &job->scene;
    if (scene->particles || !io_source_moves(scene->source)) {
        return STATUS_OK;
    }
    status s = frame_particles_create(scene->comm, &job->particles);
    s = s == STATUS_OK ? frame_particles_ask(job->particles, "", scene->config) : s;
    scene->particles = s == STATUS_OK ? job->particles : NULL;
    return s;
}

/* Prepares what draws pictures, when all open values are found. Collective. */
static status prepare_drawing(frame_job *job)
{
    status s = find_ranges_of(job, job->scene.steps[0]);
    if (s != STATUS_OK ||
        (s = parallel_agree(job->scene.comm, make_particles(job))) != STATUS_OK ||
        (s = prepare_grid(job)) != STATUS_OK ||
        (s = frame_job_make_stack(job)) != STATUS_OK) {
        return s;
    }
    return make_outputs(job);
}

/* Prepares everything from the source to the first picture. `known`: values found for an
 * earlier job that this one continues, or NULL. */
static status prepare(frame_job *job, const frame_auto_values *known)
{
    frame_auto_values own = {0}; /* of a first picture with layers that are not of all */
    const bool is_own = job->film && frame_film_gives(job->film, 0, "layers");
    status s = job->scene.rank == 0 ? frame_film_check_outputs(job) : STATUS_OK;
    s = parallel_agree(job->scene.comm, s); /* rank 0 writes, so rank 0 checks */
    s = s == STATUS_OK && is_own ? frame_job_take_fields(job, NULL, &own) : s;
    s = s == STATUS_OK ? frame_job_load_grid(job, job->scene.steps[0]) : s;
    s = s == STATUS_OK ? find_looks(job, known, is_own ? &own : &job->found) : s;
    frame_auto_values_clear(&own);
    if (s != STATUS_OK || (s = frame_film_found(job)) != STATUS_OK ||
        (s = prepare_drawing(job)) != STATUS_OK) {
        return s;
    }
    return frame_beside_prepare(job);
}

/* Keeps layout and bricks for the next grid. Collective. */
static void drop_grid(frame_job *job)
{
    grid_store *store = job->scene.volume.store;
    job->scene.volume.store = NULL;
    frame_annotations_destroy(&job->picture.annotations);
    frame_shadows_clear(&job->scene);
    frame_layers_destroy(&job->layers);
    frame_volume_drop(&job->scene);
    distribution_destroy(&job->distribution);
    job->scene.volume.store = store;
    job->loaded.past.layout = job->scene.layout;
    job->scene.layout = NULL;
}

status frame_job_follow_grid(frame_job *job, int step)
{
    if (io_source_grid(job->scene.source, step) == job->loaded.grid) {
        return STATUS_OK;
    }
    drop_grid(job);
    job->times = (distribution_times){0}; /* the work is divided anew */
    status s = frame_job_load_grid(job, step);
    return s == STATUS_OK ? prepare_grid(job) : s;
}

/* The messages of a recording are those of one sample. */
static status take_one_sample(frame_job *job)
{
    const status s = frame_config_take_one_sample(&job->scene.config);
    return s == STATUS_OK && job->scene.config->samples != 1
               ? io_config_fail(job->scene.config, "image.samples",
                                "is %s, but --html shows the messages of pictures with "
                                "one sample: add --set image.samples=1",
                                io_config_given(job->scene.config, "image.samples"))
               : s;
}

static status prepare_from_file(frame_job *job, const char *config_path,
                                const frame_job_options *options)
{
    status s =
        frame_config_load_for(job->scene.comm, config_path, options, &job->scene.config);
    if (s != STATUS_OK) {
        return s;
    }
    if (job->show.is_on) {
        frame_config_show(job->scene.config);
    }
    s = job->recording ? take_one_sample(job) : STATUS_OK;
    s = s == STATUS_OK ? check_config(job) : s;
    s = parallel_agree(job->scene.comm, s);
    if (s == STATUS_OK) {
        s = frame_job_open_data(job, options->field);
    }
    s = s == STATUS_OK ? frame_film_begin(job) : s;
    s = s == STATUS_OK ? prepare(job, NULL) : s;
    if (s != STATUS_OK) {
        frame_auto_blame(&job->found, options->field);
    }
    return s;
}

static status prepare_from_memory(frame_job *job, io_config **config,
                                  const frame_job_memory *memory,
                                  const frame_auto_values *known)
{
    job->scene.config = *config;
    *config = NULL;
    job->scene.source = memory->source;
    job->scene.particles = memory->particles;
    job->scene.is_from_memory = true;
    job->scene.is_live = !memory->is_shown;
    io_memory_set_fills(memory->source, &job->scene.config->data);
    job->show.is_on = memory->is_shown;
    if (memory->is_shown) {
        frame_config_show(job->scene.config);
    }
    status s = frame_film_refuse(job->scene.config);
    s = parallel_agree(job->scene.comm, s == STATUS_OK ? check_config(job) : s);
    if (s == STATUS_OK) {
        s = frame_job_read_data(job, memory->field);
    }
    s = s == STATUS_OK ? prepare(job, known) : s;
    if (s != STATUS_OK && memory->is_shown) {
        frame_auto_blame(&job->found, memory->field);
    }
    return s;
}

/* Adds the config's place to a failure about one of its keys. */
static void blame_config(const frame_job *job, status s)
{
    if (job->scene.config) {
        io_config_blame(job->scene.config, NULL, s);
    }
}

/* `borrows`: the job uses comm itself instead of a duplicate. */
static status create(MPI_Comm comm, bool borrows, int threads, frame_job **out)
{
    frame_job *job = calloc(1, sizeof *job);
    status s = job ? frame_missing_create(&job->scene.missing)
                   : base_fail_memory(sizeof *job, "a job");
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        if (job) {
            frame_missing_destroy(&job->scene.missing);
        }
        free(job);
        return s;
    }
    job->picture.scene = &job->scene;
    job->borrows_comm = borrows;
    job->scene.comm = comm;
    if (!borrows) {
        parallel_dup(comm, &job->scene.comm);
    }
    job->scene.rank = parallel_rank(job->scene.comm);
    job->scene.ranks = parallel_size(job->scene.comm);
    share_node(job, threads);
    *out = job;
    return STATUS_OK;
}

/* Names the data of a job beside another in a message. */
static void blame_beside(const frame_job *job, status s)
{
    const char *held = base_fail_message(), *path = job->scene.config->data.file;
    blame_config(job, s);
    if ((s == STATUS_USAGE || s == STATUS_INPUT) && path && !strstr(held, path)) {
        char message[2048];
        snprintf(message, sizeof message, "%s; the data are those of '%s'", held, path);
        base_fail_set_message(message);
    }
}

static status create_beside(frame_job *lead, io_config **config, frame_job **out)
{
    frame_job *job = NULL;
    status s = create(lead->scene.comm, true, lead->scene.threads, &job);
    if (s != STATUS_OK) {
        return s;
    }
    job->scene.config = *config;
    *config = NULL;
    job->beside.lead = lead;
    job->resume = lead->resume;
    job->choice = lead->choice;
    job->film = lead->film;
    s = parallel_agree(job->scene.comm, check_config(job));
    s = s == STATUS_OK ? frame_job_open_data(job, NULL) : s;
    s = s == STATUS_OK ? frame_beside_match(job) : s;
    s = s == STATUS_OK ? frame_job_load_grid(job, job->scene.steps[0]) : s;
    blame_beside(job, s);
    if (s != STATUS_OK) {
        frame_job_destroy(&job);
        return s;
    }
    *out = job;
    return STATUS_OK;
}

static status prepare_beside(frame_job *job)
{
    const frame_job *lead = job->beside.lead;
    if (!job->scene.config->volume) {
        frame_volume_destroy(&job->scene); /* slices stand in its place */
    }
    status s = job->scene.rank == 0 ? frame_film_check_outputs(job) : STATUS_OK;
    s = parallel_agree(job->scene.comm, s);
    s = s == STATUS_OK ? prepare_drawing(job) : s;
    blame_config(job, s);
    job->files.writer = lead->files.writer;
    job->timings = lead->timings;
    job->events = lead->events;
    job->recording = lead->recording;
    return s;
}

static const frame_making making = {create_beside, prepare_beside, frame_job_destroy};

status frame_job_create(MPI_Comm comm, const char *config_path,
                        const frame_job_options *options, frame_job **out)
{
    frame_job *job = NULL;
    status s = create(comm, false, options->threads, &job);
    if (s != STATUS_OK) {
        return s;
    }
    job->beside.making = &making;
    job->resume = options->resume;
    job->choice = options->choice;
    job->is_part = options->is_part;
    job->show.is_on = options->is_shown;
    job->recording = options->recording;
    job->scene.particles = options->particles;
    const frame_threads threads = frame_threads_begin(job->scene.threads);
    s = prepare_from_file(job, config_path, options);
    blame_config(job, s);
    frame_threads_end(&threads);
    if (s != STATUS_OK) {
        frame_job_destroy(&job);
        return s;
    }
    *out = job;
    return STATUS_OK;
}

status frame_job_create_from_memory(MPI_Comm comm, io_config **config,
                                    const frame_job_memory *memory,
                                    const frame_auto_values *known, frame_job **out)
{
    frame_job *job = NULL;
    status s = create(comm, true, memory->threads, &job);
    if (s != STATUS_OK) {
        return s;
    }
    const frame_threads taken = frame_threads_begin(job->scene.threads);
    s = prepare_from_memory(job, config, memory, known);
    blame_config(job, s);
    frame_threads_end(&taken);
    if (s != STATUS_OK) {
        frame_job_destroy(&job);
        return s;
    }
    *out = job;
    return STATUS_OK;
}

/* Destroys what a job has for all beside it. */
static void destroy_outputs(frame_job *job)
{
    frame_beside_destroy(job);
    io_png_writer_destroy(&job->files.writer);
    io_movie_close(&job->files.movie, false);
    io_timings_destroy(&job->timings);
    free(job->events);
    free(job->files.canvas);
    frame_film_destroy(&job->film);
}

void frame_job_destroy(frame_job **job)
{
    frame_job *j = *job;
    if (!j) {
        return;
    }
    if (!j->beside.lead) {
        destroy_outputs(j);
    }
    frame_costs_destroy(&j->layers.costs);
    frame_picture_destroy(&j->picture);
    frame_missing_destroy(&j->scene.missing);
    frame_layers_destroy(&j->layers);
    frame_particles_destroy(&j->particles);
    frame_volume_destroy(&j->scene);
    render_stack_destroy(&j->stack);
    distribution_destroy(&j->distribution);
    grid_layout_destroy(&j->scene.layout);
    if (!j->scene.is_from_memory) {
        io_source_close(&j->scene.source);
    }
    io_config_destroy(&j->scene.config);
    frame_auto_values_clear(&j->found);
    grid_layout_destroy(&j->loaded.past.layout);
    io_load_past_clear(&j->loaded.past);
    free(j->scene.steps);
    free(j->beside.steps);
    free(j->files.path);
    if (!j->borrows_comm) {
        MPI_Comm_free(&j->scene.comm);
    }
    free(j);
    *job = NULL;
}

const io_config *frame_job_whole_config(const frame_job *job)
{
    return frame_job_pictures(job) > 1 ? frame_film_open(job->film) : job->scene.config;
}

const io_config *frame_job_config(const frame_job *job)
{
    return job->scene.config;
}

int frame_job_frame_count(const frame_job *job)
{
    return frame_film_frames(job);
}

int frame_job_pictures(const frame_job *job)
{
    return job->film ? frame_film_pictures(job->film) : 1;
}

bool frame_job_makes_file(const frame_job *job, int frame)
{
    return frame_film_makes_file(job, frame);
}

bool frame_job_is_chosen(const frame_job *job, int frame)
{
    return frame_film_is_chosen(job, frame);
}

const io_step *frame_job_step(const frame_job *job, int frame)
{
    return &io_source_steps(job->scene.source)[frame_film_step_index(job, frame)];
}

/* Jobs of running programs: changes of the config, and extremes of fields. */
#include "base/parallel/parallel.h"
#include "frame/entry.h"
#include "frame/film/frames.h"
#include "frame/film/settle.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/layers/annotations.h"
#include "frame/scene/appearance.h"
#include "io/load/load.h"
#include "io/sources/memory/memory.h"

#include <string.h>

static bool has_same_volume(const io_volume_config *a, const io_volume_config *b)
{
    return a && b && strcmp(a->field, b->field) == 0 && a->shade.on == b->shade.on &&
           a->shade.is_even == b->shade.is_even && !a->ngradients == !b->ngradients &&
           a->interpolation == b->interpolation;
}

static bool shows_only_volume(const io_config *config)
{
    return config->volume && io_config_shown(config) == 1;
}

static bool has_same_data(const io_data_config *a, const io_data_config *b)
{
    bool same = grid_terms_are_same(&a->terms, &b->terms) && a->nfills == b->nfills &&
                memcmp(a->fills, b->fills, sizeof a->fills) == 0 &&
                a->npriority == b->npriority;
    for (int n = 0; same && n < a->npriority; n++) {
        same = strcmp(a->priority[n], b->priority[n]) == 0;
    }
    return same;
}

static bool is_same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_same_outputs(const io_output_config *a, const io_output_config *b)
{
    return is_same_name(a->frames, b->frames) && is_same_name(a->floats, b->floats) &&
           is_same_name(a->figure, b->figure) && is_same_name(a->extracts, b->extracts) &&
           !a->timings == !b->timings && a->tile_costs == b->tile_costs &&
           a->warm_caches == b->warm_caches;
}

/* Whether only the view, the colours, the cuts or the annotations differ, which are made
 * from the config alone. */
static bool is_alike(const frame_job *job, const io_config *config)
{
    const io_config *mine = job->scene.config;
    return shows_only_volume(mine) && shows_only_volume(config) &&
           has_same_volume(mine->volume, config->volume) && job->scene.part.stays &&
           has_same_data(&mine->data, &config->data) &&
           mine->partition.kind == config->partition.kind &&
           mine->partition.balance == config->partition.balance &&
           mine->width == config->width && mine->height == config->height &&
           mine->memory == config->memory &&
           memcmp(&mine->lighting, &config->lighting, sizeof mine->lighting) == 0 &&
           has_same_outputs(&mine->output, &config->output);
}

/* Gives the job a config for which is_alike() holds. */
static status take(frame_job *job, io_config **config)
{
    frame_annotations_destroy(&job->picture.annotations);
    io_config_destroy(&job->scene.config);
    job->scene.config = *config;
    *config = NULL;
    render_transfer_destroy(&job->scene.volume.transfer);
    status s = frame_scene_make_transfer(&job->scene);
    if (s == STATUS_OK) {
        s = frame_scene_make_camera(&job->scene, job->scene.layout->origin);
    }
    if (s == STATUS_OK) {
        s = frame_annotations_create(&job->scene, &job->layers,
                                     &job->picture.annotations);
    }
    return s;
}

/* Fits a job of files to the completed config `whole` of *config. */
static status refit(frame_job *job, frame_auto_values *values, io_config **whole,
                    io_config **config)
{
    const frame_threads threads = frame_threads_begin(job->scene.threads);
    const status s = frame_job_refit(job, whole);
    frame_threads_end(&threads);
    if (!*whole) {
        frame_auto_values_clear(&job->found);
        job->found = *values;
        *values = (frame_auto_values){0};
        io_config_destroy(config);
    }
    return s;
}

status frame_job_change(frame_job *job, io_config **config)
{
    frame_auto_values values = {0};
    io_config *whole = NULL;
    status s = job->scene.is_from_memory ? frame_film_refuse(*config) : STATUS_OK;
    s = s == STATUS_OK ? io_config_override(*config, 0, NULL, &whole) : s;
    s = parallel_agree(job->scene.comm, s);
    const frame_threads threads = frame_threads_begin(job->scene.threads);
    if (s == STATUS_OK) {
        /* Values that the job has found stay, so that colours are the same while the view
         * changes. */
        s = frame_film_settle(job, &job->found, &values, &whole);
    }
    frame_threads_end(&threads);
    if (s == STATUS_OK && !job->scene.is_from_memory) {
        s = refit(job, &values, &whole, config);
    } else if (s == STATUS_OK && is_alike(job, whole)) {
        frame_auto_values_clear(&job->found);
        job->found = values;
        values = (frame_auto_values){0};
        io_config_destroy(config);
        s = take(job, &whole);
    }
    io_config_destroy(&whole);
    frame_auto_values_clear(&values);
    return parallel_agree(job->scene.comm, s);
}

status frame_job_replace(MPI_Comm comm, io_config **config,
                         const frame_job_memory *memory, frame_job **job)
{
    frame_auto_values known = {0};
    if (*job) {
        known = (*job)->found;
        (*job)->found = (frame_auto_values){0};
    }
    frame_job_destroy(job);
    status s = frame_job_create_from_memory(comm, config, memory, &known, job);
    frame_auto_values_clear(&known);
    return s;
}

status frame_job_adopt_layers(const frame_job *job, io_config **config)
{
    static const char *const keys[] = {"layers", "annotations", "look"};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    const char *found[KEYS];
    int count = 0;
    for (int n = 0; n < KEYS; n++) {
        found[count] = frame_auto_values_last(&job->found, keys[n]);
        count += found[count] != NULL;
    }
    if ((*config)->nlayers > 0 || !frame_auto_values_last(&job->found, "layers")) {
        return STATUS_OK;
    }
    io_config *made = NULL;
    status s = io_config_override(*config, count, found, &made);
    if (s == STATUS_OK) {
        io_config_destroy(config);
        *config = made;
    }
    return s;
}

frame_missing *frame_job_detach_missing(frame_job *job)
{
    return job ? frame_missing_detach(&job->scene) : NULL;
}

void frame_job_attach_missing(frame_job *job, frame_missing **missing)
{
    frame_missing_attach(&job->scene, missing);
}

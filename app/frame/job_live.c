/* What jobs of running programs can do beside drawing: change, and tell extremes. */
#include "app/frame/layers/annotations.h"
#include "app/frame/scene/look.h"
#include "base/parallel/parallel.h"
#include "entry.h"
#include "io/load/load.h"
#include "io/running/running.h"
#include "job.h"
#include "job_state.h"

#include <string.h>

static bool has_same_volume(const io_volume_config *a, const io_volume_config *b)
{
    return a && b && strcmp(a->field, b->field) == 0 && a->shade.on == b->shade.on &&
           a->trilinear == b->trilinear;
}

static bool has_same_outputs(const io_output_config *a, const io_output_config *b)
{
    return strcmp(a->frames, b->frames) == 0 && !a->floats == !b->floats &&
           (!a->floats || strcmp(a->floats, b->floats) == 0) &&
           !a->timings == !b->timings && a->tile_costs == b->tile_costs &&
           a->warm_caches == b->warm_caches;
}

/* Whether nothing differs but the view, the colours, what is cut off and what is written
 * over the picture: those are made anew from the config. Steering changes no more than
 * layers, camera and the like, so that data and compositing are the same anyway. */
static bool is_alike(const app_job *job, const io_config *config)
{
    const io_config *mine = job->scene.config;
    return job->layers.count == 0 && config->nlayers == mine->nlayers &&
           has_same_volume(mine->volume, config->volume) && job->scene.part.stays &&
           mine->partition.kind == config->partition.kind &&
           mine->partition.balance == config->partition.balance &&
           mine->width == config->width && mine->height == config->height &&
           mine->memory == config->memory &&
           has_same_outputs(&mine->output, &config->output);
}

/* The range stays where both configs leave it open: colours that stand still while the
 * view changes. */
static status make_transfer(app_job *job, bool was_open)
{
    const double range[2] = {job->scene.volume.range[0], job->scene.volume.range[1]};
    io_volume_config *volume = job->scene.config->volume;
    const bool keeps = was_open && volume->auto_range;
    if (keeps) {
        memcpy(volume->range, range, sizeof range);
        volume->auto_range = false;
    }
    render_transfer_destroy(&job->scene.volume.transfer);
    status s = app_scene_make_transfer(&job->scene);
    volume->auto_range = volume->auto_range || keeps;
    return s;
}

status app_job_change(app_job *job, io_config **config)
{
    if (!is_alike(job, *config)) {
        return STATUS_OK;
    }
    const bool was_open = job->scene.config->volume->auto_range;
    app_annotations_destroy(&job->picture.annotations);
    io_config_destroy(&job->scene.config);
    job->scene.config = *config;
    *config = NULL;
    const app_threads threads =
        app_threads_begin(job->scene.threads); /* to find a range */
    status s = make_transfer(job, was_open);
    app_threads_end(&threads);
    if (s == STATUS_OK) {
        s = app_scene_make_camera(&job->scene, job->scene.layout->origin);
    }
    if (s == STATUS_OK) {
        s = app_annotations_create(&job->scene, &job->layers, &job->picture.annotations);
    }
    return parallel_agree(job->scene.comm, s);
}

/* ---- Ranges ------------------------------------------------------------------------ */

/* What the colours of a layer show, and over which range. */
typedef struct painted {
    const char *field; /* NULL: none */
    bool *auto_range;
    double *range; /* [2] */
} painted;

static painted painted_of(const io_layer_config *layer)
{
    io_volume_config *volume = layer->volume;
    io_tool_config *tool = layer->tool;
    io_particles_config *particles = layer->particles;
    if (volume) {
        return (painted){volume->field, &volume->auto_range, volume->range};
    }
    if (particles) {
        const bool shows_field = particles->color_what == IO_PAINT_FIELD;
        return (painted){shows_field ? particles->paint.field : NULL,
                         &particles->paint.auto_range, particles->paint.range};
    }
    return (painted){tool->paint.field ? tool->paint.field : tool->field,
                     &tool->paint.auto_range, tool->paint.range};
}

/* The range that a layer of a job has found, where its config leaves it open; else NULL.
 */
static const double *found_range(const app_job *job, const io_layer_config *layer)
{
    const painted its = painted_of(layer);
    const double *range = layer->volume ? job->scene.volume.range : NULL;
    for (int n = 0; n < job->layers.count; n++) {
        range = job->layers.items[n].config == layer ? job->layers.items[n].range : range;
    }
    return its.field && *its.auto_range && range && range[0] < range[1] ? range : NULL;
}

/* Hands the range that a layer has found to the same layer of a new config. */
static bool keep_range(const app_job *job, const io_layer_config *old,
                       const io_layer_config *new)
{
    const double *range = found_range(job, old);
    if (!range || old->kind != new->kind) {
        return false;
    }
    const painted from = painted_of(old), to = painted_of(new);
    if (!to.field || !*to.auto_range || strcmp(from.field, to.field) != 0) {
        return false;
    }
    memcpy(to.range, range, 2 * sizeof *range);
    *to.auto_range = false;
    return true;
}

status app_job_replace(MPI_Comm comm, io_config **config, io_source *source, int threads,
                       app_job **job)
{
    bool kept[IO_MAX_LAYERS] = {false};
    const io_config *old = *job ? (*job)->scene.config : NULL;
    for (int n = 0; old && n < old->nlayers && n < (*config)->nlayers; n++) {
        kept[n] = keep_range(*job, &old->layers[n], &(*config)->layers[n]);
    }
    app_job_destroy(job);
    status s = app_job_create_live(comm, config, source, threads, job);
    for (int n = 0; s == STATUS_OK && n < (*job)->scene.config->nlayers; n++) {
        if (kept[n]) {
            *painted_of(&(*job)->scene.config->layers[n]).auto_range = true;
        }
    }
    return s;
}

status app_job_extremes(app_job *job, const char *field, double range[2])
{
    grid_recipe *recipe = NULL;
    status s = grid_recipe_create(field, io_source_field_count(job->scene.source),
                                  io_source_fields(job->scene.source),
                                  job->scene.config->data.gas, &recipe);
    s = parallel_agree(job->scene.comm, s);
    io_live_set_fills(job->scene.source, &job->scene.config->data);
    if (s == STATUS_OK) {
        const app_threads threads = app_threads_begin(job->scene.threads);
        const io_load_series series = {job->scene.layout, recipe, job->scene.steps,
                                       job->scene.nsteps};
        s = io_load_scan(job->scene.comm, job->scene.source, &series, range);
        app_threads_end(&threads);
    }
    grid_recipe_destroy(&recipe);
    return s;
}

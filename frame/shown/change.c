/* Another config for a job of files: what the two have in common stays as it is. */
#include "base/parallel/parallel.h"
#include "frame/config_load.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/layers/annotations.h"
#include "frame/layers/layers.h"
#include "frame/light/shadows.h"
#include "frame/scene/appearance.h"
#include "frame/scene/volume.h"
#include "frame/shown/take.h"
#include "io/select.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Comparing --------------------------------------------------------------------- */

static bool has_same_data(const frame_job *job, const io_config *config)
{
    const frame_scene *scene = &job->scene;
    return frame_config_has_same(scene->config, config, "data", "steps") &&
           scene->config->memory == config->memory &&
           scene->config->partition.kind == config->partition.kind &&
           scene->config->partition.balance == config->partition.balance;
}

/* The index of the volume's layer; -1: none. */
static int find_volume(const io_config *config)
{
    for (int n = 0; n < config->nlayers; n++) {
        if (config->volume && config->layers[n].volume == config->volume) {
            return n;
        }
    }
    return -1;
}

/* Whether bricks and values of the volume stay. */
static bool keeps_volume(const io_config *a, const io_config *b)
{
    const io_volume_config *mine = a->volume, *other = b->volume;
    return (!mine && !other) ||
           (mine && other && strcmp(mine->field, other->field) == 0 &&
            mine->shade.on == other->shade.on &&
            mine->shade.is_even == other->shade.is_even &&
            !mine->ngradients == !other->ngradients &&
            a->lighting.cue.on == b->lighting.cue.on);
}

/* Whether the same bricks of it are visible. */
static bool shows_same_volume(const io_config *a, const io_config *b)
{
    char mine[32], other[32];
    snprintf(mine, sizeof mine, "layers.%d", find_volume(a));
    snprintf(other, sizeof other, "layers.%d", find_volume(b));
    json_t *first = frame_config_given(a, mine), *second = frame_config_given(b, other);
    const bool same = first && second && json_equal(first, second);
    json_decref(first);
    json_decref(second);
    return same;
}

static bool has_same_picture(const io_config *a, const io_config *b)
{
    return a->width == b->width && a->height == b->height && a->samples == b->samples &&
           a->filter == b->filter && a->is_deep == b->is_deep &&
           a->is_transparent == b->is_transparent && a->is_linear == b->is_linear &&
           memcmp(a->background, b->background, sizeof a->background) == 0 &&
           frame_config_has_same(a, b, "composite", NULL);
}

/* ---- Fitting ----------------------------------------------------------------------- */

/* Whether two selections of steps are the same. */
static bool is_same_list(const frame_scene *scene, int count, const int *steps)
{
    return scene->nsteps == count &&
           memcmp(scene->steps, steps, (size_t)count * sizeof *steps) == 0;
}

/* What can fail before anything has changed. */
typedef struct refit_plan {
    int nsteps;
    int *steps;
    grid_recipe *recipe; /* of another volume; NULL: none, or the same */
    bool keeps_volume, keeps_picture, keeps_steps, shows_same_volume;
} refit_plan;

static status plan(const frame_job *job, const io_config *config, refit_plan *out)
{
    const frame_scene *scene = &job->scene;
    status s =
        io_select_steps(scene->source, config, job->is_part, &out->nsteps, &out->steps);
    out->keeps_volume = keeps_volume(scene->config, config);
    out->shows_same_volume =
        out->keeps_volume && shows_same_volume(scene->config, config);
    out->keeps_picture = has_same_picture(scene->config, config);
    if (s == STATUS_OK && config->volume && !out->keeps_volume) {
        s = grid_recipe_create(
            config->volume->field, io_source_field_count(scene->source),
            io_source_fields(scene->source), config->data.terms, &out->recipe);
    }
    if (s == STATUS_OK) {
        s = frame_layers_check(config, scene->layout);
    }
    out->keeps_steps = s == STATUS_OK && is_same_list(scene, out->nsteps, out->steps);
    return io_config_blame(config, NULL, s);
}

static void take_steps(frame_scene *scene, refit_plan *p)
{
    free(scene->steps);
    scene->steps = p->steps;
    scene->nsteps = p->nsteps;
    p->steps = NULL;
}

static void take_recipe(frame_scene *scene, refit_plan *p)
{
    if (!p->keeps_volume) {
        frame_volume_destroy(scene);
        scene->volume = (frame_volume){.recipe = p->recipe};
        p->recipe = NULL;
    } else if (!p->shows_same_volume) {
        scene->volume.has_step = false;
    }
}

/* Makes all looks from the config. Ranks keep their boxes, and the clock of theirs. */
static status make_looks(frame_scene *scene)
{
    double *seconds = scene->style.seconds;
    render_transfer_destroy(&scene->volume.transfer);
    scene->style = (render_style){0};
    scene->shade = (render_shade){0};
    scene->colors_hash = 0;
    const status s = frame_scene_make_transfer(scene);
    scene->style.seconds = seconds;
    return s;
}

static status make_picture(frame_job *job)
{
    frame_picture *picture = &job->picture;
    frame_picture_destroy(picture);
    *picture = (frame_picture){.scene = &job->scene};
    const status s = frame_picture_configure(&job->scene, picture);
    return parallel_agree(job->scene.comm,
                          s == STATUS_OK ? frame_picture_create(picture) : s);
}

/* Makes the camera. Rectangles of the picture are divided anew for it, and ranks get the
 * bricks that they see; boxes of space stay. */
static status make_view(frame_job *job, bool keeps_volume)
{
    frame_scene *scene = &job->scene;
    const bool divides = scene->config->partition.kind == IO_PARTITION_SCREEN;
    status s = STATUS_OK;
    if (divides) {
        distribution_destroy(&job->distribution);
        job->times = (distribution_times){0};
        s = distribution_create(scene, &job->layers, &job->picture, &job->distribution);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(scene->comm,
                           frame_scene_make_camera(scene, scene->layout->origin));
    }
    if (s == STATUS_OK && divides) {
        s = distribution_divide(job->distribution);
    }
    if (s == STATUS_OK && (divides || !keeps_volume)) {
        s = frame_volume_load_bricks(scene);
    }
    return s == STATUS_OK && divides ? frame_layers_move(scene, &job->layers) : s;
}

/* Fits all parts to the config that the scene has now; `before`: that of the layers. */
static status fit(frame_job *job, const io_config *before, const refit_plan *p)
{
    frame_scene *scene = &job->scene;
    status s = make_looks(scene);
    if (s == STATUS_OK) {
        s = frame_layers_change(scene, before, &job->layers);
    }
    if (s == STATUS_OK && !p->keeps_picture) {
        s = make_picture(job);
    }
    if (s == STATUS_OK) {
        s = make_view(job, p->keeps_volume);
    }
    if (s == STATUS_OK && !scene->volume.recipe && !job->stack) {
        s = frame_job_make_stack(job);
    }
    return s == STATUS_OK ? frame_job_make_annotations(job) : s;
}

/* Whether two configs draw the same but for the camera. */
static bool has_other_view(const io_config *a, const io_config *b)
{
    json_t *mine = json_loads(a->canonical, 0, NULL),
           *other = json_loads(b->canonical, 0, NULL);
    json_object_del(mine, "camera");
    json_object_del(other, "camera");
    const bool same = mine && other && json_equal(mine, other);
    json_decref(mine);
    json_decref(other);
    return same;
}

/* Takes the camera of a config and the names of its files, and nothing else of it: layers
 * keep what they have. Collective. */
static status take_view(frame_job *job, io_config **config)
{
    io_config *mine = job->scene.config, *other = *config;
    const io_config before = *mine;
    mine->camera = other->camera;
    mine->output = other->output;
    mine->given = other->given;
    mine->canonical = other->canonical;
    other->camera = before.camera;
    other->output = before.output;
    other->given = before.given;
    other->canonical = before.canonical;
    io_config_destroy(config);
    frame_annotations_destroy(&job->picture.annotations);
    frame_shadows_clear(&job->scene);
    const status s = make_view(job, true);
    return s == STATUS_OK ? frame_job_make_annotations(job) : s;
}

/* Collective. */
static status take(frame_job *job, io_config **config, refit_plan *p)
{
    frame_scene *scene = &job->scene;
    io_config *before = scene->config;
    frame_annotations_destroy(&job->picture.annotations);
    frame_shadows_clear(scene);
    take_steps(scene, p);
    take_recipe(scene, p);
    scene->config = *config;
    *config = NULL;
    if (scene->volume.recipe) {
        render_stack_destroy(&job->stack);
    }
    job->ranged = -1;
    status s = fit(job, before, p);
    io_config_destroy(&before);
    return s;
}

status frame_job_refit(frame_job *job, io_config **config)
{
    refit_plan p = {0};
    if (job->show.is_on) {
        frame_config_show(*config);
    }
    if (!has_same_data(job, *config)) {
        return STATUS_OK;
    }
    if (has_other_view(job->scene.config, *config)) {
        return take_view(job, config);
    }
    status s = parallel_agree(job->scene.comm, plan(job, *config, &p));
    if (s == STATUS_OK) {
        s = take(job, config, &p);
    }
    free(p.steps);
    grid_recipe_destroy(&p.recipe);
    return s;
}

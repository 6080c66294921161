/* The data of a job: its source, fields and steps, and the grid. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "frame/scene/appearance.h"
#include "frame/scene/volume.h"
#include "io/load/load.h"
#include "io/select.h"
#include "job_state.h"

/* Warns of other data that nothing takes. */
static void tell_idle(const io_config *config)
{
    if (config->data.other && !grid_terms_take_other(&config->data.terms)) {
        base_log_warning("data.other, or --minus, changes nothing here: all layers name "
                         "their fields, and none of these takes other(). Leave out "
                         "the field of a layer, or define a difference for it, such as "
                         "--derive \"change=pressure - other(pressure)\"");
    }
}

status frame_job_take_fields(frame_job *job, const char *field, frame_auto_values *found)
{
    frame_scene *scene = &job->scene;
    const frame_auto_data data = frame_job_data(job);
    status s = frame_auto_fields(&data, field, found, &scene->config);
    frame_volume_destroy(scene);
    if (s == STATUS_OK && scene->config->volume) {
        s = grid_recipe_create(scene->config->volume->field,
                               io_source_field_count(scene->source),
                               io_source_fields(scene->source), scene->config->data.terms,
                               &scene->volume.recipe);
        frame_scene_blame_volume(scene, "field", s);
    }
    return parallel_agree(job->scene.comm, s);
}

status frame_job_read_data(frame_job *job, const char *field)
{
    frame_scene *scene = &job->scene;
    status s = io_select_steps(scene->source, scene->config, job->is_part, &scene->nsteps,
                               &scene->steps);
    s = parallel_agree(scene->comm, s);
    s = s == STATUS_OK ? frame_job_take_fields(job, field, &job->found) : s;
    if (s == STATUS_OK) {
        tell_idle(scene->config);
    }
    return s;
}

status frame_job_open_data(frame_job *job, const char *field)
{
    status s =
        io_source_open(job->scene.comm, &job->scene.config->data, &job->scene.source);
    io_config_blame(job->scene.config, "data.file", s);
    if (s == STATUS_OK && parallel_rank(job->scene.comm) == 0) {
        frame_config_tell_omissions(job->scene.source);
    }
    s = s == STATUS_OK
            ? parallel_agree(job->scene.comm, io_source_add_rest(job->scene.source))
            : s;
    return s == STATUS_OK ? frame_job_read_data(job, field) : s;
}

/* Reads the grid. With a volume it keeps the bricks read on the way, but of copies only
 * those that show come into memory. */
static status load_grid(frame_job *job)
{
    frame_scene *scene = &job->scene;
    const bool has_copies = scene->config->data.ncopies > 0;
    if (has_copies) {
        grid_layout_destroy(
            &job->loaded.past.layout); /* it has blocks that the data lack */
    }
    const io_load_past before = job->loaded.past;
    grid_store *past = scene->volume.store, *store = NULL;
    scene->volume.store = NULL;
    job->loaded.past.location = scene->volume.recipe && !has_copies
                                    ? (int)grid_recipe_location(scene->volume.recipe)
                                    : -1;
    status s = io_load_grid_after(scene->comm, scene->source, &job->loaded.past,
                                  &scene->layout, &store);
    if (s == STATUS_OK && job->loaded.past.rest && past) {
        s = parallel_agree(scene->comm, io_load_carry(scene->source, before.layout,
                                                      before.step, scene->layout, past));
        store = past;
        scene->volume.is_carried = true;
        past = NULL;
    }
    scene->volume.store = store;
    grid_store_destroy(&past);
    grid_layout_destroy(&job->loaded.past.layout);
    return io_config_blame(scene->config, "data.file", s);
}

status frame_job_load_grid(frame_job *job, int step)
{
    const status s = io_source_choose_grid(job->scene.source, step);
    job->loaded.grid = io_source_grid(job->scene.source, step);
    return s == STATUS_OK ? load_grid(job) : s;
}

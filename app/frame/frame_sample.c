/* One sample of a frame's picture. */
#include "app/frame/scene/volume.h"
#include "job.h"
#include "job_state.h"

/* Whether the current sample may be drawn together with others: it is one of pixels at
 * edges, and there are no layers, which draw one sample at a time. */
static bool is_of_set(const app_job *job)
{
    const app_samples *samples = &job->picture.samples;
    return samples->are_adaptive && samples->number > 0 && !job->stack &&
           job->layers.count == 0;
}

/* Draws the current sample and some that follow. */
static status draw_set(app_job *job, render_counters *counters)
{
    app_scene *scene = &job->scene;
    app_samples *samples = &job->picture.samples;
    render_counters volume = {0};
    status s = app_samples_begin_set(samples, scene->camera.width, scene->camera.height);
    if (s != STATUS_OK) {
        return s;
    }
    scene->style.nlayers = 0;
    s = app_volume_draw(scene, &samples->set, job->picture.img, &volume);
    counters->kept_bytes = volume.kept_bytes;
    counters->rays += volume.rays;
    counters->crossings += volume.crossings;
    counters->lost_rays += volume.lost_rays;
    counters->nan_cells += volume.nan_cells;
    return s;
}

status app_frame_draw_sample(app_job *job, render_counters *counters)
{
    app_samples *samples = &job->picture.samples;
    app_samples_aim(samples, &job->scene.camera);
    if (!is_of_set(job)) {
        return app_frame_draw(job, counters);
    }
    app_picture_clear(&job->picture, false);
    job->picture.img->may_crop = distribution_may_crop(job->distribution);
    status s = app_samples_is_drawn(samples) ? STATUS_OK : draw_set(job, counters);
    if (s == STATUS_OK) {
        app_samples_put(samples, job->picture.img);
    }
    return s;
}

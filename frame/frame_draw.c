/* The data of a step, and its drawing: one sample of a picture, or a set of those of its
 * pixels at edges. */
#include "frame/layers/annotations.h"
#include "frame/layers/layers.h"
#include "frame/scene/missing.h"
#include "frame/scene/volume.h"
#include "job.h"
#include "job_state.h"

#include <stdlib.h>

status frame_load(frame_job *job, int step)
{
    frame_missing_begin(&job->scene);
    status s = frame_volume_load(&job->scene, step);
    s = s == STATUS_OK ? frame_layers_load(&job->scene, &job->layers, step) : s;
    return s == STATUS_OK ? frame_annotations_load(job->picture.annotations, step) : s;
}

/* Adds the counts of layers and volume. */
static void add_counts(const render_counters *layers, const render_counters *volume,
                       render_counters *sum)
{
    sum->kept_bytes = volume->kept_bytes;
    sum->rays += volume->rays;
    sum->crossings += volume->crossings + layers->crossings;
    sum->lost_rays += volume->lost_rays + layers->lost_rays;
    sum->nan_cells += volume->nan_cells;
}

/* Makes the image transparent, before something is drawn. */
static void clear_image(frame_job *job)
{
    frame_picture_clear(&job->picture, job->stack != NULL);
    job->picture.img->may_crop = distribution_may_crop(job->distribution);
}

/* The style of a drawing, with the fragments of layers that were drawn last. */
static render_style style_of(const frame_job *job, const draw_request *request)
{
    render_style style = job->scene.style;
    style.cuts = request->cuts;
    style.seconds = request->seconds;
    style.nlayers = job->layers.nlists;
    style.layers = job->layers.fragments;
    return style;
}

static status draw_volume(frame_job *job, const draw_request *request,
                          const render_sample_set *samples, image *img,
                          render_counters *counters)
{
    const render_style style = style_of(job, request);
    const status s =
        frame_volume_draw(&job->scene, request, &style, samples, img, counters);
    job->scene.volume.keeps_ways = counters->kept_bytes > 0;
    return s;
}

static status draw_stack(const frame_job *job, const draw_request *request, image *img)
{
    const render_style style = style_of(job, request);
    return render_stack_draw(job->stack, &style, &request->camera, request->box,
                             job->scene.threads, img);
}

/* Draws layers and volume into an image. */
static status draw_all(frame_job *job, const draw_request *request, image *img,
                       render_counters *counters)
{
    render_counters layers = {0}, volume = {0};
    status s = frame_layers_draw(&job->scene, request, &job->layers, &layers);
    if (s != STATUS_OK) {
        return s;
    }
    s = job->stack ? draw_stack(job, request, img)
                   : draw_volume(job, request, NULL, img, &volume);
    add_counts(&layers, &volume, counters);
    return s;
}

status frame_draw(frame_job *job, const draw_request *request, render_counters *counters)
{
    clear_image(job);
    return draw_all(job, request, job->picture.img, counters);
}

/* ---- Several samples together ------------------------------------------------------ */

/* The fragments of a set's samples. */
typedef struct set_layers {
    int count;                     /* of samples times layers */
    render_fragments *fragments;   /* [count] */
    const render_fragments **list; /* [count]: pointers to these */
} set_layers;

static void clear_layers(set_layers *layers)
{
    for (int n = 0; layers->fragments && n < layers->count; n++) {
        render_fragments_clear(&layers->fragments[n]);
    }
    free(layers->fragments);
    free(layers->list);
}

static status reserve_layers(int count, set_layers *out)
{
    const size_t most = (size_t)count + 1;
    out->count = count;
    out->fragments = calloc(most, sizeof *out->fragments);
    out->list = calloc(most, sizeof *out->list);
    return out->fragments && out->list
               ? STATUS_OK
               : base_fail_memory(most * sizeof *out->fragments, "the layers");
}

/* Draws the layers of all samples of the set. out: all zero before. */
static status draw_layers(frame_job *job, const draw_request *request, set_layers *out,
                          render_counters *counters)
{
    const render_sample_set *set = &job->picture.samples.set;
    draw_request shifted = *request;
    const int nlayers = job->layers.nlists;
    status s = reserve_layers(set->count * nlayers, out);
    for (int n = 0; n < out->count && s == STATUS_OK; n++) {
        const int layer = n % nlayers;
        if (layer == 0) {
            render_camera_shift(&shifted.camera, set->shifts[n / nlayers]);
            s = frame_layers_draw(&job->scene, &shifted, &job->layers, counters);
        }
        if (s == STATUS_OK) {
            s = render_fragments_copy(job->layers.fragments[layer], &out->fragments[n]);
            out->list[n] = &out->fragments[n];
        }
    }
    return s;
}

/* Draws the volume of all samples of the set, with these layers. */
static status draw_volume_set(frame_job *job, const draw_request *request,
                              const set_layers *layers, render_counters *counters)
{
    render_sample_set *set = &job->picture.samples.set;
    set->layers = layers->list;
    const status s = draw_volume(job, request, set, job->picture.img, counters);
    set->layers = NULL;
    return s;
}

/* Draws the samples of the set by themselves: layers without a volume. */
static status draw_one_by_one(frame_job *job, const draw_request *request,
                              render_counters *counters)
{
    frame_samples *samples = &job->picture.samples;
    draw_request shifted = *request;
    status s = samples->alone
                   ? STATUS_OK
                   : image_create(request->camera.width, request->camera.height, false,
                                  &samples->alone);
    for (int n = 0; n < samples->set.count && s == STATUS_OK; n++) {
        render_camera_shift(&shifted.camera, samples->set.shifts[n]);
        s = draw_all(job, &shifted, samples->alone, counters);
        if (s == STATUS_OK) {
            frame_samples_pack(samples, n, samples->alone);
        }
    }
    return s;
}

status frame_draw_set(frame_job *job, const draw_request *request,
                      render_counters *counters)
{
    render_counters of_layers = {0}, of_volume = {0};
    set_layers layers = {0};
    if (job->stack) {
        return draw_one_by_one(job, request, counters);
    }
    status s = draw_layers(job, request, &layers, &of_layers);
    if (s == STATUS_OK) {
        s = draw_volume_set(job, request, &layers, &of_volume);
    }
    add_counts(&of_layers, &of_volume, counters);
    clear_layers(&layers);
    return s;
}

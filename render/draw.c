/* Ray casting of curvilinear grids after Garrity 1990 (Raytracing irregular volume data)
 * and Bunyk, Kaufman and Silva 1997 (Simple, fast, and robust ray casting of irregular
 * grids). Rays enter through boundary faces, march through the cells and leave, any
 * number of times. Cells stay hexahedra with implicit neighbours; render/cells/cell.h
 * explains why no ray is lost.
 *
 * The picture is cut into square tiles (tile_draw.h). */
#include "volume.h"

#include "base/system.h"
#include "render/cells/trim.h"
#include "render/fragments/spans.h"
#include "scene.h"
#include "tile_draw.h"

#include <math.h>

static status draw_tiles(const volume_job *job, int threads, render_counters *counters)
{
    const int64_t tiles = (int64_t)job->plan->columns * job->plan->rows;
    pixel_rect active = {0, 0, 0, 0};
    bool failed = false;
#pragma omp parallel num_threads(threads) reduction(|| : failed)
    {
        tile_scratch *scratch = render_tile_scratch_create(job);
        failed = !scratch;
#pragma omp for schedule(dynamic, 1)
        for (int64_t n = 0; n < tiles; n++) {
            if (scratch && !base_is_stopped()) {
                render_tile_draw(job, job->plan->order ? job->plan->order[n] : n,
                                 scratch);
                base_pause();
            }
        }
        if (scratch) {
            failed = !render_tile_finish(job, scratch, counters, &active);
            render_tile_scratch_destroy(scratch);
        }
    }
    if (!job->samples) {
        job->img->active = active;
    }
    return failed ? base_fail_memory(0, "the entries of rays") : STATUS_OK;
}

/* The footprint of the part of the grid inside `clip`, and within the margin of it. */
static pixel_rect find_window(const grid_store *store, const render_clip_view *view)
{
    const box3 clip = box3_widen(view->clip, grid_layout_margin(store->layout));
    box3 bounds = store->layout->bounds;
    for (int axis = 0; axis < 3; axis++) {
        bounds.lo.v[axis] = fmax(bounds.lo.v[axis], clip.lo.v[axis]);
        bounds.hi.v[axis] = fmin(bounds.hi.v[axis], clip.hi.v[axis]);
        if (bounds.lo.v[axis] > bounds.hi.v[axis]) {
            return (pixel_rect){0, 0, 0, 0};
        }
    }
    return render_camera_footprint(view->camera, bounds);
}

/* Draws the layers of the style without a volume. */
static status draw_layers(const volume_job *volume, int threads,
                          render_counters *counters)
{
    tile_plan plan;
    status s = render_tiles_plan(render_tiles_align(volume->view.camera->window), 0, NULL,
                                 &plan);
    if (s != STATUS_OK) {
        return s;
    }
    volume_job job = *volume;
    job.plan = &plan;
    s = draw_tiles(&job, threads, counters);
    render_tiles_clear(&plan);
    return s;
}

/* Whether rays may go along kept ways: these lead from triangle to triangle, do not know
 * gradients, and have no spans. */
static bool follows_kept_ways(const volume_job *job, const march_grid *grid)
{
    const render_style *style = job->style;
    const render_fragments *const *layers =
        job->samples ? job->samples->layers : style->layers;
    return !style->trilinear && !style->shade && !grid->has_patches &&
           (style->is_whole || !render_spans_has(style->nlayers, layers));
}

/* Finds the classes of cells, and bounds on bends, if they pay: if rays cross cells
 * often, or if kept ways need the marks of cells that bend the scalar. bends: quadratic.
 */
static void classify(const volume_job *job, render_scene *scene, bool bends, int threads)
{
    const bool trilinear = job->style->trilinear && !scene->grid.cell;
    const bool wants_marks = bends && scene->keep > 0 && scene->stays;
    if ((scene->crosses_often || wants_marks) && !scene->grid.classes &&
        !job->style->trilinear) {
        render_march_classify(&scene->grid, job->kernel->classify, job->view.camera,
                              threads);
    }
    /* A picture with a mask is a further sample of the same step. */
    const bool is_marked = scene->grid.bends && job->view.camera->mask;
    const bool has_any = scene->grid.bends; /* of another picture */
    const bool is_wanted = (bends && (scene->grid.classes || has_any)) ||
                           (trilinear && (scene->crosses_often || has_any));
    if (is_wanted && !is_marked) {
        render_march_mark_bends(&scene->grid, job->kernel->mark_bends, job->transfer,
                                threads);
    }
}

/* The most bytes that may be kept of ways in this picture. A part of them would pay less
 * than its recording: so nothing, unless all ways may fit. */
static int64_t find_keep(const volume_job *job, const render_scene *scene,
                         const render_request *request)
{
    const int64_t least = scene->crossings * KEPT_WORDS * (int64_t)sizeof(int32_t);
    const bool has_some = scene->kept.tiles;
    const bool may_begin =
        !request->is_ending && !scene->outgrows && least <= request->keep;
    return follows_kept_ways(job, &scene->grid) && (has_some || may_begin) ? request->keep
                                                                           : 0;
}

/* Ends the use of kept ways in this picture. */
static void end_kept(const volume_job *job, render_scene *scene,
                     render_counters *counters)
{
    if (scene->kept.is_full) {
        render_kept_clear(&scene->kept);
        scene->outgrows = true;
    }
    if (!job->view.camera->mask) {
        scene->crossings = counters->crossings;
    }
    counters->kept_bytes = scene->kept.bytes;
}

static status draw_volume(const volume_job *volume, render_scene *scene,
                          pixel_rect window, const render_request *request,
                          render_counters *counters)
{
    const int threads = request->threads;
    volume_job job = *volume;
    /* Of the bricks of the last picture: with others nothing of it is used again. */
    render_scene_find_patches(scene, job.style, job.transfer, threads);
    scene->keep = find_keep(&job, scene, request);
    /* The depth of a pixel is that of the first cell, visible or not. */
    status s = render_scene_prepare(scene, job.img->depth ? NULL : job.transfer,
                                    &job.view, window, threads);
    if (s != STATUS_OK) {
        return s;
    }
    job.grid = &scene->grid;
    job.plan = &scene->plan;
    render_scene_find_patches(scene, job.style, job.transfer, threads);
    scene->keep = find_keep(&job, scene, request);
    render_march_take_out(&scene->grid, threads);
    const bool bends = job.style->quadratic && !scene->grid.cell;
    classify(&job, scene, bends, threads);
    job.kept = render_scene_keep(scene, job.kernel, bends ? job.transfer : NULL, threads);
    job.records = job.kept && scene->stays && !request->is_ending;
    s = draw_tiles(&job, threads, counters);
    end_kept(&job, scene, counters);
    render_march_put_back(&scene->grid, threads);
    return s;
}

status render_scene_draw(render_scene *scene, const render_request *request, image *img,
                         render_counters *counters)
{
    const render_style *style = request->style;
    *counters = (render_counters){0};
    if (scene && style->shade && render_shade_needs_gradients(style->shade) &&
        !scene->store->gradient) {
        return base_fail(STATUS_INTERNAL, "a shaded volume was loaded without gradients");
    }
    if (!request->samples) {
        img->active = (pixel_rect){0, 0, 0, 0};
    }
    if (pixel_rect_is_empty(request->camera->window)) {
        return STATUS_OK;
    }
    const volume_job job = {.kernel =
                                request->kernel ? request->kernel : render_walk_fastest(),
                            .transfer = request->transfer,
                            .style = style,
                            .view = render_request_view(request),
                            .img = img,
                            .samples = request->samples};
    pixel_rect window = {0, 0, 0, 0};
    if (scene) {
        window = find_window(scene->store, &job.view);
    }
    const bool shows_volume = !pixel_rect_is_empty(window);
    if (style->nlayers > 0) {
        /* Fragments are grouped by tiles of the picture. */
        window = render_tiles_align(request->camera->window);
    }
    if (!request->samples) {
        image_crop(img, window);
    }
    return shows_volume         ? draw_volume(&job, scene, window, request, counters)
           : style->nlayers > 0 ? draw_layers(&job, request->threads, counters)
                                : STATUS_OK;
}

#include "optical_depth.h"

#include "render/cells/trim.h"
#include "render/fragments/spans.h"
#include "render/kernel/overlap.h"
#include "render/kernel/runs.h"
#include "scene.h"
#include "tile_rays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below this transmittance rays end, so no more digits are known. */
#define LEAST_THROUGH 1e-7f

/* Input for a tile. */
typedef struct through_job {
    const walk_kernel *kernel;
    const render_transfer *transfer;
    const render_style *style;
    render_clip_view view;
    const render_planes *planes;
    render_scene *scene;
    int64_t *depths;
} through_job;

/* Data with which a thread marches through tiles, one after the other. */
typedef struct through_scratch {
    tile_rays rays;
    int nwalks;
    ray_walk walks[WALK_TILE_PIXELS];
    int pixels[WALK_TILE_PIXELS], first[WALK_TILE_PIXELS]; /* of the walks: the first
                                                              plane in the drawn part */
    spans_tile spans;
    overlap_scratch overlap;
    render_counters counters;
    render_fragment *marks; /* [WALK_TILE_PIXELS][planes]: clear fragments at planes */
    float *through;         /* likewise: the transmittance behind them */
    bool failed;
} through_scratch;

static bool goes_on(const through_job *job)
{
    return job->scene->grid.may_turn_back || job->scene->grid.has_patches;
}

/* Puts clear fragments at the planes in the drawn part of a ray. */
static void mark_planes(const through_job *job, int pixel, through_scratch *scratch,
                        ray_walk *walk)
{
    const render_planes *planes = job->planes;
    const size_t at = (size_t)scratch->nwalks * (size_t)planes->count;
    render_fragment *marks = scratch->marks + at;
    const double along =
        vec3_dot(scratch->rays.rays[pixel].direction, job->view.camera->forward);
    const double start = scratch->rays.tile.rays[pixel].start;
    int first = 0, count = 0;
    for (int n = 0; n < planes->count; n++) {
        const float t = (float)((planes->first + n * planes->distance) / along - start);
        first += t < walk->t0;
        if (t >= walk->t0 && t < walk->t1) {
            marks[count++] = (render_fragment){.t = t};
        }
    }
    walk->fragments = marks;
    walk->nfragments = count;
    walk->through = scratch->through + at;
    scratch->first[scratch->nwalks] = first;
}

/* Makes the walks along span number `span` of the rays. */
static void prepare_walks(const through_job *job, int span, through_scratch *scratch)
{
    march_entry *runs = scratch->rays.runs;
    scratch->nwalks = 0;
    for (int pixel = 0; pixel < WALK_TILE_PIXELS; pixel++) {
        const int nruns = render_tile_rays_sort(&scratch->rays, pixel, runs);
        float t0 = scratch->rays.t0[pixel], t1 = scratch->rays.t1[pixel];
        if (nruns > 0 && render_spans_part(&scratch->spans, pixel, span, &t0, &t1) &&
            t0 < t1) {
            ray_walk *walk = &scratch->walks[scratch->nwalks];
            *walk = (ray_walk){.ray = &scratch->rays.tile.rays[pixel],
                               .t0 = t0,
                               .t1 = t1,
                               .end = goes_on(job) ? INFINITY : t1,
                               .runs = runs,
                               .nruns = nruns,
                               .transmittance = 1.0f,
                               .first_t = INFINITY};
            mark_planes(job, pixel, scratch, walk);
            scratch->pixels[scratch->nwalks++] = pixel;
        }
        runs += nruns;
    }
}

/* Walks contended rays again, on which blocks overlap. */
static void resolve_overlaps(const walk_scene *scene, through_scratch *scratch)
{
    for (int n = 0; n < scratch->nwalks; n++) {
        ray_walk *walk = &scratch->walks[n];
        if (walk->contended) {
            walk->nruns =
                render_tile_rays_sort(&scratch->rays, scratch->pixels[n], walk->runs);
            render_overlap_walk(scene, walk, &scratch->overlap, &scratch->counters);
        }
    }
    scratch->failed |= scratch->overlap.failed;
}

static int64_t depth_of(float through)
{
    const float passing = through < 1.0f ? through : 1.0f;
    const float known = passing > LEAST_THROUGH ? passing : LEAST_THROUGH;
    return (int64_t)llrint(-log((double)known) / RENDER_THROUGH_UNIT);
}

/* Adds the optical depths of a walk to those of its pixel. */
static void add_walk(const through_job *job, const through_scratch *scratch, int number)
{
    const ray_walk *walk = &scratch->walks[number];
    const int pixel = scratch->pixels[number], first = scratch->first[number];
    const render_camera *camera = job->view.camera;
    const int64_t x = scratch->rays.rect.x0 + pixel % WALK_TILE;
    const int64_t y = scratch->rays.rect.y0 + pixel / WALK_TILE;
    const int64_t plane = (int64_t)camera->width * camera->height;
    const int64_t rest = depth_of(walk->transmittance);
    for (int n = first; n < job->planes->count; n++) {
        job->depths[plane * n + y * camera->width + x] +=
            n - first < walk->passed ? depth_of(walk->through[n - first]) : rest;
    }
}

/* Adds the depths of the rays along one of their spans. */
static void march_span_of_rays(const through_job *job, int span, through_scratch *scratch)
{
    const walk_scene walked = {.grid = &job->scene->grid,
                               .transfer = job->transfer,
                               .style = *job->style,
                               .has_fragments = true};
    prepare_walks(job, span, scratch);
    job->kernel->follow(&walked, scratch->nwalks, scratch->walks, &scratch->counters);
    resolve_overlaps(&walked, scratch);
    for (int n = 0; n < scratch->nwalks; n++) {
        add_walk(job, scratch, n);
    }
}

static void march_tile(const through_job *job, int64_t tile, through_scratch *scratch)
{
    render_scene *scene = job->scene;
    const pixel_rect rect = render_tiles_rect(&scene->plan, tile);
    if (render_tiles_is_empty(&scene->plan, tile)) {
        return;
    }
    render_tile_rays_cast(job->kernel, &job->view, rect,
                          render_tile_rays_needed(&scene->plan, tile), &scratch->rays);
    if (!render_tile_rays_enter(job->kernel, &scene->grid, &scene->plan, tile,
                                goes_on(job), &scratch->rays)) {
        scratch->failed = true;
        return;
    }
    const render_style *style = job->style;
    scratch->failed |= !render_spans_gather(
        style->nlayers, style->layers, job->view.camera->width, rect, &scratch->spans);
    const int most = scratch->failed ? 0 : render_spans_most(&scratch->spans);
    for (int span = 0; span < most; span++) {
        march_span_of_rays(job, span, scratch);
    }
}

/* ---- All tiles --------------------------------------------------------------------- */

static void destroy_scratch(through_scratch *scratch)
{
    if (scratch) {
        render_tile_rays_clear(&scratch->rays);
        render_overlap_clear(&scratch->overlap);
        render_spans_clear(&scratch->spans);
        free(scratch->marks);
        free(scratch->through);
        free(scratch);
    }
}

static through_scratch *create_scratch(int planes)
{
    const size_t align = _Alignof(through_scratch);
    const size_t size = (sizeof(through_scratch) + align - 1) / align * align;
    const size_t marks = (size_t)planes * WALK_TILE_PIXELS;
    through_scratch *scratch = aligned_alloc(align, size);
    if (scratch) {
        memset(scratch, 0, size);
        scratch->marks = malloc(marks * sizeof *scratch->marks);
        scratch->through = malloc(marks * sizeof *scratch->through);
    }
    if (scratch && (!scratch->marks || !scratch->through)) {
        destroy_scratch(scratch);
        return NULL;
    }
    return scratch;
}

static status march_tiles(const through_job *job, int threads)
{
    const tile_plan *plan = &job->scene->plan;
    const int64_t tiles = (int64_t)plan->columns * plan->rows;
    bool failed = false;
#pragma omp parallel num_threads(threads)
    {
        through_scratch *scratch = create_scratch(job->planes->count);
#pragma omp for schedule(dynamic, 1)
        for (int64_t n = 0; n < tiles; n++) {
            if (scratch) {
                march_tile(job, plan->order ? plan->order[n] : n, scratch);
            }
        }
#pragma omp critical
        failed |= !scratch || scratch->failed;
        destroy_scratch(scratch);
    }
    return failed ? base_fail_memory(sizeof(through_scratch), "the shadow of a volume")
                  : STATUS_OK;
}

/* The style of the march: light does not matter, but for factors of the extinction. */
static render_style style_of(const render_style *style, render_shade *shade)
{
    render_style plain = {.trilinear = style->trilinear,
                          .nlayers = style->is_whole ? 0 : style->nlayers,
                          .layers = style->layers};
    if (style->shade && style->shade->nfactors > 0) {
        *shade = *style->shade;
        shade->nlights = 0;
        shade->is_even = true;
        shade->shadows = NULL;
        shade->cue = (render_cue){0};
        plain.shade = shade;
    }
    return plain;
}

status render_through_add(render_scene *scene, const render_request *request,
                          const render_planes *planes, int64_t *depths)
{
    render_shade shade;
    const render_style style = style_of(request->style, &shade);
    const render_clip_view view = render_request_view(request);
    if (style.shade && !scene->store->gradient) {
        return base_fail(STATUS_INTERNAL, "a shaded volume was loaded without gradients");
    }
    status s = render_scene_prepare(scene, request->transfer, &view,
                                    render_tiles_align(request->camera->window),
                                    request->threads);
    if (s != STATUS_OK) {
        return s;
    }
    render_scene_find_patches(scene, &style, request->transfer, request->threads);
    const through_job job = {.kernel = request->kernel ? request->kernel
                                                       : render_walk_fastest(),
                             .transfer = request->transfer,
                             .style = &style,
                             .view = view,
                             .planes = planes,
                             .scene = scene,
                             .depths = depths};
    render_march_take_out(&scene->grid, request->threads);
    s = march_tiles(&job, request->threads);
    render_march_put_back(&scene->grid, request->threads);
    return s;
}

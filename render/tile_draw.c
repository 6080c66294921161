#include "tile_draw.h"

#include "base/system.h"
#include "render/kernel/overlap.h"
#include "render/kernel/runs.h"
#include "render/view/edges.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = WALK_TILE, TILE_PIXELS = WALK_TILE_PIXELS };

_Static_assert((int)TILE == (int)FRAGMENTS_TILE,
               "fragments are listed by the same tiles");

/* Tiles whose rays are followed together: a mask leaves few rays in a tile, which would
 * leave most lanes of a kernel empty. */
enum { MOST_PARTS = 16 };

/* Data with which a thread draws tiles, one after the other or several at a time. */
struct tile_scratch {
    tile_part *parts[MOST_PARTS]; /* allocated as needed */
    int nparts;
    int room; /* rays that still find a place */
    int nkept, nwalks, nrays;
    ray_walk walks[TILE_PIXELS]; /* [nrays]: first the rays with kept ways, then the
                                    others that enter the grid, then those that only meet
                                    fragments */
    int pixels[TILE_PIXELS];     /* of the walks, in their tiles */
    int part_of[TILE_PIXELS];    /* of the walks */
    const kept_tile *kept;       /* of the only part; NULL: it has no kept ways */
    kept_log log;
    overlap_scratch overlap;
    bool failed;
    render_counters counters;
    pixel_rect active; /* around all tiles with something visible */
    double clock;      /* thread clock when the last tile was done */
};

/* Zeroed memory; NULL without memory. */
static void *allocate(size_t align, size_t bytes)
{
    const size_t size = (bytes + align - 1) / align * align;
    void *memory = aligned_alloc(align, size);
    if (memory) {
        memset(memory, 0, size);
    }
    return memory;
}

/* ---- Rays -------------------------------------------------------------------------- */

/* Limits x to 0..most; NaN becomes 0. fminf and fmaxf would be calls. */
static float within(float x, float most)
{
    const float positive = x > 0.0f ? x : 0.0f;
    return positive < most ? positive : most;
}

static void store_color(const ray_walk *walk, const render_style *style, float rgba[4])
{
    /* If cells overlap, parts that are added twice and taken back may lose all digits.
     * Colours lit by several lights may exceed 1. */
    const float most = style->shade || style->nlayers ? FLT_MAX : 1.0f;
    for (int c = 0; c < 3; c++) {
        rgba[c] = within(walk->rgb[c], most);
    }
    rgba[3] = within(1.0f - walk->transmittance, 1.0f);
}

/* Stores the colour of a ray that has met something. pixel: of the part's tile. */
static void store_pixel(const volume_job *job, const tile_part *part, int pixel,
                        const ray_walk *walk)
{
    image *img = job->img;
    const render_camera *camera = job->view.camera;
    const render_sample_set *set = job->samples;
    const int x = part->rays.rect.x0 + pixel % TILE,
              y = part->rays.rect.y0 + pixel / TILE;
    if (set) {
        const int64_t at = set->count * render_mask_index(camera->width, camera->mask,
                                                          set->before, x, y) +
                           part->sample;
        store_color(walk, job->style, set->rgba + 4 * at);
        return;
    }
    const int64_t at = image_at(img, x, y);
    store_color(walk, job->style, img->rgba + 4 * at);
    if (img->depth) {
        const double along = vec3_dot(part->rays.rays[pixel].direction, camera->forward);
        img->depth[at] = (float)(((double)walk->first_t + walk->ray->start) * along);
    }
}

/* Whether a run may still matter if it begins behind the drawn part of its ray. This
 * holds for rays that may turn back, and for patches of faces, which may begin before
 * their triangles. */
static bool goes_on(const volume_job *job)
{
    return job->grid && (job->grid->may_turn_back || job->grid->has_patches);
}

/* Makes the walk of a pixel's ray, whose runs are in `runs`. */
static ray_walk make_walk(const volume_job *job, const tile_part *part, int pixel,
                          int nruns, march_entry *runs)
{
    ray_walk walk = {.ray = &part->rays.tile.rays[pixel],
                     .t0 = part->rays.t0[pixel],
                     .t1 = part->rays.t1[pixel],
                     .runs = runs,
                     .nruns = nruns,
                     .transmittance = 1.0f,
                     .first_t = INFINITY};
    walk.end = nruns > 0 && goes_on(job) ? INFINITY : walk.t1;
    if (part->has_fragments) {
        walk.nfragments = part->fragments.count[pixel];
        walk.fragments = part->fragments.items + part->fragments.first[pixel];
    }
    return walk;
}

/* Puts a walk at this index. */
static void put_walk(const ray_walk *walk, int pixel, int at, tile_scratch *scratch)
{
    scratch->walks[at] = *walk;
    scratch->pixels[at] = pixel;
    scratch->part_of[at] = scratch->nparts - 1;
}

/* Makes walks of the rays with kept ways, in the order of their groups. */
static void prepare_kept(const volume_job *job, bool *is_kept, tile_scratch *scratch)
{
    const tile_part *part = scratch->parts[0];
    for (int g = 0; g < scratch->kept->ngroups; g++) {
        const kept_group *group = &scratch->kept->groups[g];
        for (int n = 0; n < group->rays; n++) {
            const int pixel = group->pixel[n];
            const ray_walk walk = make_walk(job, part, pixel, 1, NULL);
            put_walk(&walk, pixel, scratch->nkept++, scratch);
            is_kept[pixel] = true;
        }
    }
    scratch->nwalks = scratch->nrays = scratch->nkept;
}

/* Makes a walk for every ray of the last part: those that only meet fragments are put at
 * the end of `walks` at first. */
static void prepare_walks(const volume_job *job, tile_scratch *scratch)
{
    tile_part *part = scratch->parts[scratch->nparts - 1];
    march_entry *runs = part->rays.runs;
    const int before = scratch->nrays;
    bool is_kept[TILE_PIXELS] = {false};
    if (scratch->kept) {
        prepare_kept(job, is_kept, scratch);
    }
    for (int pixel = 0; pixel < TILE_PIXELS; pixel++) {
        const int nruns =
            is_kept[pixel] ? 0 : render_tile_rays_sort(&part->rays, pixel, runs);
        if (nruns > 0 && part->rays.t0[pixel] < part->rays.t1[pixel]) {
            const ray_walk walk = make_walk(job, part, pixel, nruns, runs);
            put_walk(&walk, pixel, scratch->nwalks++, scratch);
            scratch->nrays++;
        } else if (nruns == 0 && !is_kept[pixel] && part->has_fragments &&
                   part->fragments.count[pixel] > 0) {
            const ray_walk loose = make_walk(job, part, pixel, 0, NULL);
            const int nloose = scratch->nrays++ - scratch->nwalks;
            put_walk(&loose, pixel, TILE_PIXELS - 1 - nloose, scratch);
        }
        runs += nruns;
    }
    part->nrays = scratch->nrays - before;
}

/* Puts the walks that only meet fragments behind the others. */
static void close_ranks(tile_scratch *scratch)
{
    const int first = TILE_PIXELS - (scratch->nrays - scratch->nwalks);
    for (int n = scratch->nwalks, from = first; from < TILE_PIXELS; n++, from++) {
        scratch->walks[n] = scratch->walks[from];
        scratch->pixels[n] = scratch->pixels[from];
        scratch->part_of[n] = scratch->part_of[from];
    }
}

/* Puts the rays of all samples of a pixel side by side, as they pass the same cells. The
 * parts of a tile follow each other. */
static void sort_by_pixels(tile_scratch *scratch)
{
    ray_walk walks[TILE_PIXELS];
    int pixels[TILE_PIXELS], part_of[TILE_PIXELS];
    const int count = scratch->nwalks;
    memcpy(walks, scratch->walks, (size_t)count * sizeof *walks);
    memcpy(pixels, scratch->pixels, (size_t)count * sizeof *pixels);
    memcpy(part_of, scratch->part_of, (size_t)count * sizeof *part_of);
    for (int begin = 0, end = 0; begin < count; begin = end) {
        const int64_t tile = scratch->parts[part_of[begin]]->tile;
        int places[TILE_PIXELS + 1] = {0};
        while (end < count && scratch->parts[part_of[end]]->tile == tile) {
            places[pixels[end++] + 1]++;
        }
        places[0] = begin;
        for (int pixel = 0; pixel < TILE_PIXELS; pixel++) {
            places[pixel + 1] += places[pixel];
        }
        for (int n = begin; n < end; n++) {
            const int at = places[pixels[n]]++;
            scratch->walks[at] = walks[n];
            scratch->pixels[at] = pixels[n];
            scratch->part_of[at] = part_of[n];
        }
    }
}

/* Finds the runs of a walk again, which were used up. number: of its ray. */
static int find_runs(const tile_scratch *scratch, int number, march_entry *runs)
{
    return render_tile_rays_sort(&scratch->parts[scratch->part_of[number]]->rays,
                                 scratch->pixels[number], runs);
}

/* Draws a contended ray again, on which blocks overlap. */
static void resolve_overlap(const walk_scene *scene, int number, ray_walk *walk,
                            tile_scratch *scratch)
{
    if (walk->contended) {
        walk->nruns = find_runs(scratch, number, walk->runs);
        render_overlap_walk(scene, walk, &scratch->overlap, &scratch->counters);
        scratch->failed |= scratch->overlap.failed;
    }
}

/* Whether some ray has fragments. */
static bool has_fragments(const tile_scratch *scratch)
{
    bool has = false;
    for (int n = 0; n < scratch->nparts; n++) {
        has |= scratch->parts[n]->has_fragments;
    }
    return has;
}

static walk_scene scene_of(const volume_job *job, const tile_scratch *scratch)
{
    return (walk_scene){.grid = job->grid,
                        .transfer = job->transfer,
                        .style = *job->style,
                        .has_fragments = has_fragments(scratch)};
}

/* Follows the rays through the volume. */
static void follow_rays(const volume_job *job, tile_scratch *scratch)
{
    const render_style *style = job->style;
    const walk_scene scene = scene_of(job, scratch);
    const int first = scratch->nkept, count = scratch->nwalks - first;
    if (first > 0) {
        job->kernel->replay(&scene, &job->kept->grid, scratch->kept->ngroups,
                            scratch->kept->groups, scratch->walks, &scratch->counters);
    }
    if (count == 0) {
        return;
    }
    if (style->method != RENDER_RAYCAST && !job->grid->has_patches && !style->shade &&
        !scene.has_fragments && (!job->view.camera->mask || job->samples)) {
        job->kernel->sweep(&scene, count, scratch->walks + first,
                           job->samples ? NULL : scratch->pixels + first,
                           &scratch->counters);
    } else {
        job->kernel->follow(&scene, count, scratch->walks + first, &scratch->counters);
    }
    for (int n = first; n < scratch->nwalks; n++) {
        resolve_overlap(&scene, n, &scratch->walks[n], scratch);
    }
}

/* ---- Spans ------------------------------------------------------------------------- */

/* Makes the walk along a span of ray `number`; false: nothing of it is seen. */
static bool begin_span(const volume_job *job, const tile_scratch *scratch, int number,
                       int span, ray_walk *ray, ray_walk *out)
{
    const tile_part *part = scratch->parts[scratch->part_of[number]];
    float t0 = ray->t0, t1 = ray->t1;
    if (!render_spans_part(&part->spans, scratch->pixels[number], span, &t0, &t1) ||
        !(t0 < t1)) {
        return false;
    }
    render_tile_blend_before(t0, ray);
    *out = make_walk(job, part, scratch->pixels[number],
                     find_runs(scratch, number, ray->runs), ray->runs);
    out->t0 = t0;
    out->t1 = t1;
    out->end = goes_on(job) ? INFINITY : t1;
    out->fragments = ray->fragments + ray->passed;
    out->nfragments = 0;
    while (ray->passed < ray->nfragments && ray->fragments[ray->passed].t < t1) {
        out->nfragments++;
        ray->passed++;
    }
    return ray->transmittance >= LEAST_TRANSMITTANCE;
}

/* Follows the rays along their spans: first all along their first ones. */
static void follow_spans(const volume_job *job, tile_scratch *scratch)
{
    const walk_scene scene = scene_of(job, scratch);
    int most = 0;
    for (int n = 0; n < scratch->nparts; n++) {
        const int count = render_spans_most(&scratch->parts[n]->spans);
        most = count > most ? count : most;
    }
    ray_walk walks[TILE_PIXELS];
    int of[TILE_PIXELS];
    for (int span = 0; span < most; span++) {
        int count = 0;
        for (int n = 0; n < scratch->nwalks; n++) {
            of[count] = n;
            count += begin_span(job, scratch, n, span, &scratch->walks[n], &walks[count]);
        }
        job->kernel->follow(&scene, count, walks, &scratch->counters);
        for (int n = 0; n < count; n++) {
            resolve_overlap(&scene, of[n], &walks[n], scratch);
            render_tile_end_span(&walks[n], &scratch->walks[of[n]]);
        }
    }
}

/* Whether all rays of a sample's tile miss everything. */
static bool is_empty(const volume_job *job, int64_t tile, int sample)
{
    return render_tiles_is_empty(job->plan, tile) &&
           !render_tile_has_layers(job, sample, render_tiles_rect(job->plan, tile));
}

/* The kept ways of a tile; NULL: none are kept yet. */
static const kept_tile *find_kept(const volume_job *job, int64_t tile)
{
    const kept_tile *kept = job->kept ? &job->kept->tiles[tile] : NULL;
    return kept && kept->is_kept ? kept : NULL;
}

/* Keeps the ways of the only part's walks, if there is room, and makes the walks anew, as
 * recording uses up their runs. */
static void keep_ways(const volume_job *job, int64_t tile, tile_scratch *scratch)
{
    if (!job->records || scratch->nwalks == 0 || !render_kept_has_room(job->kept)) {
        return;
    }
    const walk_scene scene = scene_of(job, scratch);
    job->kernel->record(&scene, &job->kept->grid, scratch->nwalks, scratch->walks,
                        &scratch->log);
    scratch->failed |= scratch->log.failed;
    if (!scratch->failed) {
        render_kept_take(tile, scratch->nwalks, scratch->pixels, &scratch->log,
                         job->kept);
    }
    scratch->kept = find_kept(job, tile);
    scratch->nwalks = scratch->nrays = 0;
    prepare_walks(job, scratch);
}

/* Makes the walks of a tile, which is the last part. Returns false without memory. */
static bool find_walks(const volume_job *job, int64_t tile, tile_scratch *scratch)
{
    tile_part *part = scratch->parts[scratch->nparts - 1];
    const kept_tile *kept = find_kept(job, tile);
    const int before = scratch->nwalks;
    if ((!kept || kept->nothers > 0) &&
        !render_tile_rays_enter(job->kernel, job->grid, job->plan, tile, goes_on(job),
                                &part->rays)) {
        return false;
    }
    scratch->kept = kept;
    prepare_walks(job, scratch);
    if (!kept) {
        keep_ways(job, tile, scratch);
    }
    scratch->counters.rays += scratch->nwalks - before;
    return !scratch->failed;
}

/* Finds the rays of a tile, of one sample, as another part. Returns false without memory.
 */
static bool add_part(const volume_job *job, int64_t tile, int sample,
                     tile_scratch *scratch)
{
    tile_part **place = &scratch->parts[scratch->nparts];
    *place = *place ? *place : allocate(_Alignof(tile_part), sizeof **place);
    if (!*place) {
        return false;
    }
    tile_part *part = *place;
    part->tile = tile;
    part->sample = sample;
    part->camera = *job->view.camera;
    if (job->samples) {
        render_camera_shift(&part->camera, job->samples->shifts[sample]);
    }
    render_clip_view view = job->view;
    view.camera = &part->camera;
    const pixel_rect rect = render_tiles_rect(job->plan, tile);
    scratch->nparts++;
    render_tile_rays_cast(job->kernel, &view, rect,
                          render_tile_has_layers(job, sample, rect)
                              ? rect
                              : render_tile_rays_needed(job->plan, tile),
                          &part->rays);
    return render_tile_gather(job, part) && find_walks(job, tile, scratch);
}

/* Adds the thread's time since the last tile. If the window does not begin at a tile of
 * the picture, a tile of the plan lies in up to four of the picture's tiles. They share
 * the time by numbers of rays. */
static void add_seconds(const volume_job *job, pixel_rect rect, tile_scratch *scratch)
{
    const int cut_x = TILE - rect.x0 % TILE, cut_y = TILE - rect.y0 % TILE;
    const double before = scratch->clock;
    int rays[2][2] = {{0, 0}, {0, 0}};
    scratch->clock = base_thread_clock();
    for (int n = 0; n < scratch->nrays; n++) {
        const int pixel = scratch->pixels[n];
        rays[pixel / TILE >= cut_y][pixel % TILE >= cut_x]++;
    }
    rays[0][0] += scratch->nrays == 0;
    const double per_ray =
        (scratch->clock - before) / (scratch->nrays > 0 ? scratch->nrays : 1);
    for (int part = 0; part < 4; part++) {
        const int down = part / 2, across = part % 2;
        const double taken = per_ray * rays[down][across];
        if (taken > 0.0) {
            const int64_t at = render_fragments_tile_at(
                job->img->width, rect.x0 + across * cut_x, rect.y0 + down * cut_y);
#pragma omp atomic
            job->style->seconds[at] += taken;
        }
    }
}

/* Draws the rays of all parts, which then are none. */
static void finish_parts(const volume_job *job, tile_scratch *scratch)
{
    close_ranks(scratch);
    if (job->samples) {
        sort_by_pixels(scratch);
    }
    if (scratch->nwalks > 0 && scratch->parts[0]->spans.are_limits) {
        follow_spans(job, scratch);
    } else if (scratch->nwalks > 0) {
        follow_rays(job, scratch);
    }
    for (int n = 0; n < scratch->nrays; n++) {
        ray_walk *walk = &scratch->walks[n];
        render_tile_blend_rest(walk);
        if (walk->first_t != INFINITY) {
            store_pixel(job, scratch->parts[scratch->part_of[n]], scratch->pixels[n],
                        walk);
        }
    }
    for (int n = 0; n < scratch->nparts; n++) {
        const tile_part *part = scratch->parts[n];
        if (part->nrays > 0) {
            pixel_rect_grow(&scratch->active, part->rays.rect);
        }
        if (job->style->seconds) {
            add_seconds(job, part->rays.rect, scratch);
        }
    }
    scratch->nparts = scratch->nkept = scratch->nwalks = scratch->nrays = 0;
    scratch->kept = NULL;
    scratch->room = TILE_PIXELS;
}

/* Whether tiles wait for others. */
static bool joins_tiles(const volume_job *job)
{
    return job->view.camera->mask && !job->style->seconds && !job->kept;
}

/* Draws one sample of a tile with so many pixels. */
static void draw_sample(const volume_job *job, int64_t tile, int sample, int rays,
                        tile_scratch *scratch)
{
    if (rays > scratch->room || scratch->nparts == MOST_PARTS) {
        finish_parts(job, scratch);
    }
    if (!add_part(job, tile, sample, scratch)) {
        scratch->failed = true;
        return;
    }
    scratch->room -= rays;
    if (!joins_tiles(job)) {
        finish_parts(job, scratch);
    }
}

void render_tile_draw(const volume_job *job, int64_t tile, tile_scratch *scratch)
{
    const int rays =
        render_camera_count_drawn(job->view.camera, render_tiles_rect(job->plan, tile));
    const int samples = job->samples ? job->samples->count : 1;
    for (int n = 0; n < samples && rays > 0 && !scratch->failed; n++) {
        if (!is_empty(job, tile, n)) {
            draw_sample(job, tile, n, rays, scratch);
        }
    }
}

tile_scratch *render_tile_scratch_create(const volume_job *job)
{
    tile_scratch *scratch = allocate(_Alignof(tile_scratch), sizeof *scratch);
    if (scratch) {
        scratch->room = TILE_PIXELS;
        scratch->clock = job->style->seconds ? base_thread_clock() : 0.0;
    }
    return scratch;
}

bool render_tile_finish(const volume_job *job, tile_scratch *scratch,
                        render_counters *counters, pixel_rect *active)
{
    if (!scratch->failed) {
        finish_parts(job, scratch);
    }
    const render_counters *mine = &scratch->counters;
#pragma omp critical
    {
        counters->rays += mine->rays;
        counters->crossings += mine->crossings;
        counters->lost_rays += mine->lost_rays;
        counters->nan_cells += mine->nan_cells;
        pixel_rect_grow(active, scratch->active);
    }
    return !scratch->failed;
}

void render_tile_scratch_destroy(tile_scratch *scratch)
{
    for (int n = 0; n < MOST_PARTS && scratch->parts[n]; n++) {
        render_tile_rays_clear(&scratch->parts[n]->rays);
        render_compose_clear(&scratch->parts[n]->fragments);
        render_spans_clear(&scratch->parts[n]->spans);
        free(scratch->parts[n]);
    }
    free(scratch->log.items);
    render_overlap_clear(&scratch->overlap);
    free(scratch);
}

/*
 * Ray casting of curvilinear grids after Garrity 1990 (Raytracing irregular volume data)
 * and Bunyk, Kaufman and Silva 1997 (Simple, fast, and robust ray casting of irregular
 * grids): rays come in through boundary faces, march through the cells and leave, any
 * number of times. The cells stay hexahedra with implicit neighbours; render/cell.h says
 * why no ray is lost.
 *
 * The picture is cut into square tiles. A tile finds the entries of its rays in those
 * boundary faces whose pixels it meets, then follows its rays one by one.
 */
#include "render/volume.h"

#include "render/overlap.h"
#include "render/scene.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = WALK_TILE, TILE_PIXELS = WALK_TILE_PIXELS };

/* All that drawing a tile reads. */
typedef struct volume_job {
    const walk_kernel *kernel;
    const march_grid *grid;
    const march_face *faces;
    const render_transfer *transfer;
    const render_style *style;
    const render_camera *camera;
    box3 clip;
    const tile_plan *plan;
    image *img;
} volume_job;

/* An entry of a tile's pixel, in a list. */
typedef struct tile_entry {
    march_entry at;
    int next; /* of the same pixel, or -1 */
} tile_entry;

/* What a thread needs to draw tiles, one after the other. */
typedef struct tile_scratch {
    int nentries, capacity;
    tile_entry *entries;
    int list[TILE_PIXELS]; /* first entry of a pixel, or -1 */
    render_ray rays[TILE_PIXELS];
    walk_tile tile;
    walk_entry found[2 * TILE_PIXELS];
    int runs_capacity;
    march_entry *runs; /* the entries again, pixel after pixel */
    int nwalks;
    ray_walk walks[TILE_PIXELS];
    int pixels[TILE_PIXELS]; /* of the walks */
    overlap_scratch overlap;
    bool failed;
    render_counters counters;
} tile_scratch;

/* ---- Entries ----------------------------------------------------------------------- */

static void push_entry(tile_scratch *scratch, int pixel, const march_entry *entry)
{
    if (scratch->nentries == scratch->capacity) {
        int capacity = scratch->capacity ? 2 * scratch->capacity : 1024;
        tile_entry *more = realloc(scratch->entries, (size_t)capacity * sizeof *more);
        if (!more) {
            scratch->failed = true;
            return;
        }
        scratch->entries = more;
        scratch->capacity = capacity;
    }
    scratch->entries[scratch->nentries] = (tile_entry){*entry, scratch->list[pixel]};
    scratch->list[pixel] = scratch->nentries++;
}

/* The part of `rect` that lies in the tile, from the tile's first pixel. */
static pixel_rect part_in_tile(pixel_rect rect, pixel_rect tile)
{
    return (pixel_rect){(rect.x0 > tile.x0 ? rect.x0 : tile.x0) - tile.x0,
                        (rect.y0 > tile.y0 ? rect.y0 : tile.y0) - tile.y0,
                        (rect.x1 < tile.x1 ? rect.x1 : tile.x1) - tile.x0,
                        (rect.y1 < tile.y1 ? rect.y1 : tile.y1) - tile.y0};
}

static void enter_face(const volume_job *job, const march_face *face, pixel_rect rect,
                       tile_scratch *scratch)
{
    int count = job->kernel->enter(job->grid, face, &scratch->tile,
                                   part_in_tile(face->rect, rect), scratch->found);
    for (int n = 0; n < count; n++) {
        push_entry(scratch, scratch->found[n].pixel, &scratch->found[n].at);
    }
}

/* A total order that does not depend on how the list came about. */
static bool entry_is_before(const march_entry *a, const march_entry *b)
{
    if (a->crossing.t != b->crossing.t) {
        return a->crossing.t < b->crossing.t;
    }
    if (a->cell.brick != b->cell.brick) {
        return a->cell.brick < b->cell.brick;
    }
    for (int axis = 2; axis >= 0; axis--) {
        if (a->cell.at[axis] != b->cell.at[axis]) {
            return a->cell.at[axis] < b->cell.at[axis];
        }
    }
    int face_a = 2 * a->crossing.triangle.face + a->crossing.triangle.half;
    int face_b = 2 * b->crossing.triangle.face + b->crossing.triangle.half;
    return face_a < face_b;
}

/* Writes a pixel's entries into runs, sorted along the ray; returns how many. */
static int sort_entries(const tile_scratch *scratch, int pixel, march_entry *runs)
{
    int count = 0;
    for (int e = scratch->list[pixel]; e >= 0; e = scratch->entries[e].next) {
        const march_entry *entry = &scratch->entries[e].at;
        int place = count++;
        for (; place > 0 && entry_is_before(entry, &runs[place - 1]); place--) {
            runs[place] = runs[place - 1];
        }
        runs[place] = *entry;
    }
    return count;
}

static bool reserve_runs(tile_scratch *scratch)
{
    if (scratch->nentries > scratch->runs_capacity) {
        free(scratch->runs);
        scratch->runs = malloc((size_t)scratch->capacity * sizeof *scratch->runs);
        scratch->runs_capacity = scratch->runs ? scratch->capacity : 0;
        scratch->failed |= !scratch->runs;
    }
    return !scratch->failed;
}

/* ---- Rays -------------------------------------------------------------------------- */

/* The half-open part [t0, t1) of a ray that lies in the half-open box, in front of the
 * viewer. Neighbouring boxes compute the same t on their common plane, so nothing is left
 * out or doubled in between. */
static void clip_ray(const render_ray *ray, box3 clip, double *t0, double *t1)
{
    *t0 = 0.0;
    *t1 = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double from = ray->origin.v[axis], along = ray->direction.v[axis];
        double lo = clip.lo.v[axis], hi = clip.hi.v[axis];
        if (lo == -INFINITY && hi == INFINITY) {
            continue;
        }
        if (along == 0.0) {
            if (!(from >= lo && from < hi)) {
                *t1 = -INFINITY;
            }
            continue;
        }
        double near = ((along > 0.0 ? lo : hi) - from) / along;
        double far = ((along > 0.0 ? hi : lo) - from) / along;
        *t0 = near > *t0 ? near : *t0;
        *t1 = far < *t1 ? far : *t1;
    }
}

static void store_pixel(const ray_walk *walk, const render_ray *ray,
                        const volume_job *job, size_t pixel)
{
    image *img = job->img;
    if (walk->first_t == INFINITY) {
        return;
    }
    /* Where cells overlap, what is counted too much and taken back again may lose all
     * digits. Lit by several lights, colours may well exceed 1. */
    const float most = job->style->shade ? FLT_MAX : 1.0f;
    for (int c = 0; c < 3; c++) {
        img->rgba[4 * pixel + (size_t)c] = fminf(fmaxf(walk->rgb[c], 0.0f), most);
    }
    img->rgba[4 * pixel + 3] = fminf(fmaxf(1.0f - walk->transmittance, 0.0f), 1.0f);
    if (img->depth) {
        double along = vec3_dot(ray->direction, job->camera->forward);
        img->depth[pixel] = (float)(((double)walk->first_t + walk->ray->start) * along);
    }
}

/* Makes a walk for every ray that meets the grid. */
static void prepare_walks(const volume_job *job, tile_scratch *scratch)
{
    march_entry *runs = scratch->runs;
    scratch->nwalks = 0;
    for (int pixel = 0; pixel < TILE_PIXELS; pixel++) {
        ray_walk walk = {.ray = &scratch->tile.rays[pixel],
                         .runs = runs,
                         .nruns = sort_entries(scratch, pixel, runs),
                         .transmittance = 1.0f,
                         .first_t = INFINITY};
        if (walk.nruns == 0) {
            continue;
        }
        runs += walk.nruns;
        double t0, t1;
        clip_ray(&scratch->rays[pixel], job->clip, &t0, &t1);
        walk.t0 = (float)(t0 - walk.ray->start);
        walk.t1 = (float)(t1 - walk.ray->start);
        /* Patches of faces may begin before their triangles. */
        bool goes_on = job->grid->may_turn_back || job->style->trilinear;
        walk.end = goes_on ? INFINITY : walk.t1;
        if (walk.t0 < walk.t1) {
            scratch->pixels[scratch->nwalks] = pixel;
            scratch->walks[scratch->nwalks++] = walk;
        }
    }
    scratch->counters.rays += scratch->nwalks;
}

static void put_ray(cell_ray ray, int pixel, walk_tile *tile)
{
    for (int n = 0; n < 2; n++) {
        tile->origin[n][pixel] = ray.origin[n];
        tile->shear[n][pixel] = ray.shear[n];
    }
    tile->per_unit[pixel] = ray.per_unit;
    tile->axis[pixel] = ray.axis[2];
    tile->backward[pixel] = ray.is_backward ? INT32_MIN : 0;
    tile->axes |= 1u << ray.axis[2];
    tile->rays[pixel] = ray;
}

static void prepare_rays(const volume_job *job, pixel_rect rect, tile_scratch *scratch)
{
    scratch->nentries = 0;
    scratch->tile.axes = 0;
    memset(scratch->list, -1, sizeof scratch->list);
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            int pixel = (y - rect.y0) * TILE + (x - rect.x0);
            scratch->rays[pixel] = render_camera_ray(job->camera, x, y);
            put_ray(render_cell_ray(scratch->rays[pixel]), pixel, &scratch->tile);
        }
    }
}

/* Does the rays once more on which blocks overlap. */
static void resolve_overlaps(const walk_scene *scene, tile_scratch *scratch)
{
    for (int n = 0; n < scratch->nwalks; n++) {
        ray_walk *walk = &scratch->walks[n];
        if (walk->contended) {
            walk->nruns = sort_entries(scratch, scratch->pixels[n], walk->runs);
            render_overlap_walk(scene, walk, &scratch->overlap, &scratch->counters);
        }
    }
    scratch->failed |= scratch->overlap.failed;
}

static void draw_tile(const volume_job *job, int64_t tile, tile_scratch *scratch)
{
    int64_t first = job->plan->first[tile], last = job->plan->first[tile + 1];
    if (first == last) {
        return;
    }
    pixel_rect rect = render_tiles_rect(job->plan, tile);
    prepare_rays(job, rect, scratch);
    for (int64_t f = first; f < last; f++) {
        enter_face(job, &job->faces[job->plan->faces[f]], rect, scratch);
    }
    if (scratch->failed || !reserve_runs(scratch)) {
        return;
    }
    prepare_walks(job, scratch);
    walk_scene scene = {
        .grid = job->grid, .transfer = job->transfer, .style = *job->style};
    if (job->style->method != RENDER_RAYCAST && !job->style->trilinear &&
        !job->style->shade) {
        job->kernel->sweep(&scene, scratch->nwalks, scratch->walks, scratch->pixels,
                           &scratch->counters);
    } else {
        job->kernel->follow(&scene, scratch->nwalks, scratch->walks, &scratch->counters);
    }
    resolve_overlaps(&scene, scratch);
    for (int n = 0; n < scratch->nwalks; n++) {
        int pixel = scratch->pixels[n];
        int x = rect.x0 + pixel % TILE, y = rect.y0 + pixel / TILE;
        store_pixel(&scratch->walks[n], &scratch->rays[pixel], job,
                    (size_t)y * (size_t)job->img->width + (size_t)x);
    }
}

/* ---- The picture ------------------------------------------------------------------- */

static void add_counters(render_counters *sum, const render_counters *more)
{
    sum->rays += more->rays;
    sum->crossings += more->crossings;
    sum->lost_rays += more->lost_rays;
    sum->nan_cells += more->nan_cells;
}

static tile_scratch *create_scratch(void)
{
    size_t align = _Alignof(tile_scratch);
    size_t size = (sizeof(tile_scratch) + align - 1) / align * align;
    tile_scratch *scratch = aligned_alloc(align, size);
    if (scratch) {
        memset(scratch, 0, size);
    }
    return scratch;
}

static status draw_tiles(const volume_job *job, int threads, render_counters *counters)
{
    int64_t tiles = (int64_t)job->plan->columns * job->plan->rows;
    render_counters sum = {0};
    bool failed = false;
#pragma omp parallel num_threads(threads)
    {
        tile_scratch *scratch = create_scratch();
        bool mine_failed = !scratch;
#pragma omp for schedule(dynamic, 1)
        for (int64_t n = 0; n < tiles; n++) {
            if (scratch) {
                draw_tile(job, job->plan->order[n], scratch);
            }
        }
#pragma omp critical
        {
            failed |= mine_failed || scratch->failed;
            if (scratch) {
                add_counters(&sum, &scratch->counters);
            }
        }
        if (scratch) {
            free(scratch->entries);
            free(scratch->runs);
            render_overlap_clear(&scratch->overlap);
            free(scratch);
        }
    }
    if (failed) {
        return base_fail_memory(sizeof(tile_scratch), "the entries of rays");
    }
    *counters = sum;
    return STATUS_OK;
}

/* Where the part of the grid inside `clip` may be seen. */
static pixel_rect find_window(const grid_store *store, const render_camera *camera,
                              box3 clip)
{
    box3 bounds = store->layout->bounds;
    for (int axis = 0; axis < 3; axis++) {
        bounds.lo.v[axis] = fmax(bounds.lo.v[axis], clip.lo.v[axis]);
        bounds.hi.v[axis] = fmin(bounds.hi.v[axis], clip.hi.v[axis]);
        if (bounds.lo.v[axis] > bounds.hi.v[axis]) {
            return (pixel_rect){0, 0, 0, 0};
        }
    }
    return render_camera_footprint(camera, bounds);
}

static status draw_scene(const walk_kernel *kernel, render_scene *scene,
                         const render_style *style, const render_transfer *transfer,
                         const render_camera *camera, box3 clip, int threads, image *img,
                         render_counters *counters)
{
    *counters = (render_counters){0};
    if (style->shade && !scene->store->gradient) {
        return base_fail(STATUS_INTERNAL, "a shaded volume was loaded without gradients");
    }
    pixel_rect window = find_window(scene->store, camera, clip);
    if (pixel_rect_is_empty(window)) {
        return STATUS_OK;
    }
    /* The depth of a pixel is that of the first cell, whether it shows or not. */
    status s = render_scene_prepare(scene, img->depth ? NULL : transfer, camera, clip,
                                    window, threads);
    if (s != STATUS_OK) {
        return s;
    }
    const volume_job job = {.kernel = kernel,
                            .grid = &scene->grid,
                            .faces = scene->faces,
                            .transfer = transfer,
                            .style = style,
                            .camera = camera,
                            .clip = clip,
                            .plan = &scene->plan,
                            .img = img};
    img->active = window;
    return draw_tiles(&job, threads, counters);
}

static const walk_kernel *fastest_kernel(void)
{
    const walk_kernel *const *kernels = render_walk_kernels();
    int fastest = 0;
    while (kernels[fastest + 1]) {
        fastest++;
    }
    return kernels[fastest];
}

status render_scene_draw(render_scene *scene, const render_style *style,
                         const render_transfer *transfer, const render_camera *camera,
                         box3 clip, int threads, image *img, render_counters *counters)
{
    return draw_scene(fastest_kernel(), scene, style, transfer, camera, clip, threads,
                      img, counters);
}

status render_volume_with(const walk_kernel *kernel, const render_style *style,
                          const grid_store *store, const render_transfer *transfer,
                          const render_camera *camera, box3 clip, int threads, image *img,
                          render_counters *counters)
{
    *counters = (render_counters){0};
    render_scene *scene = NULL;
    status s = render_scene_create(store, &scene);
    if (s == STATUS_OK) {
        s = draw_scene(kernel, scene, style, transfer, camera, clip, threads, img,
                       counters);
        render_scene_destroy(&scene);
    }
    return s;
}

status render_volume(const render_style *style, const grid_store *store,
                     const render_transfer *transfer, const render_camera *camera,
                     box3 clip, int threads, image *img, render_counters *counters)
{
    return render_volume_with(fastest_kernel(), style, store, transfer, camera, clip,
                              threads, img, counters);
}

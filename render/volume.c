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

#include "render/march.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE = 16, /* pixels along a side */
    TILE_PIXELS = TILE * TILE
};

/* A ray ends where less than this shines through: a tenth of the promised 1e-5. */
static const double LEAST_TRANSMITTANCE = 1e-6;

/* The tiles of a window, and the boundary faces that each of them may see. */
typedef struct tile_plan {
    pixel_rect window;
    int columns, rows;
    int64_t *first; /* [columns * rows + 1]: where a tile's faces start in `faces` */
    int32_t *faces; /* indices of boundary faces */
} tile_plan;

/* All that drawing a tile reads. */
typedef struct volume_job {
    const march_grid *grid;
    const march_face *faces;
    const render_transfer *transfer;
    const render_camera *camera;
    box3 clip;
    tile_plan plan;
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
    cell_ray cell_rays[TILE_PIXELS];
    int runs_capacity;
    march_entry *runs; /* of one ray: those that are yet to start, then those under way */
    bool failed;
    render_counters counters;
} tile_scratch;

/* One ray on its way. */
typedef struct ray_walk {
    const volume_job *job;
    const cell_ray *ray;
    double t0, t1; /* the part of the ray that is drawn: [t0, t1) */
    double rgb[3];
    double transmittance;
    double first_t; /* where the ray first meets a cell, or +infinity */
    render_counters *counters;
} ray_walk;

/* ---- Tiles
 * ------------------------------------------------------------------------------ */

static void tiles_of_rect(const tile_plan *plan, pixel_rect rect, int first[2],
                          int last[2])
{
    first[0] = (rect.x0 - plan->window.x0) / TILE;
    first[1] = (rect.y0 - plan->window.y0) / TILE;
    last[0] = (rect.x1 - 1 - plan->window.x0) / TILE;
    last[1] = (rect.y1 - 1 - plan->window.y0) / TILE;
}

/* Walks over all pairs of a face and a tile: counts them in first[tile + 1], or puts the
 * face where first[tile] says and moves that on. */
static void spread_faces(tile_plan *plan, int64_t nfaces, const march_face *faces,
                         bool put)
{
    for (int64_t f = 0; f < nfaces; f++) {
        int first[2], last[2];
        tiles_of_rect(plan, faces[f].rect, first, last);
        for (int row = first[1]; row <= last[1]; row++) {
            for (int column = first[0]; column <= last[0]; column++) {
                int64_t tile = (int64_t)row * plan->columns + column;
                if (put) {
                    plan->faces[plan->first[tile]++] = (int32_t)f;
                } else {
                    plan->first[tile + 1]++;
                }
            }
        }
    }
}

static status plan_tiles(pixel_rect window, int64_t nfaces, const march_face *faces,
                         tile_plan *out)
{
    tile_plan plan = {.window = window,
                      .columns = (window.x1 - window.x0 + TILE - 1) / TILE,
                      .rows = (window.y1 - window.y0 + TILE - 1) / TILE};
    int64_t tiles = (int64_t)plan.columns * plan.rows;
    plan.first = calloc((size_t)tiles + 2, sizeof *plan.first);
    if (!plan.first) {
        return base_fail_memory((size_t)tiles * sizeof *plan.first,
                                "the tiles of a picture");
    }
    /* Counting one place further up, so that after putting the starts are in place again.
     */
    plan.first++;
    spread_faces(&plan, nfaces, faces, false);
    for (int64_t tile = 0; tile < tiles; tile++) {
        plan.first[tile + 1] += plan.first[tile];
    }
    int64_t pairs = plan.first[tiles];
    plan.faces = malloc(((size_t)pairs + 1) * sizeof *plan.faces);
    if (!plan.faces) {
        free(plan.first - 1);
        return base_fail_memory((size_t)pairs * sizeof *plan.faces,
                                "the tiles of a picture");
    }
    spread_faces(&plan, nfaces, faces, true);
    plan.first--;
    *out = plan;
    return STATUS_OK;
}

static void free_tiles(tile_plan *plan)
{
    free(plan->first);
    free(plan->faces);
}

static pixel_rect tile_rect(const tile_plan *plan, int64_t tile)
{
    int x0 = plan->window.x0 + (int)(tile % plan->columns) * TILE;
    int y0 = plan->window.y0 + (int)(tile / plan->columns) * TILE;
    int x1 = x0 + TILE, y1 = y0 + TILE;
    return (pixel_rect){x0, y0, x1 < plan->window.x1 ? x1 : plan->window.x1,
                        y1 < plan->window.y1 ? y1 : plan->window.y1};
}

/* ---- Entries
 * ---------------------------------------------------------------------------- */

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

static void enter_face(const volume_job *job, const march_face *face, pixel_rect rect,
                       tile_scratch *scratch)
{
    pixel_rect tile = rect;
    int x0 = face->rect.x0 > tile.x0 ? face->rect.x0 : tile.x0;
    int x1 = face->rect.x1 < tile.x1 ? face->rect.x1 : tile.x1;
    int y0 = face->rect.y0 > tile.y0 ? face->rect.y0 : tile.y0;
    int y1 = face->rect.y1 < tile.y1 ? face->rect.y1 : tile.y1;
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            int pixel = (y - tile.y0) * TILE + (x - tile.x0);
            march_entry entries[2];
            int count = render_march_face_entries(job->grid, face,
                                                  &scratch->cell_rays[pixel], entries);
            for (int n = 0; n < count; n++) {
                push_entry(scratch, pixel, &entries[n]);
            }
        }
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

/* Takes a pixel's entries out of its list, sorted along the ray; returns how many. */
static int collect_entries(tile_scratch *scratch, int pixel)
{
    int count = 0;
    for (int e = scratch->list[pixel]; e >= 0; e = scratch->entries[e].next) {
        if (count == scratch->runs_capacity) {
            int capacity = scratch->runs_capacity ? 2 * scratch->runs_capacity : 64;
            march_entry *more = realloc(scratch->runs, (size_t)capacity * sizeof *more);
            if (!more) {
                scratch->failed = true;
                return 0;
            }
            scratch->runs = more;
            scratch->runs_capacity = capacity;
        }
        int place = count++;
        for (; place > 0 &&
               entry_is_before(&scratch->entries[e].at, &scratch->runs[place - 1]);
             place--) {
            scratch->runs[place] = scratch->runs[place - 1];
        }
        scratch->runs[place] = scratch->entries[e].at;
    }
    return count;
}

/* ---- Rays
 * ------------------------------------------------------------------------------- */

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
        if (along == 0.0) {
            if (!(from >= lo && from < hi)) {
                *t1 = -INFINITY;
            }
            continue;
        }
        double near = ((along > 0.0 ? lo : hi) - from) / along;
        double far = ((along > 0.0 ? hi : lo) - from) / along;
        *t0 = fmax(*t0, near);
        *t1 = fmin(*t1, far);
    }
}

static double clamp(double t, double lo, double hi)
{
    return t < lo ? lo : t > hi ? hi : t;
}

/* Blends the part of a segment that is drawn behind what the ray has gathered. */
static void blend_segment(ray_walk *walk, const march_segment *segment)
{
    double a = clamp(segment->t0, walk->t0, walk->t1);
    double b = clamp(segment->t1, walk->t0, walk->t1);
    if (a == b) {
        return;
    }
    walk->first_t = fmin(walk->first_t, fmin(a, b));
    if (isnan(segment->s0) || isnan(segment->s1)) {
        walk->counters->nan_cells++;
        return;
    }
    double s0 = segment->s0, s1 = segment->s1;
    if (a != segment->t0 || b != segment->t1) {
        double slope = (s1 - s0) / (segment->t1 - segment->t0);
        s1 = b == segment->t1 ? s1 : s0 + slope * (b - segment->t0);
        s0 = a == segment->t0 ? s0 : s0 + slope * (a - segment->t0);
    }
    double rgb[3], through;
    render_transfer_integrate(walk->job->transfer, s0, s1, b - a, rgb, &through);
    for (int c = 0; c < 3; c++) {
        walk->rgb[c] += walk->transmittance * rgb[c];
    }
    walk->transmittance *= through;
}

static int nearest_run(const march_entry *runs, int count)
{
    int nearest = 0;
    for (int r = 1; r < count; r++) {
        if (runs[r].crossing.t < runs[nearest].crossing.t) {
            nearest = r;
        }
    }
    return nearest;
}

/*
 * Follows a ray through its runs: stretches from an entry to where the grid is left. Runs
 * of a sound grid come one after the other. Where they overlap, they are followed side by
 * side, the one that is behind first, so that segments are blended in the order of their
 * beginnings, however the grid is cut into blocks and bricks.
 *
 * runs: [count] sorted entries. Those from `next` on have not started; the first `active`
 * are under way.
 */
static void follow_runs(ray_walk *walk, march_entry *runs, int count)
{
    int active = 0, next = 0;
    while (active > 0 || next < count) {
        int r = active > 1 ? nearest_run(runs, active) : 0;
        if (active == 0 || (next < count && runs[next].crossing.t < runs[r].crossing.t)) {
            r = active;
            runs[active++] = runs[next++];
        }
        if (runs[r].crossing.t >= walk->t1 || walk->transmittance < LEAST_TRANSMITTANCE) {
            return;
        }
        march_segment segment;
        march_result result =
            render_march_step(walk->job->grid, walk->ray, &runs[r], &segment);
        walk->counters->crossings++;
        if (result == MARCH_LOST) {
            walk->counters->lost_rays++;
        } else {
            blend_segment(walk, &segment);
        }
        if (result != MARCH_ON) {
            runs[r] = runs[--active];
        }
    }
}

static void store_pixel(const ray_walk *walk, const render_ray *ray, image *img,
                        size_t pixel)
{
    if (walk->first_t == INFINITY) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        img->rgba[4 * pixel + (size_t)c] = (float)fmax(walk->rgb[c], 0.0);
    }
    img->rgba[4 * pixel + 3] = (float)clamp(1.0 - walk->transmittance, 0.0, 1.0);
    if (img->depth) {
        double along = vec3_dot(ray->direction, walk->job->camera->forward);
        img->depth[pixel] = (float)(walk->first_t * along);
    }
}

static void draw_pixel(const volume_job *job, tile_scratch *scratch, int pixel,
                       size_t target)
{
    int count = collect_entries(scratch, pixel);
    if (count == 0) {
        return;
    }
    ray_walk walk = {.job = job,
                     .ray = &scratch->cell_rays[pixel],
                     .transmittance = 1.0,
                     .first_t = INFINITY,
                     .counters = &scratch->counters};
    clip_ray(&scratch->rays[pixel], job->clip, &walk.t0, &walk.t1);
    if (!(walk.t0 < walk.t1)) {
        return;
    }
    scratch->counters.rays++;
    follow_runs(&walk, scratch->runs, count);
    store_pixel(&walk, &scratch->rays[pixel], job->img, target);
}

static void prepare_rays(const volume_job *job, pixel_rect rect, tile_scratch *scratch)
{
    scratch->nentries = 0;
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            int pixel = (y - rect.y0) * TILE + (x - rect.x0);
            scratch->list[pixel] = -1;
            scratch->rays[pixel] = render_camera_ray(job->camera, x, y);
            scratch->cell_rays[pixel] = render_cell_ray(scratch->rays[pixel]);
        }
    }
}

static void draw_tile(const volume_job *job, int64_t tile, tile_scratch *scratch)
{
    int64_t first = job->plan.first[tile], last = job->plan.first[tile + 1];
    if (first == last) {
        return;
    }
    pixel_rect rect = tile_rect(&job->plan, tile);
    prepare_rays(job, rect, scratch);
    for (int64_t f = first; f < last; f++) {
        enter_face(job, &job->faces[job->plan.faces[f]], rect, scratch);
    }
    for (int y = rect.y0; y < rect.y1 && !scratch->failed; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            int pixel = (y - rect.y0) * TILE + (x - rect.x0);
            draw_pixel(job, scratch, pixel,
                       (size_t)y * (size_t)job->img->width + (size_t)x);
        }
    }
}

/* ---- The picture
 * ------------------------------------------------------------------------ */

static void add_counters(render_counters *sum, const render_counters *more)
{
    sum->rays += more->rays;
    sum->crossings += more->crossings;
    sum->lost_rays += more->lost_rays;
    sum->nan_cells += more->nan_cells;
}

static status draw_tiles(const volume_job *job, int threads, render_counters *counters)
{
    int64_t tiles = (int64_t)job->plan.columns * job->plan.rows;
    render_counters sum = {0};
    bool failed = false;
#pragma omp parallel num_threads(threads)
    {
        tile_scratch *scratch = calloc(1, sizeof *scratch);
        bool mine_failed = !scratch;
#pragma omp for schedule(dynamic, 1)
        for (int64_t tile = 0; tile < tiles; tile++) {
            if (scratch) {
                draw_tile(job, tile, scratch);
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

status render_volume(const grid_store *store, const render_transfer *transfer,
                     const render_camera *camera, box3 clip, int threads, image *img,
                     render_counters *counters)
{
    *counters = (render_counters){0};
    pixel_rect window = find_window(store, camera, clip);
    if (pixel_rect_is_empty(window)) {
        return STATUS_OK;
    }
    march_grid grid;
    status s = render_march_grid_create(store, camera, clip, &grid);
    if (s != STATUS_OK) {
        return s;
    }
    int64_t nfaces = 0;
    march_face *faces = NULL;
    s = render_march_boundary(&grid, camera, window, threads, &nfaces, &faces);
    volume_job job = {.grid = &grid,
                      .faces = faces,
                      .transfer = transfer,
                      .camera = camera,
                      .clip = clip,
                      .img = img};
    if (s == STATUS_OK) {
        s = plan_tiles(window, nfaces, faces, &job.plan);
    }
    if (s == STATUS_OK) {
        s = draw_tiles(&job, threads, counters);
        free_tiles(&job.plan);
    }
    if (s == STATUS_OK) {
        img->active = window;
    }
    free(faces);
    render_march_grid_destroy(&grid);
    return s;
}

#include "scene.h"

#include "base/system.h"
#include "render/cells/refine_cell.h"
#include "render/cells/trim.h"
#include "render/transfer/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Scenes ------------------------------------------------------------------------ */

static void forget_extents(render_scene *scene)
{
    for (int64_t slot = 0; slot < scene->store->nbricks; slot++) {
        scene->extents[slot][0] = scene->warps[slot] = -1.0f;
    }
}

status render_scene_create(const grid_store *store, render_scene **out)
{
    const size_t most = (size_t)store->nbricks + 1; /* never an allocation of nothing */
    render_scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        return base_fail_memory(sizeof *scene, "a scene");
    }
    scene->store = store;
    scene->blocks = render_march_block_bounds(store->layout);
    scene->chosen = malloc(most * sizeof *scene->chosen);
    scene->next = malloc(most * sizeof *scene->next);
    scene->extents = malloc(most * sizeof *scene->extents);
    scene->warps = malloc(most * sizeof *scene->warps);
    if (!scene->blocks || !scene->chosen || !scene->next || !scene->extents ||
        !scene->warps) {
        render_scene_destroy(&scene);
        return base_fail_memory(most * sizeof *scene->extents, "the bricks of a picture");
    }
    forget_extents(scene);
    *out = scene;
    return STATUS_OK;
}

/* Forgets the view. */
static void clear_view(render_scene *scene)
{
    scene->view.is_ready = scene->stays = false;
    render_march_grid_destroy(&scene->grid);
    render_tiles_clear(&scene->plan);
}

void render_scene_destroy(render_scene **scene)
{
    render_scene *s = *scene;
    if (!s) {
        return;
    }
    clear_view(s);
    render_kept_clear(&s->kept);
    free(s->blocks);
    free(s->chosen);
    free(s->next);
    free(s->extents);
    free(s->warps);
    free(s);
    *scene = NULL;
}

bool render_scene_shows(const render_scene *scene, const render_transfer *transfer,
                        const grid_brick *brick)
{
    return !render_march_is_clear(scene->store->layout, scene->blocks, transfer, brick);
}

/* ---- Views ------------------------------------------------------------------------- */

static bool is_same_rect(pixel_rect a, pixel_rect b)
{
    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

/* Whether at most the chosen bricks differ from those of the last picture. */
static bool has_same_footprints(const render_scene *scene, const render_clip_view *view,
                                pixel_rect window)
{
    return render_clip_view_has_same_footprints(&scene->view, view) &&
           scene->times_forgotten == scene->store->times_forgotten &&
           is_same_rect(scene->plan.window, window);
}

static bool has_same_bricks(const render_scene *scene)
{
    return memcmp(scene->chosen, scene->next,
                  (size_t)scene->store->nbricks * sizeof *scene->next) == 0;
}

/* Classes of cells pay if rays cross each cell more often than this, on average. */
enum { OFTEN = 5 };

/* Whether rays cross cells often, by the cost estimates of the bricks in sight. */
static bool crosses_often(const march_grid *grid, int64_t count, const tile_load *loads)
{
    double cells = 0.0, crossings = 0.0;
    for (int64_t b = 0; b < grid->nbricks; b++) {
        const int *n = grid->bricks[b].n;
        cells += (double)n[0] * n[1] * n[2];
    }
    for (int64_t i = 0; i < count; i++) {
        const pixel_rect rect = loads[i].rect;
        crossings +=
            loads[i].cells * (double)(rect.x1 - rect.x0) * (double)(rect.y1 - rect.y0);
    }
    return crossings > OFTEN * cells;
}

/* Cost estimates of the chosen bricks that are in sight. loads: [grid.nbricks]. Returns
 * their number. */
static int64_t find_loads(const render_scene *scene, pixel_rect window, tile_load *loads)
{
    int64_t count = 0;
    for (int64_t slot = 0; slot < scene->store->nbricks; slot++) {
        const grid_brick *brick = &scene->store->bricks[slot];
        const int *n = brick->place.n;
        if (!scene->chosen[slot]) {
            continue;
        }
        box3 bounds = grid_brick_bounds(&scene->store->layout->bricks[brick->number]);
        pixel_rect rect = march_rect_intersect(
            window, render_camera_footprint(&scene->view.camera, bounds));
        if (!pixel_rect_is_empty(rect)) {
            loads[count++] = (tile_load){rect, (double)(n[0] + n[1] + n[2]) / 3.0};
        }
    }
    return count;
}

static status order_tiles(render_scene *scene, pixel_rect window)
{
    size_t bytes = (size_t)(scene->grid.nbricks + 1) * sizeof(tile_load);
    tile_load *loads = malloc(bytes);
    if (!loads) {
        return base_fail_memory(bytes, "the tiles of a picture");
    }
    int64_t count = find_loads(scene, window, loads);
    scene->crosses_often = crosses_often(&scene->grid, count, loads);
    status s = render_tiles_order(&scene->plan, count, loads);
    free(loads);
    return s;
}

/* Finds the boundary faces, and the faces that each tile may see. */
static status plan_tiles(render_scene *scene, pixel_rect window, int threads)
{
    int64_t count = 0;
    march_seen_face *faces = NULL;
    render_march_take_out(&scene->grid, threads);
    status s = render_march_boundary(&scene->grid, &scene->view.camera, window, threads,
                                     &count, &faces);
    render_march_put_back(&scene->grid, threads);
    if (s == STATUS_OK) {
        s = render_tiles_plan(window, count, faces, &scene->plan);
        free(faces);
        base_trim_memory(); /* the list has grown in steps and left free memory */
    }
    return s;
}

/* Measures the extents of cells of the chosen bricks, once for each brick. */
static void measure_bricks(render_scene *scene, int threads)
{
    if (scene->times_forgotten != scene->store->times_forgotten) {
        forget_extents(scene);
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int64_t slot = 0; slot < scene->store->nbricks; slot++) {
        if (scene->chosen[slot] && scene->extents[slot][0] < 0.0f) {
            render_march_measure(&scene->store->bricks[slot], scene->extents[slot]);
        }
    }
}

void render_scene_find_patches(render_scene *scene, const render_style *style,
                               const render_transfer *transfer, int threads)
{
    march_grid *grid = &scene->grid;
    grid->all_patches = grid->has_patches = style->trilinear;
    if (!style->quadratic || grid->cell) {
        return;
    }
    /* Triangles are off by a quarter of the warp, and light by that times extinction: by
     * less than a count of 255. */
    grid->flatness = 0.0625f * transfer->table.most_extinction;
    float most = 0.0f;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) reduction(max : most)
    for (int64_t b = 0; b < grid->nbricks; b++) {
        march_brick *brick = &grid->bricks[b];
        float *known = &scene->warps[brick->slot];
        *known = *known < 0.0f ? render_refine_warp(grid, (int)b) : *known;
        brick->warp = *known;
        most = fmaxf(most, brick->warp);
    }
    grid->has_patches = most * grid->flatness > 1.0f;
}

static status find_view(render_scene *scene, pixel_rect window, int threads)
{
    measure_bricks(scene, threads);
    status s = render_march_grid_create(scene->store, scene->chosen,
                                        (const float(*)[3])scene->extents, &scene->grid);
    if (s == STATUS_OK) {
        const render_clip_view view = render_clip_view_of(&scene->view);
        s = render_march_trim(scene->store, scene->chosen, &view, threads, &scene->grid);
    }
    if (s == STATUS_OK) {
        s = plan_tiles(scene, window, threads);
    }
    return s == STATUS_OK ? order_tiles(scene, window) : s;
}

/* Drops the kept ways of the tiles that see a brick. */
static void drop_kept(render_scene *scene, const render_clip_view *view,
                      const grid_brick *brick)
{
    const box3 bounds = grid_brick_bounds(&scene->store->layout->bricks[brick->number]);
    const pixel_rect rect = march_rect_intersect(
        scene->plan.window, render_camera_footprint(view->camera, bounds));
    for (int64_t tile = 0; tile < scene->kept.ntiles; tile++) {
        const pixel_rect seen =
            march_rect_intersect(render_tiles_rect(&scene->plan, tile), rect);
        if (!pixel_rect_is_empty(seen)) {
            render_kept_drop(tile, &scene->kept);
        }
    }
}

/* Bricks that have been drawn stay chosen while the view stays, as kept ways go through
 * them. Rays pass new bricks, so their ways are dropped. */
static void follow_bricks(render_scene *scene, const render_clip_view *view)
{
    for (int64_t slot = 0; slot < scene->store->nbricks; slot++) {
        if (scene->kept.tiles && scene->next[slot] && !scene->chosen[slot]) {
            drop_kept(scene, view, &scene->store->bricks[slot]);
        }
        scene->next[slot] |= scene->chosen[slot];
    }
}

status render_scene_prepare(render_scene *scene, const render_transfer *transfer,
                            const render_clip_view *view, pixel_rect window, int threads)
{
    render_march_choose(scene->store, scene->blocks, transfer, view->camera, view->clip,
                        scene->next);
    const bool has_same = has_same_footprints(scene, view, window);
    if (!has_same) {
        render_kept_clear(&scene->kept);
        scene->outgrows = false;
    } else if (scene->keep > 0) {
        follow_bricks(scene, view);
    }
    const render_kept_view kept = has_same ? scene->view : render_clip_view_keep(view);
    scene->is_view = render_clip_view_is_kept(&kept, view);
    if (has_same && has_same_bricks(scene)) {
        scene->stays = scene->is_view;
        return STATUS_OK;
    }
    clear_view(scene);
    bool *chosen = scene->next;
    scene->next = scene->chosen;
    scene->chosen = chosen;
    scene->view = kept;
    status s = find_view(scene, window, threads);
    if (s != STATUS_OK) {
        clear_view(scene);
        return s;
    }
    scene->times_forgotten = scene->store->times_forgotten;
    return STATUS_OK;
}

render_kept *render_scene_keep(render_scene *scene, const walk_kernel *kernel,
                               const render_transfer *bends, int threads)
{
    render_kept *kept = &scene->kept;
    const int64_t ntiles = (int64_t)scene->plan.columns * scene->plan.rows;
    const bool is_able =
        !scene->grid.may_turn_back && !scene->grid.cell && (!bends || scene->grid.bends);
    if (!scene->is_view) {
        return NULL;
    }
    if (!is_able || kept->bytes > scene->keep || (bends && !kept->bends)) {
        render_kept_clear(kept);
    }
    if (!is_able || scene->keep == 0) {
        return NULL;
    }
    if (!kept->tiles &&
        (!scene->stays ||
         !render_kept_begin(scene->store, ntiles, scene->keep, bends != NULL, kept))) {
        return NULL;
    }
    kept->limit = scene->keep;
    render_kept_fill(scene->store, scene->chosen, threads, kept);
    if (bends && !render_kept_fill_bends(&scene->grid, kernel, bends, threads, kept)) {
        render_kept_clear(kept);
        scene->outgrows = true;
        return NULL;
    }
    return kept;
}

#include "render/tile_rays.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = WALK_TILE };

/* ---- Entries ----------------------------------------------------------------------- */

static void push_entry(tile_rays *rays, int pixel, const march_entry *entry)
{
    if (rays->nentries == rays->capacity) {
        int capacity = rays->capacity ? 2 * rays->capacity : 1024;
        tile_entry *more = realloc(rays->entries, (size_t)capacity * sizeof *more);
        if (!more) {
            rays->failed = true;
            return;
        }
        rays->entries = more;
        rays->capacity = capacity;
    }
    rays->entries[rays->nentries] = (tile_entry){*entry, rays->list[pixel]};
    rays->list[pixel] = rays->nentries++;
}

/* The part of `rect` that lies in the tile, from the tile's first pixel. */
static pixel_rect part_in_tile(pixel_rect rect, pixel_rect tile)
{
    return (pixel_rect){(rect.x0 > tile.x0 ? rect.x0 : tile.x0) - tile.x0,
                        (rect.y0 > tile.y0 ? rect.y0 : tile.y0) - tile.y0,
                        (rect.x1 < tile.x1 ? rect.x1 : tile.x1) - tile.x0,
                        (rect.y1 < tile.y1 ? rect.y1 : tile.y1) - tile.y0};
}

static void enter_face(const walk_kernel *kernel, const march_grid *grid,
                       const march_face *face, tile_rays *rays)
{
    int count = kernel->enter(grid, face, &rays->tile,
                              part_in_tile(face->rect, rays->rect), rays->found);
    for (int n = 0; n < count; n++) {
        push_entry(rays, rays->found[n].pixel, &rays->found[n].at);
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

int render_tile_rays_sort(const tile_rays *rays, int pixel, march_entry *runs)
{
    int count = 0;
    for (int e = rays->list[pixel]; e >= 0; e = rays->entries[e].next) {
        const march_entry *entry = &rays->entries[e].at;
        int place = count++;
        for (; place > 0 && entry_is_before(entry, &runs[place - 1]); place--) {
            runs[place] = runs[place - 1];
        }
        runs[place] = *entry;
    }
    return count;
}

static bool reserve_runs(tile_rays *rays)
{
    if (rays->nentries > rays->runs_capacity) {
        free(rays->runs);
        rays->runs = malloc((size_t)rays->capacity * sizeof *rays->runs);
        rays->runs_capacity = rays->runs ? rays->capacity : 0;
        rays->failed |= !rays->runs;
    }
    return !rays->failed;
}

bool render_tile_rays_enter(const walk_kernel *kernel, const march_grid *grid,
                            const tile_plan *plan, const march_face *faces, int64_t tile,
                            tile_rays *rays)
{
    for (int64_t f = plan->first[tile]; f < plan->first[tile + 1]; f++) {
        enter_face(kernel, grid, &faces[plan->faces[f]], rays);
    }
    return !rays->failed && reserve_runs(rays);
}

/* ---- Rays -------------------------------------------------------------------------- */

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

static bool is_in_rect(pixel_rect rect, int x, int y)
{
    return x >= rect.x0 && x < rect.x1 && y >= rect.y0 && y < rect.y1;
}

void render_tile_rays_cast(const render_camera *camera, box3 clip,
                           const render_cuts *cuts, pixel_rect rect, tile_rays *rays)
{
    rays->rect = rect;
    rays->nentries = 0;
    rays->tile.axes = 0;
    memset(rays->list, -1, sizeof rays->list);
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            int pixel = (y - rect.y0) * TILE + (x - rect.x0);
            render_ray ray = render_camera_ray(camera, x, y);
            cell_ray sheared = render_cell_ray(ray);
            double t0, t1;
            render_clip_ray(camera, &ray, clip, cuts, &t0, &t1);
            t1 = is_in_rect(camera->window, x, y) ? t1 : -INFINITY;
            rays->rays[pixel] = ray;
            rays->t0[pixel] = (float)(t0 - sheared.start);
            rays->t1[pixel] = (float)(t1 - sheared.start);
            put_ray(sheared, pixel, &rays->tile);
        }
    }
}

void render_tile_rays_clear(tile_rays *rays)
{
    free(rays->entries);
    free(rays->runs);
    rays->entries = NULL;
    rays->runs = NULL;
    rays->capacity = rays->runs_capacity = 0;
}

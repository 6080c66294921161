#include "tile_rays.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = WALK_TILE, TILE_PIXELS = WALK_TILE_PIXELS };

/* ---- Entries ----------------------------------------------------------------------- */

static void push_entry(tile_rays *rays, int pixel, const march_entry *entry)
{
    tile_entry *entries = base_array_reserve(rays->entries, &rays->capacity,
                                             rays->nentries + 1, sizeof *entries);
    if (!entries) {
        rays->failed = true;
        return;
    }
    rays->entries = entries;
    rays->entries[rays->nentries] = (tile_entry){*entry, rays->list[pixel]};
    rays->list[pixel] = rays->nentries++;
}

/* The pixels of a tile that may see one of its faces, relative to the tile's first
 * pixel. */
static pixel_rect part_of_tile(const march_face *face)
{
    return (pixel_rect){(int)face->x0, (int)face->y0, (int)face->x1 + 1,
                        (int)face->y1 + 1};
}

static void push_found(tile_rays *rays, int count)
{
    for (int n = 0; n < count; n++) {
        push_entry(rays, rays->found[n].pixel, &rays->found[n].at);
    }
}

static void enter_face(const walk_kernel *kernel, const march_grid *grid,
                       const march_face *face, tile_rays *rays)
{
    const pixel_rect part = march_rect_intersect(part_of_tile(face), rays->drawn);
    if (!pixel_rect_is_empty(part)) {
        push_found(rays, kernel->enter(grid, face, &rays->tile, part, rays->found));
    }
}

int render_tile_rays_sort(const tile_rays *rays, int pixel, march_entry *runs)
{
    int count = 0;
    for (int e = rays->list[pixel]; e >= 0; e = rays->entries[e].next) {
        const march_entry *entry = &rays->entries[e].at;
        int place = count++;
        for (; place > 0 && march_entry_is_before(entry, &runs[place - 1]); place--) {
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

static void enter_faces(const walk_kernel *kernel, const march_grid *grid,
                        const tile_plan *plan, int64_t tile, tile_rays *rays)
{
    for (int64_t f = plan->first[tile]; f < plan->first[tile + 1]; f++) {
        enter_face(kernel, grid, &plan->faces[f], rays);
    }
}

bool render_tile_rays_enter(const walk_kernel *kernel, const march_grid *grid,
                            const tile_plan *plan, int64_t tile, bool goes_on,
                            tile_rays *rays)
{
    for (int pixel = 0; pixel < TILE_PIXELS; pixel++) {
        rays->tile.end[pixel] = goes_on ? INFINITY : rays->t1[pixel];
    }
    enter_faces(kernel, grid, plan, tile, rays);
    return !rays->failed && reserve_runs(rays);
}

/* ---- Rays -------------------------------------------------------------------------- */

/* Stores ray number n of a row as that of a pixel. */
static void put_ray(const walk_row *row, int n, int pixel, tile_rays *rays)
{
    walk_tile *tile = &rays->tile;
    const cell_ray ray = walk_row_ray(row, n);
    for (int axis = 0; axis < 2; axis++) {
        tile->origin[axis][pixel] = ray.origin[axis];
        tile->shear[axis][pixel] = ray.shear[axis];
    }
    tile->per_unit[pixel] = ray.per_unit;
    tile->axis[pixel] = ray.axis[2];
    tile->backward[pixel] = ray.is_backward ? INT32_MIN : 0;
    tile->axes |= 1u << ray.axis[2];
    tile->rays[pixel] = ray;
    rays->rays[pixel] = walk_row_camera_ray(row, n);
    rays->t0[pixel] = (float)(row->t0[n] - row->start[n]);
    rays->t1[pixel] = (float)(row->t1[n] - row->start[n]);
}

/* Marks a ray as omitted: it is not drawn, and its entries are not searched. */
static void leave_out_ray(int pixel, tile_rays *rays)
{
    rays->t0[pixel] = INFINITY;
    rays->t1[pixel] = -INFINITY;
    rays->tile.axis[pixel] = WALK_NO_AXIS;
    rays->tile.axes |= 1u << WALK_NO_AXIS;
}

pixel_rect render_tile_rays_needed(const tile_plan *plan, int64_t tile)
{
    const pixel_rect rect = render_tiles_rect(plan, tile);
    pixel_rect needed = {0, 0, 0, 0};
    for (int64_t f = plan->first[tile]; f < plan->first[tile + 1]; f++) {
        pixel_rect_grow(&needed, part_of_tile(&plan->faces[f]));
    }
    return (pixel_rect){rect.x0 + needed.x0, rect.y0 + needed.y0, rect.x0 + needed.x1,
                        rect.y0 + needed.y1};
}

void render_tile_rays_cast(const walk_kernel *kernel, const render_clip_view *view,
                           pixel_rect rect, pixel_rect needed, tile_rays *rays)
{
    needed = march_rect_intersect(needed, view->camera->window);
    rays->rect = rect;
    rays->drawn = (pixel_rect){0, 0, 0, 0};
    rays->nentries = 0;
    rays->tile.axes = 0;
    memset(rays->list, -1, sizeof rays->list);
    /* A tile that the window cuts off has pixels that still hold another tile's rays. */
    const bool is_whole = rect.x1 - rect.x0 == TILE && rect.y1 - rect.y0 == TILE;
    for (int pixel = 0; pixel < TILE_PIXELS && !is_whole; pixel++) {
        leave_out_ray(pixel, rays);
    }
    for (int y = rect.y0; y < rect.y1; y++) {
        walk_row row;
        const bool is_needed =
            y >= needed.y0 && y < needed.y1 && walk_cast_row(kernel, view, rect, y, &row);
        for (int x = rect.x0; x < rect.x1; x++) {
            const int n = x - rect.x0, pixel = (y - rect.y0) * TILE + n;
            if (is_needed && x >= needed.x0 && x < needed.x1 && row.t0[n] < row.t1[n] &&
                render_camera_draws(view->camera, x, y)) {
                put_ray(&row, n, pixel, rays);
                pixel_rect_grow(&rays->drawn,
                                (pixel_rect){n, y - rect.y0, n + 1, y - rect.y0 + 1});
            } else {
                leave_out_ray(pixel, rays);
            }
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

/* The rays of one tile: their drawn parts, and their entries into the grid. */
#ifndef RENDER_TILE_RAYS_H
#define RENDER_TILE_RAYS_H

#include "render/kernel/walk.h"
#include "render/view/clip.h"
#include "tiles.h"

#include <stdint.h>

/* An entry of a pixel's ray, in a linked list. */
typedef struct tile_entry {
    march_entry at;
    int next; /* next entry of the same pixel, or -1 */
} tile_entry;

/* The rays of a tile, and memory for the search of their entries; reused from tile to
 * tile. All zero at first. Pixels are those of the tile, row after row of WALK_TILE. */
typedef struct tile_rays {
    pixel_rect rect;  /* of the tile */
    pixel_rect drawn; /* around the rays that are not omitted, relative to the tile's
                         first pixel; may be empty */
    render_ray rays[WALK_TILE_PIXELS];
    walk_tile tile;
    float t0[WALK_TILE_PIXELS], t1[WALK_TILE_PIXELS]; /* the drawn part: [t0, t1) */
    int nentries;
    int64_t capacity;
    tile_entry *entries;
    int list[WALK_TILE_PIXELS]; /* first entry of a pixel, or -1 */
    walk_entry found[2 * WALK_TILE_PIXELS];
    int64_t runs_capacity;
    march_entry *runs; /* large enough for all entries */
    bool failed;       /* memory ran out */
} tile_rays;

/* The pixels of a tile whose rays may enter the grid. Local. */
pixel_rect render_tile_rays_needed(const tile_plan *plan, int64_t tile);

/* Makes the rays of a tile, without entries yet. Rays outside `needed`, the
 * camera's window or its mask are omitted. Local. */
void render_tile_rays_cast(const walk_kernel *kernel, const render_clip_view *view,
                           pixel_rect rect, pixel_rect needed, tile_rays *rays);

/* Finds the entries of the rays into the grid, through the boundary faces of the plan's
 * tile. With `goes_on`, entries behind the drawn part of a ray count, too, because rays
 * may come back. Returns false without memory. Local. */
bool render_tile_rays_enter(const walk_kernel *kernel, const march_grid *grid,
                            const tile_plan *plan, int64_t tile, bool goes_on,
                            tile_rays *rays);

/* Writes a pixel's entries into runs, sorted along the ray; returns their number. */
int render_tile_rays_sort(const tile_rays *rays, int pixel, march_entry *runs);

void render_tile_rays_clear(tile_rays *rays);

#endif

/* Tiles: the squares in which a picture is drawn, the faces of each tile, and
 * the order of tiles. */
#ifndef RENDER_TILES_H
#define RENDER_TILES_H

#include "render/cells/march.h"

/* The tiles of a window, and the boundary faces that each of them may see. */
typedef struct tile_plan {
    pixel_rect window;
    int columns, rows;
    int64_t *first;    /* [columns * rows + 1]: start of each tile's faces in `faces` */
    march_face *faces; /* tile after tile, so some occur several times */
    int32_t *order;    /* [columns * rows]: the tiles, most expensive first */
} tile_plan;

/* A window extended so that it begins at a tile of the picture. */
pixel_rect render_tiles_align(pixel_rect window);

/* The part of the window that a brick may cover (not empty), and the number of cells that
 * a ray meets there. */
typedef struct tile_load {
    pixel_rect rect;
    double cells;
} tile_load;

/* Plans the tiles of a window (not empty) for boundary faces whose rectangles lie in the
 * window. Leaves `order` NULL. Local. Errors: STATUS_MEMORY. */
status render_tiles_plan(pixel_rect window, int64_t nfaces, const march_seen_face *faces,
                         tile_plan *out);

/* Finds the order of tiles from the cost estimates of bricks. Threads that take expensive
 * tiles first end at about the same time (longest processing time first: Graham, Bounds
 * on multiprocessing timing anomalies, SIAM J. Appl. Math. 17, 1969). Local. Errors:
 * STATUS_MEMORY. */
status render_tiles_order(tile_plan *plan, int64_t count, const tile_load *loads);

/* Whether no ray of a tile enters the grid, according to the plan. */
static inline bool render_tiles_is_empty(const tile_plan *plan, int64_t tile)
{
    return plan->first[tile] == plan->first[tile + 1];
}

void render_tiles_clear(tile_plan *plan);

/* The tile of a pixel of the window. */
int64_t render_tiles_at(const tile_plan *plan, int column, int row);

/* The pixels of a tile. */
pixel_rect render_tiles_rect(const tile_plan *plan, int64_t tile);

#endif

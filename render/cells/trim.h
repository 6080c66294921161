/* Trimming: cells that are not drawn are left out of the grid. */
#ifndef RENDER_CELLS_TRIM_H
#define RENDER_CELLS_TRIM_H

#include "march.h"
#include "render/view/clip_view.h"

enum {
    MARCH_MOST_VERTICES =
        (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1),
    MARCH_TRIM_WORDS = (MARCH_MOST_VERTICES + 63) / 64
};

/* Cells of a brick to leave out. */
typedef struct march_trim {
    int brick;                        /* of the grid */
    uint64_t cells[MARCH_TRIM_WORDS]; /* bit n % 64 of word n / 64: the cell whose lowest
                                         vertex is the brick's n-th */
} march_trim;

/* Finds the cells that lie wholly outside `clip`, behind the viewer or in the part that
 * `cuts` (may be NULL) cut off. The grid consists of the chosen bricks of `store`.
 * Without these cells, rays enter next to the drawn part instead of at the ends of the
 * bricks; the drawn part does not change. A grid in which rays may turn back keeps all
 * its cells. Local. Errors: STATUS_MEMORY. */
status render_march_trim(const grid_store *store, const bool *chosen,
                         const render_clip_view *view, int threads, march_grid *grid);

/* The part of a whole brick in memory that suffices for a store that is drawn only for
 * this box. Pictures do not change, unless rays may turn back (march_grid). If no cell of
 * the brick meets the box, the part is one cell. Local. */
grid_brick_place render_march_part(const grid_layout *layout, box3 box,
                                   const grid_brick *brick);

/* Takes these cells out, by the flags of the store, and puts them back in. In between no
 * other thread may use the store. Local. */
void render_march_take_out(const march_grid *grid, int threads);
void render_march_put_back(const march_grid *grid, int threads);

#endif

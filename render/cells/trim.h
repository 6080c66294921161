/* Trimming: what is not drawn of a grid is left out of it. */
#ifndef RENDER_CELLS_TRIM_H
#define RENDER_CELLS_TRIM_H

#include "march.h"
#include "render/view/clip_view.h"

enum {
    MARCH_MOST_VERTICES =
        (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1),
    MARCH_TRIM_WORDS = (MARCH_MOST_VERTICES + 63) / 64
};

/* Cells of a brick that are left out. */
typedef struct march_trim {
    int brick;                        /* of the grid */
    uint64_t cells[MARCH_TRIM_WORDS]; /* bit n: that whose lowest vertex is the brick's
                                         n-th; bit n % 64 of word n / 64 */
} march_trim;

/*
 * Finds in a grid, made of the chosen bricks of `store`, the cells that lie wholly
 * outside of `clip`, behind the viewer or in what `cuts` (may be NULL) cut off. Without
 * them rays come in next to what is drawn, not where the bricks begin; in between nothing
 * changes. A grid in which rays may turn back keeps all its cells. Local. Errors:
 * STATUS_MEMORY.
 */
status render_march_trim(const grid_store *store, const bool *chosen,
                         const render_clip_view *view, int threads, march_grid *grid);

/*
 * The part of a whole brick in memory that is enough for a store that will be drawn for
 * this box and no other: pictures stay as they are, unless rays may turn back
 * (march_grid). Where the box has nothing of the brick, one cell. Local.
 */
grid_brick_place render_march_part(const grid_layout *layout, box3 box,
                                   const grid_brick *brick);

/* Takes these cells out, by the flags of the store, and puts them back in. In between the
 * store is nobody else's. Local. */
void render_march_take_out(const march_grid *grid, int threads);
void render_march_put_back(const march_grid *grid, int threads);

#endif

/* Trimming: what is not drawn of a grid is left out of it. */
#ifndef RENDER_TRIM_H
#define RENDER_TRIM_H

#include "render/clip.h"
#include "render/march.h"

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
                         const render_camera *camera, box3 clip, const render_cuts *cuts,
                         int threads, march_grid *grid);

/*
 * Crops the bricks of a store that were not cropped yet to what the box has of them,
 * which is all that the store will be drawn for from then on: pictures stay as they are.
 * Who moves to another box loads anew. Where cells wind against their block nothing is
 * cropped, nor where memory is short. Local.
 */
void render_march_crop(grid_store *store, box3 box, int threads);

/* Takes these cells out, by the flags of the store, and puts them back in. In between the
 * store is nobody else's. Local. */
void render_march_take_out(const march_grid *grid, int threads);
void render_march_put_back(const march_grid *grid, int threads);

#endif

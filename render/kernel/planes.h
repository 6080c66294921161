/*
 * Plane compositing: the cells in front of a tile of pixels are drawn one after the
 * other, nearest first, each for all rays that have come to it (object order, as in
 * Williams 1992, Visibility-ordering meshed polyhedra). render/kernel/planes_kernel.h
 * draws; here is the order.
 *
 * A cell waits in a queue, with the rays that have come to it. The nearest one is taken,
 * its rays cross it, and wait in the cells beyond. On a grid of bent cells no order by
 * depth is right everywhere, and for cells in a circle there is none at all. It need not
 * be: what a ray meets in which order is for the ray's own way through the cells to say.
 * A cell that was taken too soon is just taken once more, for the rays that come late.
 * So the order decides about speed, never about the picture.
 */
#ifndef RENDER_KERNEL_PLANES_H
#define RENDER_KERNEL_PLANES_H

#include "render/cells/march.h"
#include "walk.h"

enum {
    PLANES_SIDE = 4, /* pixels along a side of a block: what is crossed together */
    PLANES_BLOCK = PLANES_SIDE * PLANES_SIDE,
    PLANES_BLOCKS = WALK_TILE_PIXELS / PLANES_BLOCK,
    PLANES_BUCKETS = 1024
};

_Static_assert(PLANES_BLOCKS <= 64, "a word has a bit for each block of a tile");

/* Rays of a tile, block by block. */
typedef struct planes_rays {
    uint64_t blocks; /* bit b: there are some in block b */
    uint16_t
        block[PLANES_BLOCKS]; /* bit n: ray n of the block; defined where that is set */
} planes_rays;

/* A cell and the rays that have come to it. */
typedef struct planes_cell {
    march_cell cell;
    int lowest; /* vertex; no two cells have the same */
    int next;   /* in its bucket, or of those not in use; or -1 */
    planes_rays rays;
} planes_cell;

/* A cell in the heap. */
typedef struct planes_place {
    float depth;
    int cell;
} planes_place;

/* The cells that wait. Each has a ray at least, so there are never more than pixels. */
typedef struct planes_queue {
    float direction[3]; /* depth is counted along this */
    int unused;         /* the first cell not in use, or -1 */
    int count;
    planes_place heap[WALK_TILE_PIXELS];
    int16_t bucket[PLANES_BUCKETS]; /* first cell, or -1 */
    planes_cell cells[WALK_TILE_PIXELS];
} planes_queue;

void render_planes_start(planes_queue *queue);

static inline int planes_bucket_of(int lowest)
{
    return (int)((uint32_t)lowest * 0x9e3779b1u >> 22);
}

/* Puts a cell that is not there yet into the queue, without rays. */
planes_cell *render_planes_put(planes_queue *queue, const march_grid *grid,
                               const march_cell *cell, int lowest);

/* The cell in the queue; it is put there where it is not. The caller adds rays before
 * anything else is done with the queue. */
static inline planes_cell *planes_find(planes_queue *queue, const march_grid *grid,
                                       const march_cell *cell, int lowest)
{
    for (int c = queue->bucket[planes_bucket_of(lowest)]; c >= 0;
         c = queue->cells[c].next) {
        if (queue->cells[c].lowest == lowest) {
            return &queue->cells[c];
        }
    }
    return render_planes_put(queue, grid, cell, lowest);
}

/* Takes the nearest cell out of the queue; false where it is empty. What comes stays as
 * it is until the next cell is put there. */
const planes_cell *render_planes_take(planes_queue *queue);

#endif

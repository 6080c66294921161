/* Plane compositing, or cell projection: the cells in front of a tile of pixels are drawn
 * one after the other, nearest first. Each is drawn for all rays that have reached it
 * (object order, as in Williams 1992, Visibility-ordering meshed polyhedra). This file
 * has the order; render/kernel/planes/sweep.h draws.
 *
 * A cell waits in a queue together with its rays. The nearest cell is taken, its rays
 * cross it, and then wait in the cells beyond. On a grid of bent cells no order by depth
 * is right everywhere, and cells in a cycle have no order at all. An exact order is not
 * needed: the way of each ray through the cells determines the order of its own segments.
 * A cell that was taken too early is taken again, for the rays that come late. So the
 * order affects only speed, never the picture. */
#ifndef RENDER_KERNEL_PLANES_QUEUE_H
#define RENDER_KERNEL_PLANES_QUEUE_H

#include "render/cells/march.h"
#include "render/kernel/walk.h"

enum {
    PLANES_SIDE = 4, /* pixels along a side of a block, whose rays are crossed together */
    PLANES_BLOCK = PLANES_SIDE * PLANES_SIDE,
    PLANES_BLOCKS = WALK_TILE_PIXELS / PLANES_BLOCK,
    PLANES_BUCKETS = 1024
};

_Static_assert(PLANES_BLOCKS <= 64, "a word has a bit for each block of a tile");

/* Rays of a tile, block by block. */
typedef struct planes_rays {
    uint64_t blocks;               /* bit b: block b has rays */
    uint16_t block[PLANES_BLOCKS]; /* bit n: ray n of the block; defined if the block's
                                      bit is set */
} planes_rays;

/* A cell and the rays that have reached it. */
typedef struct planes_cell {
    march_cell cell;
    int lowest; /* its lowest vertex, which is different for all cells */
    int next;   /* index of the next cell in its bucket, or of the next unused one; or
                   -1 */
    planes_rays rays;
} planes_cell;

/* A cell in the heap. */
typedef struct planes_place {
    float depth;
    int cell;
} planes_place;

/* The waiting cells. Each has at least one ray, so there are never more cells than
 * pixels. */
typedef struct planes_queue {
    float direction[3]; /* depth is measured along this */
    int unused;         /* the first unused cell, or -1 */
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

/* Puts a new cell into the queue, without rays. */
planes_cell *render_planes_put(planes_queue *queue, const march_grid *grid,
                               const march_cell *cell, int lowest);

/* Finds a cell in the queue, or puts it there. The caller adds rays before any other
 * operation on the queue. */
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

/* Takes the nearest cell out of the queue; NULL if it is empty. The cell is valid until
 * the next cell is put into the queue. */
const planes_cell *render_planes_take(planes_queue *queue);

#endif

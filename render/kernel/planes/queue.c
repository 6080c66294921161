#include "queue.h"

#include <string.h>

void render_planes_start(planes_queue *queue)
{
    memset(queue->bucket, -1, sizeof queue->bucket);
    queue->count = 0;
    queue->unused = 0;
    for (int c = 0; c < WALK_TILE_PIXELS; c++) {
        queue->cells[c].next = c + 1 < WALK_TILE_PIXELS ? c + 1 : -1;
    }
}

/* ---- The heap ---------------------------------------------------------------------- */

static void push(planes_queue *queue, planes_place place)
{
    int at = queue->count++;
    while (at > 0 && place.depth < queue->heap[(at - 1) / 2].depth) {
        queue->heap[at] = queue->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->heap[at] = place;
}

static int pop(planes_queue *queue)
{
    planes_place *heap = queue->heap;
    int nearest = heap[0].cell, at = 0;
    planes_place last = heap[--queue->count];
    for (;;) {
        int child = 2 * at + 1;
        if (child >= queue->count) {
            break;
        }
        child += child + 1 < queue->count && heap[child + 1].depth < heap[child].depth;
        if (last.depth <= heap[child].depth) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return nearest;
}

/* ---- Cells ------------------------------------------------------------------------- */

/* Twice the depth of the middle between the ends of a cell's diagonal. */
static float depth_of(const planes_queue *queue, const march_grid *grid,
                      const march_brick *brick, int lowest)
{
    const float *a = grid->vertex[lowest];
    const float *b = grid->vertex[march_corner_index(brick, lowest, 7)];
    const float *d = queue->direction;
    return (a[0] + b[0]) * d[0] + (a[1] + b[1]) * d[1] + (a[2] + b[2]) * d[2];
}

planes_cell *render_planes_put(planes_queue *queue, const march_grid *grid,
                               const march_cell *cell, int lowest)
{
    int16_t *bucket = &queue->bucket[planes_bucket_of(lowest)];
    int c = queue->unused;
    planes_cell *put = &queue->cells[c];
    queue->unused = put->next;
    put->cell = *cell;
    put->lowest = lowest;
    put->next = *bucket;
    put->rays.blocks = 0;
    *bucket = (int16_t)c;
    push(queue,
         (planes_place){depth_of(queue, grid, &grid->bricks[cell->brick], lowest), c});
    return put;
}

const planes_cell *render_planes_take(planes_queue *queue)
{
    if (queue->count == 0) {
        return NULL;
    }
    int c = pop(queue);
    planes_cell *taken = &queue->cells[c];
    int16_t *bucket = &queue->bucket[planes_bucket_of(taken->lowest)];
    if (*bucket == c) {
        *bucket = (int16_t)taken->next;
    } else {
        planes_cell *before = &queue->cells[*bucket];
        while (before->next != c) {
            before = &queue->cells[before->next];
        }
        before->next = taken->next;
    }
    taken->next = queue->unused;
    queue->unused = c;
    return taken;
}

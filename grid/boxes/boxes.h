/* A tree over boxes, for searches by place. */
#ifndef GRID_BOXES_BOXES_H
#define GRID_BOXES_BOXES_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct grid_boxes grid_boxes;

/* Makes a tree over boxes, [count]; those with lo > hi are left out. Local. Errors:
 * STATUS_MEMORY. */
status grid_boxes_create(int64_t count, const box3 *boxes, grid_boxes **out);
void grid_boxes_destroy(grid_boxes **boxes);

/* What a walk does: whether it enters bounds, which hold some of the boxes or are a box
 * itself; and what it takes: the number of a box. */
typedef struct grid_boxes_walker {
    bool (*enters)(void *context, const box3 *bounds);
    void (*takes)(void *context, int64_t number);
    void *context;
} grid_boxes_walker;

/* Walks through the tree, nearer bounds first. Local; any number of threads. */
void grid_boxes_walk(const grid_boxes *boxes, const double from[3],
                     const grid_boxes_walker *walker);

/* The square of the distance from a point to a box; 0 inside. It is never above that to
 * a point of the box, computed in the same order: x, y, z. */
double grid_boxes_distance(const box3 *box, const double x[3]);

#endif

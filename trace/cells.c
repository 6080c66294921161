#include "cells.h"

int64_t trace_cell_brick(const grid_layout *layout, const trace_cell *cell)
{
    const int64_t at[3] = {cell->at[0] / GRID_BRICK_CELLS, cell->at[1] / GRID_BRICK_CELLS,
                           cell->at[2] / GRID_BRICK_CELLS};
    return grid_layout_brick_at(layout, (int)cell->block, at);
}

trace_look trace_cell_look(const grid_store *store, const trace_cell *cell,
                           trace_corners *corners)
{
    const int64_t number = trace_cell_brick(store->layout, cell);
    if (store->layout->bricks[number].cells == 0) {
        return TRACE_ABSENT; /* no rank has such a brick */
    }
    if (store->slot[number] < 0) {
        return TRACE_ELSEWHERE;
    }
    const grid_brick *brick = &store->bricks[store->slot[number]];
    const grid_brick_place *place = &brick->place;
    const int64_t row = place->n[0] + 1, plane = row * (place->n[1] + 1);
    const int64_t lowest = (cell->at[0] - place->lo[0]) +
                           row * (cell->at[1] - place->lo[1]) +
                           plane * (cell->at[2] - place->lo[2]);
    if (!(brick->flags[lowest] & GRID_PRESENT)) {
        return TRACE_ABSENT;
    }
    const int64_t first = (int64_t)(brick->vertex - store->vertex) + lowest;
    for (int n = 0; n < 8; n++) {
        corners->vertex[n] = first + (n & 1) + row * (n >> 1 & 1) + plane * (n >> 2);
    }
    return TRACE_PRESENT;
}

void trace_corners_get(const grid_store *store, const trace_corners *corners,
                       double xyz[8][3])
{
    for (int n = 0; n < 8; n++) {
        for (int axis = 0; axis < 3; axis++) {
            xyz[n][axis] = (double)store->vertex[corners->vertex[n]][axis];
        }
    }
}

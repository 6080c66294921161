/* The grids of steps, where the grid moves: view and ranges fit all of them. */
#ifndef FRAME_AUTO_GRIDS_H
#define FRAME_AUTO_GRIDS_H

#include "data.h"

typedef struct auto_grid {
    int number; /* io_source_grid */
    int step;   /* the first one with it */
    grid_layout *layout;
} auto_grid;

/* The steps that are looked at, and their grids. */
typedef struct auto_grids {
    int nsteps;
    int *steps; /* [nsteps]: indices of the source's */
    int count;
    auto_grid *grids; /* [count] */
    box3 bounds;      /* of all of them, relative to the origin of data->layout */
} auto_grids;

/*
 * Reads the grids of all steps of the data, or of a few if that takes more than
 * AUTO_MOST_BYTES, or of the first alone. *out stays empty if the grid rests, or if
 * nothing is open (`is_open`, the same on all ranks). The grid of
 * data->layout is chosen before and afterwards. Collective. Errors: STATUS_INPUT,
 * STATUS_MEMORY.
 */
status auto_grids_find(const frame_auto_data *data, bool is_open, auto_grids *out);
void auto_grids_clear(auto_grids *grids);

/* The layout of the grid of a step that is looked at; chooses the grid. Collective.
 * Errors: STATUS_INPUT. */
status auto_grids_choose(const frame_auto_data *data, int step,
                         const grid_layout **layout);

/* The bounds of the grid, or of all grids that are looked at, relative to the origin of
 * data->layout. Local. */
box3 auto_grids_bounds(const frame_auto_data *data);

#endif

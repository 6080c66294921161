/* Inside frame/probe: points that lie in no cell. */
#ifndef FRAME_PROBE_PARTS_H
#define FRAME_PROBE_PARTS_H

#include "io/load/load.h"
#include "probe.h"

/* Bricks that points need: marks of all bricks of a layout. */
typedef struct probe_bricks {
    const grid_layout *layout;
    uint8_t *wanted; /* [layout->nbricks] */
} probe_bricks;

/* Loads the wanted bricks. Collective. Errors: those of io_load_bricks, STATUS_MEMORY. */
status probe_load(MPI_Comm comm, io_source *source, const probe_bricks *bricks,
                  grid_location location, grid_store **out);

/*
 * Finds for the points of this rank that lie in no cell the nearest vertices of present
 * cells. x: [count][3], relative to the layout's origin. Collective. Errors: those of
 * io_load_bricks, STATUS_MEMORY.
 */
status probe_find_nearest(MPI_Comm comm, io_source *source, const grid_layout *layout,
                          int64_t count, double (*x)[3], frame_probe_point *points);

#endif

/* Inside frame/probe: points that lie in no cell. */
#ifndef FRAME_PROBE_NEAREST_H
#define FRAME_PROBE_NEAREST_H

#include "grid/boxes/boxes.h"
#include "io/load/load.h"
#include "point.h"

/* Points of this rank; some of them lie in no cell. */
typedef struct probe_outside {
    int64_t count;
    double (*x)[3];            /* [count]: relative to the layout's origin */
    frame_probe_point *points; /* [count] */
} probe_outside;

/*
 * Finds for the points of this rank that lie in no cell the nearest vertices of present
 * cells; of several, that of the lowest brick and cell. boxes: of the layout's bricks,
 * not smaller than these. Collective. Errors: those of
 * io_load_bricks, STATUS_MEMORY.
 */
status probe_find_nearest(MPI_Comm comm, io_source *source, const grid_boxes *boxes,
                          const grid_layout *layout, const probe_outside *outside);

#endif

/* Inside frame/probe: points that lie in no cell. */
#ifndef FRAME_PROBE_NEAREST_H
#define FRAME_PROBE_NEAREST_H

#include "io/load/load.h"
#include "point.h"

/*
 * Finds for the points of this rank that lie in no cell the nearest vertices of present
 * cells. x: [count][3], relative to the layout's origin. Collective. Errors: those of
 * io_load_bricks, STATUS_MEMORY.
 */
status probe_find_nearest(MPI_Comm comm, io_source *source, const grid_layout *layout,
                          int64_t count, double (*x)[3], frame_probe_point *points);

#endif

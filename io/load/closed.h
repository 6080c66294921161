/* Closed axes: their first and last vertices are the same points. */
#ifndef IO_LOAD_CLOSED_H
#define IO_LOAD_CLOSED_H

#include "grid/brick.h"
#include "io/source.h"

/* Finds out which axes of the blocks are closed, where the bounds of the grid are known.
 * `kept`: a store of all bricks, on a rank that is alone, or NULL. Collective.
 * STATUS_INPUT, STATUS_MEMORY. */
status io_load_closed(MPI_Comm comm, io_source *source, const grid_store *kept,
                      grid_layout *layout);

#endif

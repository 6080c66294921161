/* Closed axes: their first and last vertices are the same points. */
#ifndef IO_LOAD_CLOSED_H
#define IO_LOAD_CLOSED_H

#include "grid/brick.h"
#include "io/source.h"

/* Finds the closed axes of all blocks. The bounds of the grid must be known. `kept`: a
 * store of all bricks in a run of one rank, or NULL. Collective. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status io_load_closed(MPI_Comm comm, io_source *source, const grid_store *kept,
                      grid_layout *layout);

/*
 * Closes rings (io/source.h): once for a source, before its first layout. Says so. The
 * config may name an axis, or turn it off. Collective. Errors: STATUS_USAGE: no block has
 * a gap along that axis; STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_rings(MPI_Comm comm, io_source *source);

#endif

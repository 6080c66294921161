/* Closed axes: their first and last vertices are the same points. */
#ifndef IO_LOAD_CLOSED_H
#define IO_LOAD_CLOSED_H

#include "grid/brick.h"
#include "grid/recipe.h"
#include "io/source.h"
#include "io/window.h"

/* How the ends of a block's rows along i fit, in the windows of a pass. */
typedef struct io_load_rows {
    double largest; /* of the spacings along i at the ends */
    double gap;     /* the widest that the local spacing does not excuse; INFINITY: NaN */
    double cut;     /* 1: a window has no whole rows, or none was taken; else 0 */
} io_load_rows;

/* Takes the rows of a window of a block. Local. */
void io_load_take_rows(const grid_block *block, const io_window *window,
                       const grid_patch *patch, io_load_rows *rows);

/* Finds the closed axes of all blocks. The bounds of the grid must be known. `kept`: a
 * store of all bricks in a run of one rank, or NULL. rows: [nblocks], of this rank; then
 * of all. Collective. Errors: STATUS_INPUT, STATUS_MEMORY. */
status io_load_closed(MPI_Comm comm, io_source *source, const grid_store *kept,
                      io_load_rows *rows, grid_layout *layout);

/*
 * Closes rings (io/source.h): once for a source, before its first layout. Says so. The
 * config may name an axis, or turn it off. Collective. Errors: STATUS_USAGE: no block has
 * a gap along that axis; STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_rings(MPI_Comm comm, io_source *source);

#endif

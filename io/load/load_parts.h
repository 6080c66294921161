/* What the files of io/load*.c share. */
#ifndef IO_LOAD_LOAD_PARTS_H
#define IO_LOAD_LOAD_PARTS_H

#include "load.h"
#include "sweep.h"

enum {
    IO_BRICK_VERTICES =
        (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1)
};

/* Fills in vertex coordinates and flags of a brick of a window, whose place is known.
 * `windings`: those, too. Local; may be called by several threads at once. */
void io_load_brick(const io_window *window, const grid_patch *patch, bool windings,
                   grid_brick *brick);

/* Reads and flags the geometry of those bricks of a store that have these ascending
 * numbers. Collective. STATUS_INPUT, STATUS_MEMORY. */
status io_load_geometry(MPI_Comm comm, io_source *source, int64_t count,
                        const int64_t *numbers, grid_store *store);

/* Index in the patch of vertex (i, j, k) of a brick of the window. */
size_t io_load_patch_index(const io_window *window, const grid_patch *patch,
                           const grid_brick_place *place, int i, int j, int k);

/* The share of a rank in all bricks of the layout: [*first, *end). Shares follow each
 * other and differ by one brick at most. Local. */
void io_load_share(MPI_Comm comm, int rank, const grid_layout *layout, int64_t *first,
                   int64_t *end);

/* The numbers from first to end - 1, malloc'ed. Local. Errors: STATUS_MEMORY. */
status io_load_numbers(int64_t first, int64_t end, int64_t **numbers);

/* Finds out which axes of the blocks are closed, where the bounds of the grid are known.
 * `kept`: a store of all bricks, on a rank that is alone, or NULL. Collective.
 * STATUS_INPUT, STATUS_MEMORY. */
status io_load_closed(MPI_Comm comm, io_source *source, const grid_store *kept,
                      grid_layout *layout);

#endif

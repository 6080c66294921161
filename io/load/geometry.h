/* The geometry of bricks, read and flagged. */
#ifndef IO_LOAD_GEOMETRY_H
#define IO_LOAD_GEOMETRY_H

#include "grid/brick.h"
#include "share.h"
#include "sweep.h"

enum {
    IO_BRICK_VERTICES =
        (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1) * (GRID_BRICK_CELLS + 1)
};

/* Fills in vertex coordinates and flags of a brick of a window; its place is set already.
 * `windings`: find the windings, too. Local; may be called by several threads at once. */
void io_load_brick(const io_window *window, const grid_patch *patch, bool windings,
                   grid_brick *brick);

/* Gets the geometry of a whole brick: its number, place, coordinates, flags, windings.
 * Local; several threads call it at once. */
typedef void io_load_take_geometry(void *context, const grid_brick *whole);

/* A pass over the geometry of bricks, which each rank asks for by ascending numbers. */
typedef struct io_geometry_pass {
    MPI_Comm comm;
    io_source *source;
    const grid_layout *layout;
    int64_t count;
    const int64_t *numbers; /* [count] */
    io_load_take_geometry *take;
    void *context;
} io_geometry_pass;

/* Reads and flags the geometry of these bricks, and hands it over. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status io_geometry_visit(const io_geometry_pass *pass);

/* Reads and flags the geometry of the bricks of a store that have these ascending
 * numbers. Collective. Errors: STATUS_INPUT, STATUS_MEMORY. */
status io_load_geometry(MPI_Comm comm, io_source *source, int64_t count,
                        const int64_t *numbers, grid_store *store);

/* Index in the patch of vertex (i, j, k) of a brick of the window. */
size_t io_load_patch_index(const io_window *window, const grid_patch *patch,
                           const grid_brick_place *place, int i, int j, int k);

/* The patch of one brick of a window: the window's patch with the core of the brick. */
grid_patch io_load_patch_of_brick(const io_window *window, const grid_patch *patch,
                                  const grid_brick *brick);

/* Whether a vertex of a patch with coordinates is in the grid: it is somewhere, and not
 * blanked. And whether the cell is present whose lowest corner it is. Local. */
bool io_load_has_point(const grid_patch *patch, size_t at);
bool io_load_has_cell(const grid_patch *patch, size_t lowest);

#endif

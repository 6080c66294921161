/* Grids from HDF5 files of karman's own layout. */
#ifndef SOLVER_GRID_FILE_H
#define SOLVER_GRID_FILE_H

#include "solver/grid.h"

/* Reads all blocks of /grid, in the order of their names; all faces are open. Local.
 * Errors: STATUS_INPUT, STATUS_MEMORY. */
status solver_grid_read(const char *path, solver_grid **out);

#endif

/* Grids from HDF5 files of karman's own layout. */
#ifndef EXAMPLES_SOLVER_GRID_FILE_H
#define EXAMPLES_SOLVER_GRID_FILE_H

#include "grid.h"

/* Reads all blocks of /grid, in the order of their names. All faces are open. Local. */
bool solver_grid_read(const char *path, solver_grid **out);

#endif

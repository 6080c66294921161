/* The catalogue of a PLOT3D grid and its files of values. */
#ifndef IO_SOURCES_PLOT3D_CONTENTS_H
#define IO_SOURCES_PLOT3D_CONTENTS_H

#include "form.h"
#include "io/config/config.h"
#include "io/sources/arrays/arrays.h"

/*
 * Finds the files of values that belong to a grid, checks their headers, and fills in
 * catalogue and table. Local. Errors: STATUS_INPUT: a file is missing or bad, or does not
 * fit the grid; STATUS_MEMORY.
 */
status plot3d_contents_read(const char *path, const io_data_config *config,
                            const plot3d_header *grid, io_catalog *catalog,
                            io_array_table *table);

#endif

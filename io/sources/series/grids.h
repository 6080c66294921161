/* The grids of a series: whether they are one, move, or have other blocks. Rank 0 alone.
 */
#ifndef IO_SOURCES_SERIES_GRIDS_H
#define IO_SOURCES_SERIES_GRIDS_H

#include "io/catalog.h"
#include "state.h"

/* Adds the blocks of a file to the catalogue. Of several sizes of a block each is one.
 * Local. Errors: STATUS_INPUT: it has other blocks than the first, though all have one
 * grid; STATUS_MEMORY. */
status series_grids_take(io_source *source, int number, const io_source *file);

/* The geometry of a step of a file: series_step.geometry, malloc'ed. Local. Errors:
 * STATUS_MEMORY. */
status series_grids_find(const io_source *file, int inside, const io_catalog *all,
                         int32_t **geometry);

/* Numbers the grids of steps: those of their files, if they differ. Local. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
status series_grids_number(io_source *source, io_grid_motion motion);

#endif

/* Sources: where grids and fields come from, behind one interface. */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include "array.h"
#include "base/status.h"
#include "grid/layout.h"
#include "grid/recipe.h"
#include "io/config/config.h"
#include "unpack.h"

#include <mpi.h>

typedef struct io_source io_source;

/*
 * Opens the data of a config; reads metadata only. Collective over comm (duplicated
 * inside). Errors: STATUS_INPUT: file missing, not HDF5, truncated, data sets missing or
 * of the wrong shape or type; the message names file and data set. The same on every
 * rank.
 */
status io_source_open(MPI_Comm comm, const io_data_config *config, io_source **out);

/* Whether a file means to be data rather than a config, by its first bytes and its name,
 * readable or not. Local. */
bool io_source_is_data(const char *path);

/* Collective. */
void io_source_close(io_source **source);

/* Everything below is local and borrowed from the source. */
const char *io_source_path(const io_source *source);
int io_source_block_count(const io_source *source);
const grid_block *
io_source_blocks(const io_source *source); /* closed, left_handed not set */
bool io_source_double_coordinates(
    const io_source *source); /* any coordinate is float64 */
int io_source_field_count(const io_source *source);
const grid_field *io_source_fields(const io_source *source);
int io_source_step_count(const io_source *source); /* 0 where the file has a grid alone */
const io_step *io_source_steps(const io_source *source); /* by ascending number */

/* How the stored values of a field become numbers, where it is first there: for people.
 */
const io_unpacking *io_source_unpacking(const io_source *source, int field);

/* Whether a step (index) has a field (index): a file may leave some out of some steps. */
bool io_source_has_field(const io_source *source, int step, int field);

/*
 * Reads one box of one array of a block at a step (index into steps; ignored for
 * coordinates and iblank), converted to `out`: double [n[2]][n[1]][n[0]] for coordinates,
 * float for fields, and int32 for iblank. Collective: every rank of the communicator
 * calls it for the same block, array and step with a box of its own, or an empty one;
 * MPI-IO reads them together. Errors: STATUS_INPUT: the step lacks the field, its data
 * set has the wrong shape or type, or cannot be read; STATUS_MEMORY. They are local: the
 * caller goes on taking part and agrees when it is done.
 */
status io_source_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out);

/*
 * Whether coordinates can be read as they are kept: float32, relative to an origin. A
 * program's memory is read like that, in half the bytes; a file is read as it is. Local,
 * the same on every rank.
 */
bool io_source_has_places(const io_source *source);

/*
 * Reads one box of a coordinate (IO_ARRAY_X to IO_ARRAY_Z) less `origin`, the same on
 * every rank, as float [n[2]][n[1]][n[0]]: (float)(x - origin) of the x that
 * io_source_read gives. Only of sources that can; else as io_source_read.
 */
status io_source_read_places(io_source *source, int block, int array, double origin,
                             const io_box *box, float *out);

/* How many vertices should be read at a time, at most: many of a file, whose reads cost
 * time; fewer of a program's memory, where the buffers cost more. Local. */
int64_t io_source_window(const io_source *source);

#endif

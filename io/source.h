/* Sources: one interface to all data that grids and fields are read from. */
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
struct io_listing;

/*
 * Opens the data of a config and reads metadata only. Collective over comm (duplicated
 * inside). Errors, the same on every rank: STATUS_INPUT: the file is missing, not HDF5 or
 * truncated, or data sets are missing or have the wrong shape or type. The message names
 * file and data set.
 */
status io_source_open(MPI_Comm comm, const io_data_config *config, io_source **out);

/* Whether a file is data rather than a config, judged by its first bytes and its name.
 * Data that cannot be read count too. Local. */
bool io_source_is_data(const char *path);

/*
 * Looks at a file of which nothing is known, on this rank alone. *out is NULL if the file
 * says by itself where grid and fields are; otherwise *out lists its contents, to guess
 * from (io/sources/listing). Local; needs MPI. Errors: STATUS_INPUT as io_source_open,
 * STATUS_MEMORY.
 */
status io_source_list(const char *path, struct io_listing **out);

/* Collective. */
void io_source_close(io_source **source);

/* Everything below is local and borrowed from the source. */
const char *io_source_path(const io_source *source);
int io_source_block_count(const io_source *source);
const grid_block *
io_source_blocks(const io_source *source); /* closed is not set, left_handed once a layout
                                    was loaded */
int io_source_flat_axis(const io_source *source); /* along which all blocks are flat
                                                     (io/flat.h), 0 to 2; -1: none */
int io_source_flat_axis_of(const io_source *source, int block); /* along which this one is
                                                     flat; -1: not */
double io_source_flat_thickness(const io_source *source);       /* of flat blocks, if this
                                                           rank read any; 0 */
bool io_source_double_coordinates(
    const io_source *source); /* any coordinate is float64 */
int io_source_field_count(const io_source *source);
const grid_field *
io_source_fields(const io_source *source); /* [field_count], and behind them those of
                                              grid/field.h that every grid has */
int io_source_step_count(const io_source *source); /* 0 if the file has a grid only */
const io_step *io_source_steps(const io_source *source); /* by ascending number */

/* Gives a source without steps one, 0, that has no field, so that its grid can be drawn.
 * Local, the same on all ranks. Errors: STATUS_MEMORY. */
status io_source_add_rest(io_source *source);

/* How the stored values of a field become numbers, in the first step that has the field.
 * For messages. */
const io_unpacking *io_source_unpacking(const io_source *source, int field);

/* The unit that the data give a field by its name; NULL: none is known. */
const char *io_source_unit(const io_source *source, const char *field);

/* The unit of coordinates; NULL: none is known. */
const char *io_source_length_unit(const io_source *source);

/* Facts about the data for `karman info`, such as the format: lines "name<tab>value", or
 * "". */
const char *io_source_notes(const io_source *source);

/* Boundary conditions; and the list in which each has its parts. */
int io_source_condition_count(const io_source *source);
const struct io_condition *io_source_conditions(const io_source *source);
const struct io_condition_part *io_source_condition_parts(const io_source *source);

/* The block of a condition (index), as the data have it; maybe one of another step. */
const grid_block *io_source_condition_block(const io_source *source, int condition);

/* What the data say of ends of blocks; NULL: nothing. Vertices of a flat block count 1
 * along its axis. */
int io_source_contact_count(const io_source *source);
const struct io_contact *io_source_contacts(const io_source *source);

/* Whether a step (index) has a field (index). A file may lack some fields at some
 * steps. */
bool io_source_has_field(const io_source *source, int step, int field);

/*
 * The number of the grid at a step (index), from 0: steps with the same number have the
 * same coordinates. `moves` tells whether there are several. Local.
 */
int io_source_grid(const io_source *source, int step);
bool io_source_moves(const io_source *source);

/* The blocks of all grids together, as the data have them, and whether the grid of a step
 * has one. A block of several sizes is several blocks of one name. Borrowed. Local. */
int io_source_all_blocks(const io_source *source, const grid_block **blocks);
bool io_source_has_block(const io_source *source, int step, int block);

/* Whether the data say that one of all blocks has the same coordinates at two steps that
 * have it. Local. */
bool io_source_rests(const io_source *source, int a, int b, int block);

/*
 * In place of a step: the one whose grid was chosen. Until one is chosen, that is the
 * first step. Grids may have other blocks: then the blocks of the source change with the
 * choice, and fields are read at steps with the same ones. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
enum { IO_GRID_STEP = -1 };
status io_source_choose_grid(io_source *source, int step);

/* The step whose grid was chosen. Local. */
int io_source_grid_step(const io_source *source);

/* The index that a block of the chosen grid has in the grid of a step, if the data say
 * that it has the same coordinates there; else -1. Local. */
int io_source_same_block(const io_source *source, int step, int block);

/*
 * Something that loading has found out, until the source is closed, or about the grid
 * that was chosen, until another one is: `forget` frees it then. NULL: nothing is kept.
 * Local.
 */
typedef enum io_source_slot { IO_KEPT_OF_GRID, IO_KEPT, IO_KEPT_SLOTS } io_source_slot;
void io_source_keep(io_source *source, io_source_slot slot, void *kept,
                    void (*forget)(void **kept));
void *io_source_kept(io_source *source, io_source_slot slot);

/*
 * Reads one box of one array of a block at a step (index into steps; for coordinates and
 * iblank also IO_GRID_STEP). The values are converted to `out`: double [n[2]][n[1]][n[0]]
 * for coordinates, float for fields, int32 for iblank. Collective: every rank of the
 * communicator passes the same block, array and step, and its own box, which may be
 * empty. MPI-IO reads the boxes together. Errors: STATUS_INPUT: the step lacks the field,
 * or its data set has the wrong shape or type or cannot be read; STATUS_MEMORY. Errors
 * are local: a rank that fails takes part in further reads, and all ranks agree
 * afterwards.
 */
status io_source_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out);

/* Whether io_source_read is local, so that ranks may read other arrays, or nothing, at
 * the same time. The same on all ranks. Local. */
bool io_source_reads_alone(const io_source *source);

/*
 * The same for a field, in double precision: no digit is lost of float64 or packed
 * values, and those beyond float32 stay.
 */
status io_source_read_doubles(io_source *source, int step, int block, int field,
                              const io_box *box, double *out);

/* Whether the stored values of a field fit in float32, as the first step that has the
 * field shows in the first block. Integers and packed values count as float64. Local. */
bool io_source_is_single(const io_source *source, int field);

/* Whether the data are read from this file, by any name. It is known on rank 0 alone. A
 * file that is reached through links of HDF5 is not found. Local. */
bool io_source_reads(const io_source *source, const char *path);

/*
 * Reads one box of a coordinate (IO_ARRAY_X to IO_ARRAY_Z) less `origin`, as float
 * [n[2]][n[1]][n[0]]: (float)(x - origin), x being the value that io_source_read gives
 * at IO_GRID_STEP. float32 in a file is not converted, and the memory of a running
 * program is read in half the bytes. `origin` is the same on every rank. Otherwise as
 * io_source_read.
 */
status io_source_read_places(io_source *source, int block, int array, double origin,
                             const io_box *box, float *out);

/*
 * Says that what was read of fields at the step of the latest reads will soon be read at
 * `step` (index), while the ranks do something else. Bytes of files come into the file
 * cache meanwhile, as posix_fadvise does it; nothing waits for them. Not those that HDF5
 * unpacks, formats decode, or ranks read together. Nothing fails. Collective.
 */
void io_source_expect(io_source *source, int step);

/*
 * Whether this rank has all values of a box of a field in its own memory, so that it may
 * read them without the others; it has then those of all fields at the same location. The
 * box lies inside the array. Other ranks may get other answers; this one stays as long as
 * the source is open. Local.
 */
bool io_source_holds(const io_source *source, int block, int field, const io_box *box);

/* Whether the data lie in the ranks' own memories, as those of a running program do.
 * Local, the same on all ranks. */
bool io_source_is_in_memory(const io_source *source);

/* Reads such a box of fields: the values that io_source_read gives. Local; threads may do
 * so at once. */
void io_source_copy(const io_source *source, const io_fields *fields, const io_box *box,
                    const io_rows *to);

/* The largest number of vertices to read at a time. It is large for a file, since each
 * read costs time, and smaller for the memory of a program, since buffers cost more
 * there. Local. */
int64_t io_source_window(const io_source *source);

#endif

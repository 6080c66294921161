/*
 * Flat blocks: two-dimensional grids, and surfaces, with one vertex along an axis. The
 * kinds of sources read them as they are. Callers see a sheet of one layer of cells: a
 * second plane of vertices lies beside the first, with the same values.
 */
#ifndef IO_FLAT_H
#define IO_FLAT_H

#include "array.h"
#include "base/status.h"
#include "grid/layout.h"

struct io_source;
typedef struct io_flat io_flat;

/*
 * Finds the flat blocks of a source whose catalogue is known. *out is NULL if there is
 * none. Local, the same on all ranks. Errors: STATUS_INPUT: a block has
 * one vertex along two axes; STATUS_MEMORY.
 */
status io_flat_find(struct io_source *source, io_flat **out);
void io_flat_destroy(io_flat **flat);

/* Adds a note, if there are any. Local. Errors: STATUS_MEMORY. */
status io_flat_note(struct io_source *source);

/* The blocks as callers see them: 2 vertices along the axis of a flat one. */
const grid_block *io_flat_blocks(const io_flat *flat);

/* The axis along which a block is flat; -1: none. */
int io_flat_axis(const io_flat *flat, int block);

/* How far the second plane lies off the first; 0: no coordinates were read yet. */
double io_flat_thickness(const io_flat *flat);

/* Reads a box of a flat block, as io_source_read of io/source.h. The second plane lies
 * off the first by a thousandth of the diagonal of all flat blocks, along the normals of
 * the surface. Collective. */
status io_flat_read(struct io_source *source, int step, int block, int array,
                    const io_box *box, void *out);

#endif

/*
 * Data sets that stay open. The arrays of a part of the grid are read in turn, then those
 * of the next part; with its data set HDF5 would close what it has unpacked of chunks.
 */
#ifndef IO_SOURCES_HDF5_OPENED_H
#define IO_SOURCES_HDF5_OPENED_H

#include "dataset.h"
#include "io/unpack.h"

/* The data set of an array of a block at a step. */
typedef struct io_hdf5_opened {
    int step, block, array;
    io_hdf5_dataset dataset;
    io_unpacking unpacking; /* how its values become numbers */
    const void *place;      /* the caller's */
    int64_t used;           /* the number of its last use; 0: free */
} io_hdf5_opened;

enum { IO_HDF5_OPENED = 8 }; /* coordinates, iblank and the inputs of most recipes */

/* Zero: none is open. */
typedef struct io_hdf5_opened_list {
    io_hdf5_opened all[IO_HDF5_OPENED];
    int64_t uses;
} io_hdf5_opened_list;

/* Finds the data set of an array that was kept; NULL: there is none. Local. */
io_hdf5_opened *io_hdf5_opened_find(io_hdf5_opened_list *list, int step, int block,
                                    int array);

/* A place for another one. Closes the data set that was not used for the longest time,
 * unless a place is free. Collective over the ranks that opened the file. */
io_hdf5_opened *io_hdf5_opened_make(io_hdf5_opened_list *list);

/* Keeps a data set for this array. Local. */
void io_hdf5_opened_keep(io_hdf5_opened_list *list, io_hdf5_opened *opened, int step,
                         int block, int array);

/* Closes all. Collective. */
void io_hdf5_opened_close(io_hdf5_opened_list *list);

#endif

/*
 * Data sets that stay open. The arrays of a part of the grid are read in turn, then those
 * of the next part; with its data set HDF5 would close what it has unpacked of chunks.
 * Of values that lie as they are in the file, the place is kept, and the data set is
 * closed: files may have a hundred thousand.
 */
#ifndef IO_SOURCES_HDF5_OPENED_H
#define IO_SOURCES_HDF5_OPENED_H

#include "base/hash.h"
#include "dataset.h"
#include "io/sources/arrays/place.h"
#include "io/unpack.h"

/* The data set of an array of a block at a step. */
typedef struct io_hdf5_opened {
    int step, block, array;
    io_hdf5_dataset dataset;
    io_unpacking unpacking; /* how its values become numbers */
    bool lies;              /* the data set is closed, and its values are here: */
    io_array_place bytes;
    const void *place; /* the caller's */
    int64_t used;      /* the number of its last use; 0: free */
} io_hdf5_opened;

enum { IO_HDF5_OPENED = 8 }; /* coordinates, iblank and the inputs of most recipes */

/* Zero: none is open. */
typedef struct io_hdf5_opened_list {
    io_hdf5_opened all[IO_HDF5_OPENED];
    int64_t uses;
    int64_t nlying;
    struct io_hdf5_lying *lying; /* [nlying] */
    base_lookup places;          /* of them */
    io_hdf5_opened found;        /* the last of them that was found */
    int64_t nunpackings;
    io_unpacking *unpackings; /* [nunpackings]: those of `lying` */
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

/* Keeps the place of an array whose values lie in the file, and closes the data set.
 * Local. Errors: STATUS_MEMORY. */
status io_hdf5_opened_place(io_hdf5_opened_list *list, io_hdf5_opened *opened,
                            const io_array_place *bytes);

/* Closes all. Collective. */
void io_hdf5_opened_close(io_hdf5_opened_list *list);

#endif

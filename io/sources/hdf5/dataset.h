/* Data sets of an HDF5 file: opening, checks, and errors of HDF5. */
#ifndef IO_SOURCES_HDF5_DATASET_H
#define IO_SOURCES_HDF5_DATASET_H

#include "driver.h"
#include "names.h"

#include <hdf5.h>

/* An HDF5 file and its name in messages. */
typedef struct io_hdf5_file {
    hid_t id;
    const char *path;
    int descriptor; /* io_hdf5_driver_descriptor */
} io_hdf5_file;

enum { IO_HDF5_AXES = 3 + 2 * IO_MOST_AXES + 1 };

/* An open data set of numbers. Each of its axes, in the file's order, is one of the grid
 * or has a fixed index, that of a component or a step. */
typedef struct io_hdf5_dataset {
    hid_t id;
    io_hdf5_place place;
    int rank;
    int64_t shape[IO_HDF5_AXES]; /* [rank]: values along the file's axes */
    int axis[IO_HDF5_AXES];      /* [rank]: 0, 1, 2 for i, j, k; -1: fixed, */
    int64_t at[IO_HDF5_AXES];    /* [rank]: at this index */
    int64_t n[3];     /* values along i, j, k; 0: no such axis, values are the same along
                         it */
    bool is_virtual;  /* its values lie in other data sets */
    bool is_float;    /* true: floating-point; false: integer */
    bool is_unsigned; /* of integers */
    size_t precision; /* bytes of one number */
    int descriptor;   /* of a file that has all values one behind the other, in the type
                         `as_stored`, from byte `offset` on; -1: HDF5 has to read them */
    bool owns_descriptor; /* it is that of raw data, closed with the data set */
    int64_t offset;
    int in_chunks; /* descriptor of a file that has them so in chunks, or -1 */
    int64_t chunk[IO_HDF5_AXES]; /* [rank]: values of a chunk */
    hid_t as_stored; /* H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE or H5T_NATIVE_INT32, */
    bool swaps;      /* but for the order of bytes */
} io_hdf5_dataset;

/*
 * Opens the data set at `place`. Collective over the ranks that opened the file. Errors:
 * STATUS_INPUT: there is no such object, or it is a group, is not numeric, has the wrong
 * number of axes, lacks the component or step, or takes values from a file that is
 * missing.
 */
status io_hdf5_dataset_open(const io_hdf5_file *file, const io_hdf5_place *place,
                            io_hdf5_dataset *out);

/*
 * Refuses coordinates that were never written, and extents that the bytes in the file
 * cannot fill: reading them would take for ever. Local. Errors: STATUS_INPUT.
 */
status io_hdf5_dataset_check_stored(const io_hdf5_file *file,
                                    const io_hdf5_dataset *dataset);

/* Closes a data set; does nothing if it was never opened (id 0). */
void io_hdf5_dataset_close(io_hdf5_dataset *dataset);

/* Fails if the data set does not have n values along i, j, k. The name `what`, for the
 * message, is that of the thing with these dimensions. Local. */
status io_hdf5_dataset_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const int64_t n[3], const char *what);

/* Finds whether a data set has values at the vertices or in the cells of a block: sets
 * location and, if cells `may_close` the block (it is alone), closing. Local. Errors:
 * STATUS_INPUT if it fits neither. */
status io_hdf5_location_find(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const grid_block *block, bool may_close, grid_field *out);

/* Fails if the data set does not fit the block at the location of the field. Local. */
status io_hdf5_location_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                              const grid_block *block, const grid_field *field);

/* HDF5's own description of its latest failure. Call it before any other function of
 * HDF5. */
enum { IO_HDF5_REASON_SIZE = 256 };
void io_hdf5_reason(char reason[IO_HDF5_REASON_SIZE]);

#endif

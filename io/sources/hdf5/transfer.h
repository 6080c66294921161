/* Reading of boxes of data sets. */
#ifndef IO_SOURCES_HDF5_TRANSFER_H
#define IO_SOURCES_HDF5_TRANSFER_H

#include "attributes.h"
#include "io/sources/arrays/place.h"

#include <mpi.h>

/* A property list with the mode of reads for the ranks of comm; close it with H5Pclose.
 * Collective. */
hid_t io_hdf5_transfer_mode(MPI_Comm comm);

typedef struct io_hdf5_transfer {
    const io_hdf5_file *file;
    const io_hdf5_dataset *dataset;
    const io_array_place *bytes;   /* where its values lie in the file: the data set may
                                      be closed; NULL: that is not known */
    const io_unpacking *unpacking; /* how stored values become numbers */
    hid_t mode;                    /* io_hdf5_transfer_mode */
    int array;                     /* IO_ARRAY_X … or a field, for the type of `out` */
    bool wants_doubles;            /* of a field: `out` is double */
    const double *origin;          /* of a coordinate: `out` is float, less *origin; NULL:
                                      it is double */
} io_hdf5_transfer;

/* Finds where the values of the data set lie in the file, for all reads of the array;
 * false: HDF5 may have to read them, or they lie in another file. Local. */
bool io_hdf5_transfer_place(const io_hdf5_transfer *transfer, io_array_place *out);

/* Reads a box of a data set: as io_source_read, or io_source_read_places with an origin.
 * Collective, errors are local. */
status io_hdf5_transfer_read(const io_hdf5_transfer *transfer, const io_box *box,
                             void *out);

#endif

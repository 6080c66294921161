/* Data sets of an HDF5 file, opened and looked at. */
#ifndef IO_HDF5_DATASET_H
#define IO_HDF5_DATASET_H

#include "names.h"

#include <hdf5.h>

/* An HDF5 file and the name that messages call it by. */
typedef struct io_hdf5_file {
    hid_t id;
    const char *path;
} io_hdf5_file;

/* An open data set of numbers: three axes, or a fourth one with components. */
typedef struct io_hdf5_dataset {
    hid_t id;
    io_hdf5_place place;
    int64_t n[3];     /* values along i, j, k: the file's axes are the other way round */
    bool is_float;    /* else integer */
    bool is_unsigned; /* of integers */
    size_t precision; /* bytes of one number */
} io_hdf5_dataset;

/*
 * Opens what is at `place`. Collective over the ranks that opened the file.
 * Errors: STATUS_INPUT: nothing there, a group, not numbers, the wrong number of axes, no
 * such component.
 */
status io_hdf5_dataset_open(const io_hdf5_file *file, const io_hdf5_place *place,
                            io_hdf5_dataset *out);

/* Closes it; one that was never opened (id 0) is fine. */
void io_hdf5_dataset_close(io_hdf5_dataset *dataset);

/* Fails where the data set's values are not n along i, j, k; `what` needs them to be.
 * Local. */
status io_hdf5_dataset_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const int64_t n[3], const char *what);

/* Finds whether a data set holds values at the vertices or in the cells of a block.
 * Local. Errors: STATUS_INPUT where it fits neither way. */
status io_hdf5_location_find(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                             const grid_block *block, grid_location *out);

/* Fails where the data set does not fit the block at the location of the field. Local. */
status io_hdf5_location_check(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                              const grid_block *block, const grid_field *field);

/* HDF5's own words for its latest failure. Call it before anything else of HDF5. */
enum { IO_HDF5_REASON_SIZE = 256 };
void io_hdf5_reason(char reason[IO_HDF5_REASON_SIZE]);

/* HDF5 prints its error stack on its own; between these two it is silent, and then as
 * before. */
typedef struct io_hdf5_printing {
    H5E_auto2_t print;
    void *data;
} io_hdf5_printing;

io_hdf5_printing io_hdf5_printing_stop(void);
void io_hdf5_printing_restore(io_hdf5_printing before);

#endif

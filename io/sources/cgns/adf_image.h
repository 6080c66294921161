/*
 * An ADF file as an HDF5 file in memory, so that all other code reads one format. Groups
 * and attributes are those of the SIDS-to-HDF5 mapping; a node that is a link is a link
 * of HDF5. Small data are copied. Large ones stay where they are: their data sets have
 * external storage, the bytes of the ADF file.
 */
#ifndef IO_SOURCES_CGNS_ADF_IMAGE_H
#define IO_SOURCES_CGNS_ADF_IMAGE_H

#include "io/sources/hdf5/dataset.h"

#include <mpi.h>

/* The bytes of an HDF5 file; zero: none. */
typedef struct cgns_adf_image {
    void *bytes;
    int64_t size;
} cgns_adf_image;

/*
 * Makes the image of an ADF file and of those that it links to; does nothing for other
 * files. Names links that lead to no node in a warning. Free out->bytes. Local. Errors:
 * STATUS_INPUT: a file is damaged or missing, is no ADF file, or has more nodes than
 * files of the format have; STATUS_MEMORY.
 */
status cgns_adf_image_make(const char *path, cgns_adf_image *out);

/* Gives rank 0's image to all ranks. Collective. Errors: STATUS_MEMORY, on all ranks. */
status cgns_adf_image_share(MPI_Comm comm, cgns_adf_image *image);

/* Opens the image of the file at `path`, which is borrowed. Local; close with H5Fclose.
 * Errors: STATUS_MEMORY. */
status cgns_adf_image_open(const cgns_adf_image *image, const char *path,
                           io_hdf5_file *out);

#endif

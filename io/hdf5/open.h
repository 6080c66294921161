/* HDF5 files, opened; files that are none are refused. */
#ifndef IO_HDF5_OPEN_H
#define IO_HDF5_OPEN_H

#include "dataset.h"

#include <mpi.h>

/*
 * Looks at a file before HDF5 does: it must be there, readable, a regular file, and HDF5
 * by its signature. Local. Errors: STATUS_INPUT: else; the message names the format where
 * its first bytes tell it.
 */
status io_hdf5_file_check(const char *path);

/* Opens the file on the ranks of comm; close out->id with H5Fclose. Collective over comm;
 * errors are the same on all of them, because MPI_File_open agrees. `path` is borrowed
 * until the file is closed. */
status io_hdf5_file_open(MPI_Comm comm, const char *path, io_hdf5_file *out);

#endif

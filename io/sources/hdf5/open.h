/* Opening of HDF5 files; other files are refused. */
#ifndef IO_SOURCES_HDF5_OPEN_H
#define IO_SOURCES_HDF5_OPEN_H

#include "dataset.h"

#include <mpi.h>

/*
 * Checks a file before HDF5 opens it: it must exist, be a readable regular file, and have
 * HDF5's signature. Local. Errors: STATUS_INPUT; the message names the format if the
 * first bytes tell it.
 */
status io_hdf5_file_check(const char *path);

/* Whether all ranks of comm are on one node. Collective. */
bool io_hdf5_is_one_node(MPI_Comm comm);

/* Opens the file on the ranks of comm; close out->id with H5Fclose. Ranks of one node
 * open it for themselves (driver.h), those of several by MPI-IO. Collective over comm;
 * errors are local. is_alone: each rank opens it for itself, as virtual data sets need;
 * local then. `path` is borrowed until the file is closed. */
status io_hdf5_file_open(MPI_Comm comm, const char *path, bool is_alone,
                         io_hdf5_file *out);

#endif

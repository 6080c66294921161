/* HDF5 files that are made in memory, and written to the disk as bytes. */
#ifndef IO_HDF5_IN_MEMORY_H
#define IO_HDF5_IN_MEMORY_H

#include <hdf5.h>

/*
 * Creates a file in memory. HDF5 must not write to the disk: after a failed write on a
 * full disk it cannot even close the file, and crashes when the program ends. growth: the
 * bytes by which memory grows. *bytes is NULL before the call; H5Fclose sets it to the
 * contents, for the caller to free. Local. Returns the file, < 0 if memory runs out.
 */
hid_t io_hdf5_create_in_memory(const char *name, size_t growth, void **bytes);

#endif

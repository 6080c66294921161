/* HDF5 files in memory: made there to be written to the disk as bytes, or read there. */
#ifndef IO_SOURCES_HDF5_IN_MEMORY_H
#define IO_SOURCES_HDF5_IN_MEMORY_H

#include <hdf5.h>

/*
 * Creates a file in memory. HDF5 must not write to the disk: after a failed write on a
 * full disk it cannot even close the file, and crashes when the program ends. growth: the
 * bytes by which memory grows. *bytes is NULL before the call; H5Fclose sets it to the
 * contents, for the caller to free. Local. Returns the file, < 0 if memory runs out.
 */
hid_t io_hdf5_create_in_memory(const char *name, size_t growth, void **bytes);

/* Opens a file that lies in memory, to be read. HDF5 copies the bytes: [size]. `name` is
 * that of no file. Local. Returns the file, < 0 if memory runs out or it is no file. */
hid_t io_hdf5_open_in_memory(const char *name, void *bytes, size_t size);

#endif

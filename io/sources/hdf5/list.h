/* Lists the contents of a file of another layout than karman's own. */
#ifndef IO_SOURCES_HDF5_LIST_H
#define IO_SOURCES_HDF5_LIST_H

#include "io/sources/listing/listing.h"

/*
 * Opens an HDF5 file on this rank only. If it is meant to have karman's own layout, *out
 * is NULL; else its contents, up to limits on number and depth. Links into other files
 * are followed once. An object that cannot be opened is listed as a link. Local; needs
 * MPI. Errors: STATUS_INPUT as io_source_open, STATUS_MEMORY.
 */
status io_hdf5_list(const char *path, io_listing **out);

#endif

/* The catalogue of an HDF5 file: its blocks, fields and steps. */
#ifndef IO_HDF5_CONTENTS_H
#define IO_HDF5_CONTENTS_H

#include "dataset.h"

/*
 * Reads the metadata of a file into an empty catalogue. Checks the shapes and types of
 * all coordinates, and of every field at its first step. Collective over the ranks that
 * opened the file (usually one). After a failure the caller clears the catalogue. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status io_hdf5_catalog_read(const io_hdf5_file *file, const io_data_config *config,
                            const io_hdf5_names *names, io_catalog *catalog);

#endif

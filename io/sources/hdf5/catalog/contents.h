/* The catalogue of an HDF5 file: its blocks, fields and steps. */
#ifndef IO_SOURCES_HDF5_CATALOG_CONTENTS_H
#define IO_SOURCES_HDF5_CATALOG_CONTENTS_H

#include "io/sources/hdf5/dataset.h"

/* The open files of a source: the grid may have one of its own. */
typedef struct io_hdf5_files {
    io_hdf5_file flow, grid; /* id 0: not open */
    bool has_grid;           /* `grid` is a file of its own */
} io_hdf5_files;

/*
 * Reads the metadata of the files into an empty catalogue. Checks the shapes and types of
 * all coordinates, and of every field at its first step. *is_virtual: one of these data
 * sets is virtual. Collective over the ranks that opened the files (usually one). After a
 * failure the caller clears the catalogue. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_hdf5_catalog_read(const io_hdf5_files *files, const io_data_config *config,
                            const io_hdf5_names *names, io_catalog *catalog,
                            bool *is_virtual);

#endif

/* What an HDF5 file holds: its blocks, fields and steps. */
#ifndef IO_HDF5_CONTENTS_H
#define IO_HDF5_CONTENTS_H

#include "dataset.h"

/*
 * Reads the metadata of a file into an empty catalogue; shapes and types of all
 * coordinates, and of every field where it first appears, are checked. Collective over
 * the ranks that opened the file (one alone, as a rule). What is in the catalogue after a
 * failure is the caller's to clear. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_hdf5_catalog_read(const io_hdf5_file *file, const io_data_config *config,
                            const io_hdf5_names *names, io_catalog *catalog);

#endif

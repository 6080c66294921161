/* Types, values and storage of HDF5, as text for the user. */
#ifndef IO_SOURCES_HDF5_DESCRIBE_H
#define IO_SOURCES_HDF5_DESCRIBE_H

#include <hdf5.h>
#include <stddef.h>

enum { IO_HDF5_TEXT_SIZE = 160 };

/* The type, as "float32", "int64 big-endian", "text", "compound {re, im}", … */
void io_hdf5_type_text(hid_t type, char out[IO_HDF5_TEXT_SIZE]);

/* A few numbers or a short text in full; shape and type of any other attribute. */
void io_hdf5_value_text(hid_t attribute, char out[IO_HDF5_TEXT_SIZE]);

/* The storage, as "chunks 16 x 64 x 64, deflate"; "" for contiguous values. */
void io_hdf5_storage_text(hid_t dataset, char out[IO_HDF5_TEXT_SIZE]);

#endif

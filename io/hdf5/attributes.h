/* What attributes of a data set say of its values: the conventions of netCDF. */
#ifndef IO_HDF5_ATTRIBUTES_H
#define IO_HDF5_ATTRIBUTES_H

#include "dataset.h"
#include "io/unpack.h"

/*
 * Finds how the values of an open data set become numbers: _FillValue and missing_value
 * (numbers of any type, up to IO_MOST_FILLS), scale_factor and add_offset. Without a
 * _FillValue it is netCDF's default, where the data set was created with that. One of the
 * first two that is no such list is left out: *ignored is its name then, else NULL. Local
 * or collective, as its data set was opened. Errors: STATUS_INPUT where scale_factor or
 * add_offset is not one finite number.
 */
status io_hdf5_unpacking_read(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                              io_unpacking *out, const char **ignored);

/* The type of HDF5 that stored values are read as. Local. */
hid_t io_hdf5_native_type(io_stored_type type);

/* Adds the values that the config says are missing. Local. */
void io_hdf5_unpacking_add(const io_data_config *config, io_unpacking *unpacking);

#endif

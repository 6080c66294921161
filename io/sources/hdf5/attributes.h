/* Attributes that tell how values of a data set are stored: the conventions of netCDF. */
#ifndef IO_SOURCES_HDF5_ATTRIBUTES_H
#define IO_SOURCES_HDF5_ATTRIBUTES_H

#include "dataset.h"
#include "io/unpack.h"

/*
 * Finds how the values of an open data set become numbers, by its attributes _FillValue
 * and missing_value (numbers of any type, up to IO_MOST_FILLS), scale_factor and
 * add_offset. Without a _FillValue netCDF's default counts, if the data set was created
 * with it. `positive: down` turns the sign of a coordinate. If one of the first two is
 * not a list of numbers, it is ignored, and *ignored becomes its name; otherwise *ignored
 * is NULL. Local or collective, as the data set was opened. Errors: STATUS_INPUT if
 * scale_factor or add_offset is not one finite number.
 */
status io_hdf5_unpacking_read(const io_hdf5_file *file, const io_hdf5_dataset *dataset,
                              io_unpacking *out, const char **ignored);

/* Finds the unit of the values of an open data set, by its attribute units or unit. Local
 * or collective, as the data set was opened. */
void io_hdf5_unit_read(const io_hdf5_dataset *dataset, char unit[IO_UNIT_SIZE]);

/* Whether an open data set has longitudes in degrees, by the attributes units and
 * standard_name, or by its name. Local or collective, as the data set was opened. */
bool io_hdf5_is_longitude(const io_hdf5_dataset *dataset);

/* The HDF5 type as which stored values are read. Local. */
hid_t io_hdf5_native_type(io_stored_type type);

/* Adds the fill values of the config. Local. */
void io_hdf5_unpacking_add(const io_data_config *config, io_unpacking *unpacking);

#endif

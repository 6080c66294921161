/* Virtual data sets: their values lie in data sets of other files. */
#ifndef IO_HDF5_VIRTUAL_H
#define IO_HDF5_VIRTUAL_H

#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>

/*
 * Finds whether an open data set is virtual and, if so, checks that the files with its
 * values are there: HDF5 would return fill values instead. `file` is the path of its
 * file, and `path` that of the data set. Local. Errors: STATUS_INPUT names the missing
 * file.
 */
status io_hdf5_virtual_check(const char *file, hid_t dataset, const char *path,
                             bool *is_virtual);

#endif

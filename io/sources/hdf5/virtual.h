/* Data sets whose values lie in other files: virtual ones, and raw data. */
#ifndef IO_SOURCES_HDF5_VIRTUAL_H
#define IO_SOURCES_HDF5_VIRTUAL_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Whether HDF5 can read the values of a data set. A virtual data set whose sources are
 * missing reads as fill values. Circles of virtual data sets overflow the stack; raw data
 * in a pipe wait for ever, and read as zeros beyond the end of their file. After "no" the
 * next io_hdf5_watch_check fails with the reason. *is_virtual may be NULL. Local.
 */
bool io_hdf5_values_are_safe(hid_t dataset, bool *is_virtual);

/* The byte of a data set's own file where all of its values begin, one behind the other;
 * -1: they do not lie so. Local. */
int64_t io_hdf5_values_offset(hid_t dataset);

/* Opens the file that has all values of a data set as raw data in one stretch, from byte
 * *offset on; -1: there is none. Local. */
int io_hdf5_raw_open(hid_t dataset, int64_t *offset);

/* Opens a data set if its values are safe; -1: it is missing, or they are not. */
hid_t io_hdf5_values_open(hid_t location, const char *path);

#endif

/* Layouts of other programs in HDF5, told by their marks. */
#ifndef IO_HDF5_LAYOUTS_H
#define IO_HDF5_LAYOUTS_H

#include "dataset.h"

#include <stdbool.h>

typedef struct io_hdf5_layout {
    char name[160];        /* such as "a VTKHDF file (PolyData)"; "": unknown */
    char obstacle[160];    /* why no config helps, as a clause; "": one may */
    bool hides_attributes; /* they are the library's own */
} io_hdf5_layout;

/* Finds which program's layout a file has. Local. */
void io_hdf5_layout_find(const io_hdf5_file *file, io_hdf5_layout *out);

/* Whether a file means to be of karman's own layout: it says so by karman_format, or has
 * a block in /grid and, where there is a /flow, its step there. Local. */
bool io_hdf5_layout_is_own(const io_hdf5_file *file);

#endif

/* Recognition of other programs' layouts in HDF5. */
#ifndef IO_SOURCES_HDF5_LAYOUTS_H
#define IO_SOURCES_HDF5_LAYOUTS_H

#include "dataset.h"

#include <stdbool.h>

typedef struct io_hdf5_layout {
    char name[160];        /* such as "a VTKHDF file (PolyData)"; "": unknown */
    char obstacle[160];    /* a clause on why no config helps; "": a config may help */
    bool hides_attributes; /* the attributes belong to the library */
} io_hdf5_layout;

/* Finds the layout of a file. Local. */
void io_hdf5_layout_find(const io_hdf5_file *file, io_hdf5_layout *out);

/* Whether a file is meant to have karman's own layout: it has the attribute
 * karman_format, or a block in /grid and, if it has a /flow, a step there. Local. */
bool io_hdf5_layout_is_own(const io_hdf5_file *file);

#endif

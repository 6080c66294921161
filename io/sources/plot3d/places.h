/* The places of the arrays of PLOT3D files, for the table that they are read by. */
#ifndef IO_SOURCES_PLOT3D_PLACES_H
#define IO_SOURCES_PLOT3D_PLACES_H

#include "io/sources/arrays/arrays.h"
#include "series.h"

/* Sets the places of coordinates and iblank, and those of the fields of a series, from
 * field `first` on, at all of its steps. Local. Errors: STATUS_MEMORY. */
status plot3d_places_set_grid(const plot3d_header *grid, const io_catalog *catalog,
                              io_array_table *table);
status plot3d_places_set_fields(const plot3d_series *series, int first, int step,
                                const io_catalog *catalog, io_array_table *table);

/* io_array_format.decode of arrays in text. */
status plot3d_places_decode(const char *path, const io_array_place *place, void **values,
                            int64_t *bytes);

#endif

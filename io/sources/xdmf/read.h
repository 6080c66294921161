/* Describes an XDMF file, and decodes its arrays. */
#ifndef IO_SOURCES_XDMF_READ_H
#define IO_SOURCES_XDMF_READ_H

#include "io/sources/arrays/builder.h"

/* Adds the grids of a file, their fields and steps, and completes the builder. Local;
 * needs MPI. Errors: STATUS_INPUT: there is no structured grid, a file is missing or
 * damaged, or karman was built without libxml2; STATUS_MEMORY. */
status xdmf_describe(const char *path, io_array_builder *builder);

/* io_array_format.decode. */
status xdmf_decode(const char *path, const io_array_place *place, void **values,
                   int64_t *bytes);

#endif

/* Describes an XDMF file, and decodes its arrays. */
#ifndef IO_SOURCES_XDMF_READ_H
#define IO_SOURCES_XDMF_READ_H

#include "io/sources/arrays/builder.h"

/* Needs MPI. Errors of `describe`: STATUS_INPUT: there is no structured grid, a file is
 * missing or damaged, or karman was built without libxml2; STATUS_MEMORY. */
extern const io_array_format xdmf_format;

#endif

/* Sources with turned, reflected and shifted copies of their blocks (data.copies).
 * Private to io/sources. */
#ifndef IO_SOURCES_COPIES_COPIES_H
#define IO_SOURCES_COPIES_COPIES_H

#include "io/source.h"

/* io_source_open of a config with copies, without looking at what the fields mean.
 * Collective. Errors: as io_source_open; STATUS_USAGE: a block is not there. */
status copies_open(MPI_Comm comm, const io_data_config *config, io_source **out);

#endif

/* Sources of one file, or of a series of files, each of which is such a source. Private
 * to io/sources. */
#ifndef IO_SOURCES_SERIES_SERIES_H
#define IO_SOURCES_SERIES_SERIES_H

#include "io/source.h"

/* Whether a config names several files: a list, a folder or a pattern. Local. */
bool series_is_wanted(const io_data_config *config);

/* io_source_open, without looking at what the fields mean. `borrows_comm`: ranks keep to
 * `comm` itself, which stays open until the source is closed, and blocks are shown as
 * they are. Collective. Errors: as io_source_open. */
status series_open(MPI_Comm comm, bool borrows_comm, const io_data_config *config,
                   io_source **out);

/* io_source_list. Of a series the first file stands for all. */
status series_list(const char *path, struct io_listing **out);

#endif

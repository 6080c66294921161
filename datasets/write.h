/* Writes data sets as HDF5 files in karman's own layout, with an XDMF file beside them.
 */
#ifndef DATASETS_WRITE_H
#define DATASETS_WRITE_H

#include "options.h"

#include <mpi.h>

/* Writes the data set to `path` in pieces of some planes of constant k. Each rank writes
 * its share of each piece, so memory stays small for any size. The file appears under its
 * name only when it is complete. The same options give the same bytes. Collective.
 *
 * Errors, the same on every rank: STATUS_USAGE for invalid options; STATUS_MEMORY;
 * STATUS_OUTPUT (the folder cannot be made or is read-only, the disk is full), which
 * leaves no file behind. */
status dataset_write(MPI_Comm comm, const dataset *set, const dataset_options *options,
                     const char *path);

#endif

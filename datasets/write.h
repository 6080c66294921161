/* Writes data sets as HDF5 files in karman's own layout, with an XDMF file beside them.
 */
#ifndef DATASETS_WRITE_H
#define DATASETS_WRITE_H

#include "options.h"

#include <mpi.h>

/*
 * Writes the data set to `path`, in pieces of some planes of constant k, each rank its
 * share of each piece: memory stays small for any size. The file appears under its name
 * only when it is complete; the same options give the same bytes. Collective. Errors, the
 * same on every rank: STATUS_USAGE for options that make no sense, STATUS_OUTPUT (folder
 * that cannot be made or is read-only, disk full) with nothing left behind,
 * STATUS_MEMORY.
 */
status dataset_write(MPI_Comm comm, const dataset *set, const dataset_options *options,
                     const char *path);

#endif

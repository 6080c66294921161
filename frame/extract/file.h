/* A file of the bytes of all ranks. */
#ifndef FRAME_EXTRACT_FILE_H
#define FRAME_EXTRACT_FILE_H

#include "base/status.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes a file of the bytes that ranks have, in their order. Folders are made; the file
 * is written under a temporary name, then renamed. printed: this rank's status so far.
 * Collective. Errors, the same on every rank: `printed`, STATUS_OUTPUT, STATUS_MEMORY.
 */
status extract_file_write(MPI_Comm comm, status printed, const char *path,
                          const char *bytes, size_t size);

#endif

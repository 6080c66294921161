/* A PLOT3D file that all ranks have open. */
#ifndef IO_SOURCES_PLOT3D_PART_H
#define IO_SOURCES_PLOT3D_PART_H

#include "header.h"
#include "io/array.h"

#include <mpi.h>

typedef struct plot3d_part {
    char *path;
    plot3d_header header; /* the same on every rank */
    bool is_open;
    int descriptor; /* -1: none */
    plot3d_text text;
} plot3d_part;

/*
 * Opens a file: rank 0 reads the header, and the ranks count the numbers of a text
 * together. Only rank 0 uses request->path and request->grid; the rest is the same on
 * every rank. Collective. Errors, the same on every rank: those of plot3d_header_read.
 */
status plot3d_part_open(MPI_Comm comm, const plot3d_request *request, plot3d_part *out);

/* Closes a file; does nothing if it was never opened. Collective. */
void plot3d_part_close(plot3d_part *part);

/*
 * Reads one box of an array of a block: floating-point values as doubles, or as floats if
 * the file has float32 (plot3d_part_is_single), of array `value` of the block; or iblank,
 * as int32, for value -1. out: [n[2]][n[1]][n[0]]. Local.
 */
status plot3d_part_read(plot3d_part *part, int block, int64_t value, const io_box *box,
                        void *out);
bool plot3d_part_is_single(const plot3d_part *part);

#endif

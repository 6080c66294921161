/* The catalogue of a PLOT3D grid and its files of values. */
#ifndef IO_SOURCES_PLOT3D_CONTENTS_H
#define IO_SOURCES_PLOT3D_CONTENTS_H

#include "series.h"

/* The files of values of a grid. Fields are those of the q files, then those of the
 * function files. */
typedef struct plot3d_contents {
    plot3d_series q, function;
    int64_t nq;             /* fields of q files */
    io_stored_type type[2]; /* of the values of q and function files */
} plot3d_contents;

/*
 * Finds the files of values that belong to a grid, checks their headers, and fills in the
 * catalogue. Local. Errors: STATUS_INPUT: a file is missing or bad, or does not fit the
 * grid; STATUS_MEMORY.
 */
status plot3d_contents_read(const char *path, const io_data_config *config,
                            const plot3d_header *grid, plot3d_contents *contents,
                            io_catalog *catalog);
void plot3d_contents_clear(plot3d_contents *contents);

#endif

/* The state of a series. */
#ifndef IO_SOURCES_SERIES_STATE_H
#define IO_SOURCES_SERIES_STATE_H

#include "io/source.h"
#include "steps.h"

typedef struct series_state {
    io_data_config config; /* for each file: its `file` is borrowed from `files` */
    series_files files;
    int nsteps;
    series_step *steps;    /* [nsteps], by ascending number */
    io_source *grid;       /* the first file; NULL: not open */
    io_source *flow;       /* another file; NULL: none is open */
    int flow_file;         /* its index */
    bool has_other_blocks; /* some files have; rank 0 */
    /* Opens a file of the series. Collective over comm. */
    status (*open)(MPI_Comm comm, struct series_state *state, int file, io_source **out);
} series_state;

#endif

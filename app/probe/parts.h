/* Inside app/probe: lists of points, and tables. */
#ifndef APP_PROBE_PARTS_H
#define APP_PROBE_PARTS_H

#include "frame/probe/probe.h"
#include "sample.h"

typedef struct sample_points {
    int64_t count;
    frame_probe_wish *wishes; /* [count] */
    bool is_line;             /* they follow each other */
} sample_points;

/* Finds the points of a request; those by place are views of data coordinates. Rank 0
 * reads a file. Collective. Errors: STATUS_USAGE, STATUS_INPUT (the file),
 * STATUS_MEMORY. */
status sample_find_points(MPI_Comm comm, const app_sample_request *request,
                          const io_source *source, sample_points *out);

/* All that is printed. */
typedef struct sample_table {
    const io_source *source;
    const frame_probe_point *points; /* [npoints], in the coordinates of the picture */
    int64_t npoints;
    bool is_line;
    int nfields;
    char **fields; /* [nfields] */
    int nsteps;
    const int *steps; /* [nsteps]: indices; none: a grid alone */
    double *values;   /* [nsteps][nfields][npoints] */
} sample_table;

/* Writes it on this rank. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status sample_write(const app_sample_request *request, const sample_table *table);

#endif

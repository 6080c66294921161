/* Inside app/probe: tables of values. */
#ifndef APP_PROBE_TABLE_H
#define APP_PROBE_TABLE_H

#include "frame/probe/point.h"
#include "io/source.h"
#include "request.h"

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

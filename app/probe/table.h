/* Inside app/probe: tables of values. */
#ifndef APP_PROBE_TABLE_H
#define APP_PROBE_TABLE_H

#include "base/vec.h"
#include "frame/probe/point.h"
#include "io/source.h"
#include "request.h"

/* All that is printed. */
typedef struct sample_table {
    const io_source *source;
    /* [nsteps, if the grid moves, or else 1][npoints], in the coordinates of the picture
     */
    const frame_probe_point *points;
    int64_t npoints;
    bool moves; /* the grid does */
    bool is_line;
    const double *ages; /* [npoints], along a streamline; NULL: there are none */
    int nfields;
    char **fields;      /* [nfields] */
    const char **units; /* [nfields]; NULL: none is known */
    int nsteps;
    const int *steps; /* [nsteps]: indices; none: a grid alone */
    double *values;   /* [nsteps][nfields][npoints] */
} sample_table;

/* At a step (of the table): where a point is; its place in the coordinates of the data;
 * the way to it along the points of a line, from that to the point before; and a value.
 * Local. */
const frame_probe_point *sample_point(const sample_table *table, int step, int64_t point);
vec3 sample_place(const sample_table *table, int step, int64_t point);
double sample_way(const sample_table *table, int step, int64_t point, double before);
double sample_value(const sample_table *table, int step, int field, int64_t point);

/* Writes it as CSV or JSON on this rank. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status sample_write(const app_sample_request *request, const sample_table *table);

#endif

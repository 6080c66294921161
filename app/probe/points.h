/* Inside app/probe: the points of a request. */
#ifndef APP_PROBE_POINTS_H
#define APP_PROBE_POINTS_H

#include "frame/probe/point.h"
#include "io/source.h"
#include "request.h"

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

#endif

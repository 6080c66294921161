/* One streamline through a point. */
#ifndef FRAME_PARTICLES_STREAM_H
#define FRAME_PARTICLES_STREAM_H

#include "grid/recipe.h"
#include "io/source.h"

#include <mpi.h>

/* The step of a source in which it is traced. */
typedef struct frame_stream {
    MPI_Comm comm;
    io_source *source;
    const grid_layout *layout; /* of the step; blocks have priorities */
    const grid_terms *terms;   /* the velocity may be derived */
    int step;                  /* index */
} frame_stream;

typedef struct frame_stream_point {
    double x[3]; /* in the layout's coordinates, with its origin */
    double time; /* from the given point, below 0 upstream */
} frame_stream_point;

/*
 * Traces the streamline through x, up- and downstream, as particles of a config with the
 * mode stream do. points: [*count], along the flow, malloc'ed; the same on every rank.
 * Collective. Errors: STATUS_USAGE (x lies in no cell), STATUS_INPUT (there is no
 * velocity), STATUS_MEMORY.
 */
status frame_stream_trace(const frame_stream *stream, const double x[3], int64_t *count,
                          frame_stream_point **points);

#endif

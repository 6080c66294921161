/* Inside frame/measure: the bricks of a place. */
#ifndef FRAME_MEASURE_BRICKS_H
#define FRAME_MEASURE_BRICKS_H

#include "place.h"

#include <mpi.h>

/* This rank's bricks. */
typedef struct measure_bricks {
    uint8_t *own;     /* [layout->nbricks]: 1: their cells and faces count on this rank */
    int64_t count;    /* those to load: the own ones and, for faces, those beside them */
    int64_t *numbers; /* [count], ascending */
} measure_bricks;

/* Shares out the bricks of a place. spec: its surface; NULL: a volume. Free `own` and
 * `numbers`. Local. Errors: STATUS_MEMORY. */
status measure_bricks_share(MPI_Comm comm, const grid_layout *layout,
                            const frame_measure_place *place, const surface_spec *spec,
                            measure_bricks *out);

/* The brick that a face or a cut of a cell counts for. Local. */
int64_t measure_bricks_of(const grid_layout *layout, const surface_facet *facet);

#endif

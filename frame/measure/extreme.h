/* The place of a field's least or greatest value. */
#ifndef FRAME_MEASURE_EXTREME_H
#define FRAME_MEASURE_EXTREME_H

#include "base/vec.h"
#include "grid/recipe.h"
#include "io/load/load.h"

typedef struct frame_extreme {
    double value; /* NaN: there is no finite value */
    vec3 at; /* the vertex, or the middle of the cell, in the layout's coordinates with
                its origin; of several with this value the one with the least x, y, z */
} frame_extreme;

/*
 * Finds the greatest (or least) finite value in present cells at a step (index), whose
 * grid is chosen. The same on every rank; each reads its share of the grid in parts.
 * Collective. Errors: those of io_load_field, STATUS_MEMORY.
 */
status frame_extreme_find(MPI_Comm comm, io_source *source, const io_load_series *series,
                          bool is_greatest, frame_extreme *out);

#endif

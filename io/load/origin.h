/* Inside io/load: the first pass over a grid: the extents of its blocks, and the origin.
 */
#ifndef IO_LOAD_ORIGIN_H
#define IO_LOAD_ORIGIN_H

#include "motion/past.h"
#include "sweep.h"

#include <math.h>

/* Bricks that this rank reads. */
typedef struct io_load_bricks_read {
    int64_t count;
    int64_t *numbers; /* [count], ascending */
} io_load_bricks_read;

/* Whether a vertex of a patch has valid coordinates. Local. */
static inline bool io_load_is_somewhere(const grid_patch *patch, size_t vertex)
{
    return (fabsf(patch->x[vertex]) <= GRID_FARTHEST) &
           (fabsf(patch->y[vertex]) <= GRID_FARTHEST) &
           (fabsf(patch->z[vertex]) <= GRID_FARTHEST);
}

/*
 * Finds the origin, and the extents of blocks of these bricks; those of others are known.
 * In float64 grids it is the middle of the vertices that are not blanked, so that thin
 * cells far from (0, 0, 0) survive the conversion to float32. Float32 grids keep (0, 0,
 * 0), so that their values stay unchanged; nothing is read then. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_origin(const io_sweep *geometry, const io_load_bricks_read *bricks,
                      io_load_measure *measures, grid_layout *layout);

#endif

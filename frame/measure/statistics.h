/* Extremes, means and the distribution of a field by volume. */
#ifndef FRAME_MEASURE_STATISTICS_H
#define FRAME_MEASURE_STATISTICS_H

#include "grid/recipe.h"
#include "io/source.h"

#include <mpi.h>

enum { FRAME_STATISTICS_PERCENTILES = 7, FRAME_STATISTICS_BINS = 20 };

/* Per cent of the volume that have at most the value of each percentile. */
extern const int frame_statistics_percents[FRAME_STATISTICS_PERCENTILES];

/* Over all steps. Without a finite value, numbers are NaN and bins 0. */
typedef struct frame_statistics {
    double missing; /* the part of the volume that has no values */
    double least, greatest, mean, rms;
    double percentiles[FRAME_STATISTICS_PERCENTILES];
    /* Parts of the volume whose values lie in equal parts of [least, greatest]; the sum
     * is 1. */
    double bins[FRAME_STATISTICS_BINS];
} frame_statistics;

/*
 * Finds them over steps (indices; none: of a grid alone), of all blocks. Each vertex counts with its
 * part of the volume of its cells, and a value in a cell with the cell; blanked cells do
 * not count. A percentile is the least value, in float32, that with those below it has
 * its part of the volume. The same bits on any ranks and threads. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status frame_statistics_find(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                             int nsteps, const int *steps, frame_statistics *out);

#endif

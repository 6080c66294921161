/* The data for which values are found. */
#ifndef FRAME_AUTO_DATA_H
#define FRAME_AUTO_DATA_H

#include "base/vec.h"
#include "grid/brick.h"
#include "grid/recipe.h"
#include "io/source.h"

#include <mpi.h>

/* All steps are sampled if reading them takes at most so many bytes; else a few. */
enum { AUTO_MOST_BYTES = 1 << 28, AUTO_FEW_STEPS = 4 };

/* The store of a frame to come, with all bricks of the grid. If the sample needs values
 * that the frame needs, too, they are loaded into it: the frame need not load them. */
typedef struct frame_auto_frame {
    grid_store *store; /* has geometry */
    const grid_recipe *recipe;
    int step;        /* the frame's, an index of the source's */
    bool has_values; /* the store has the recipe's values at the step */
} frame_auto_frame;

/* What a camera shows: of several data sets, one after the other, all of it. */
typedef struct frame_auto_seen {
    bool is_known;
    bool is_last;      /* values are found for the last time: warnings appear once */
    box3 shown, floor; /* floor: as walls */
} frame_auto_seen;

/* The data for which values are found; the same on every rank. */
typedef struct frame_auto_data {
    MPI_Comm comm;
    io_source *source;
    const io_data_config *config;
    const grid_layout *layout; /* NULL: not known yet */
    int nsteps;
    const int *steps;        /* [nsteps]: steps to draw, as indices of the source's */
    frame_auto_frame *frame; /* NULL, on every rank, if no store may be used */
    frame_auto_seen *seen; /* a found camera shows this, too, and layers suit other data;
                              NULL: only these data */
    const struct auto_grids *grids; /* those of steps, if the grid moves; else NULL */
} frame_auto_data;

#endif

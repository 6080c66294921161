/* What was found of the grid before, where the grid moves: blocks that rest are not read
 * again. */
#ifndef IO_LOAD_PAST_H
#define IO_LOAD_PAST_H

#include "grid/brick.h"
#include "io/source.h"

/* What a block adds to its layout. */
typedef struct io_load_measure {
    box3 extent;        /* of its vertices, if the origin depends on them */
    int64_t volumes[3]; /* present cells with positive, negative and no volume */
    int64_t firsts[2];  /* the first ones of positive and of negative volume */
    int64_t totals[2];  /* blanked cells; vertices without valid coordinates */
} io_load_measure;

/* A grid. Zero: none is known. */
typedef struct io_load_past {
    int location; /* of the values that the store of the next grid gets; below 0: none */
    bool rest;    /* some blocks rest since the grid before */
    int step;     /* index of a step that has it */
    grid_layout *layout;       /* the caller's */
    io_load_measure *measures; /* [layout->nblocks] */
} io_load_past;

void io_load_past_clear(io_load_past *past);

/*
 * As io_load_layout, for the grid that is chosen. In a run of one rank it also keeps the
 * geometry for io_load_kept_bricks, if memory suffices: *store becomes a store of all
 * bricks, flagged, without a scalar yet. Otherwise *store becomes NULL. past->location:
 * location of the scalar that will be loaded; -1: nothing is kept. Blocks that have the
 * coordinates of `past`, as the data say (io_source_same_block), are not read, unless the
 * origin is another one: then past->rest is true, and *store is NULL. *past becomes this
 * grid. Collective. Errors as io_load_layout.
 */
status io_load_grid_after(MPI_Comm comm, io_source *source, io_load_past *past,
                          grid_layout **layout, grid_store **store);

/*
 * Makes a store of the layout `before`, at a step, one of the layout of the chosen grid,
 * with the bricks of blocks that rest alone. It is for io_load_moved only. Local. Errors:
 * STATUS_MEMORY.
 */
status io_load_carry(const io_source *source, const grid_layout *before, int step,
                     const grid_layout *layout, grid_store *store);

#endif

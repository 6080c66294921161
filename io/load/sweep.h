/* Sweeps: collective passes over the bricks that each rank wants to see. */
#ifndef IO_LOAD_SWEEP_H
#define IO_LOAD_SWEEP_H

#include "io/source.h"
#include "io/window.h"

/*
 * What a sweep reads and whom it shows it to. Every rank calls `visit` for each of its
 * windows with what was read there: the patch (grid/recipe.h) has coordinates relative to
 * the layout's origin, `blanked` (NULL where the block has no iblank) and inputs; what is
 * not asked for is NULL. The patch's core is the window's own vertices. `visit` is local.
 */
typedef struct io_sweep {
    MPI_Comm comm;
    io_source *source;
    const grid_layout *layout;
    int step; /* index; ignored without inputs */
    bool coordinates, blanked;
    int layers; /* of vertices around a window, wrapped where the block's axis is closed
                 */
    int ninputs;
    int inputs[GRID_RECIPE_MAX_INPUTS]; /* fields of the source */
    status (*visit)(void *context, const io_window *window, const grid_patch *patch);
    void *context;
} io_sweep;

/*
 * Runs a sweep over the bricks with these ascending numbers, each rank its own.
 * Collective: after a failure a rank goes on taking part in reads, with nothing to read,
 * and all fail together. Errors: STATUS_INPUT, STATUS_MEMORY, and what `visit` returns.
 */
status io_sweep_run(const io_sweep *sweep, int64_t count, const int64_t *numbers);

#endif

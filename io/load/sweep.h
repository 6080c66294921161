/* Sweeps: collective passes over bricks, each rank over its own. */
#ifndef IO_LOAD_SWEEP_H
#define IO_LOAD_SWEEP_H

#include "io/source.h"
#include "io/window.h"

/*
 * The arrays that a sweep reads, and the function that gets them. Every rank calls
 * `visit` for each of its windows with a patch of it (grid/recipe.h). The patch has
 * coordinates relative to the layout's origin, `blanked` (NULL if the block has no
 * iblank) and inputs. Arrays that were not asked for are NULL. The patch's core consists
 * of the window's own vertices. `visit` is local.
 */
typedef struct io_sweep {
    MPI_Comm comm;
    io_source *source;
    const grid_layout *layout;
    int step; /* index, or IO_GRID_STEP without inputs */
    bool coordinates, blanked;
    int layers; /* layers of vertices around a window, wrapped if the block's axis is
                   closed */
    int ninputs;
    int inputs[GRID_RECIPE_MAX_INPUTS];   /* fields of the source */
    const struct io_joint_values *joints; /* io_joint_values_attach; NULL: none */
    status (*visit_joints)(const struct io_sweep *sweep, const io_window *window,
                           const grid_patch *patch); /* calls `visit` then */
    status (*visit)(void *context, const io_window *window, const grid_patch *patch);
    void *context;
    struct io_delivery *delivery; /* of what `visit` adds to it (delivery.h); or NULL */
} io_sweep;

/*
 * Runs a sweep over the bricks with these ascending numbers, each rank over its own.
 * Collective: after a failure a rank takes part in further reads with empty boxes, and
 * all ranks fail together. Errors: STATUS_INPUT, STATUS_MEMORY, and those of `visit`.
 */
status io_sweep_run(const io_sweep *sweep, int64_t count, const int64_t *numbers);

/* The patch of a window, without arrays. Local. */
grid_patch io_sweep_patch(const io_sweep *sweep, const io_window *window);

#endif

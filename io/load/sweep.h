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
    int inputs[GRID_RECIPE_MAX_INPUTS]; /* fields of the source, or GRID_FIELD_MADE */
    const grid_made *made[GRID_RECIPE_MAX_INPUTS]; /* those that are made, else NULL */
    const struct io_sweep_makers *makers; /* of these (made/made.h); NULL: none are */
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

/* A pass over the data has read this share of its bricks on this rank, from 0 to 1: of
 * the grid (NULL), or of a field and of others with it. */
typedef void io_sweep_news(void *context, const char *field, double share);

/* From now on each pass of this process tells how far it is, from the thread that calls
 * it. NULL: nobody is told. The context is borrowed. Local. */
void io_sweep_watch(io_sweep_news *news, void *context);

/* The place of an input of a recipe among those of a sweep, or their number; and a recipe
 * with the places of its inputs, which are there. Local. */
int io_sweep_find(const io_sweep *sweep, const grid_recipe *recipe, int input);
grid_recipe_use io_sweep_use(const io_sweep *sweep, const grid_recipe *recipe);

/* Where an input of a sweep lives. Local. */
grid_location io_sweep_location(const io_sweep *sweep, int input);

/* A window that is being read, at the step of a sweep. */
typedef struct io_reading {
    const io_sweep *sweep;
    const io_window *window; /* NULL: this rank has none left, and takes part in reads */
    int block, pieces;
    bool is_alone; /* ranks read without each other */
    status status; /* the first failure here: nothing more is read then */
    const void *run;
} io_reading;

/* Functions for inputs that are made. `create` is called for the bricks of each sweep,
 * `make` for each input that is made of each window. Collective. */
struct io_made;
typedef struct io_sweep_makers {
    status (*create)(const io_sweep *sweep, int64_t count, const int64_t *numbers,
                     struct io_made **out);
    void (*make)(io_reading *reading, const struct io_made *made, int input, float *out);
    void (*destroy)(const io_sweep *sweep, struct io_made **made);
} io_sweep_makers;

/* Reads a field at the vertices of the window and its layers, or in the cells between
 * them. Collective. And its patch with coordinates, without inputs. Local. */
void io_reading_field(io_reading *reading, int field, float *out);
grid_patch io_reading_patch(const io_reading *reading);

/* The patch of a window, without arrays. Local. */
grid_patch io_sweep_patch(const io_sweep *sweep, const io_window *window);

#endif

/* Loading: from a source to the layout that all ranks share and the bricks that one
 * holds. All of it uses as many threads as OpenMP gives the caller
 * (omp_get_max_threads), and what comes out depends neither on them nor on the ranks. */
#ifndef IO_LOAD_LOAD_H
#define IO_LOAD_LOAD_H

#include "grid/brick.h"
#include "grid/recipe.h"
#include "io/source.h"

/*
 * Looks through the whole grid once, each rank at its share of the bricks, and makes the
 * layout with bounds, cell counts, census, closed axes, handedness and origin ((0, 0, 0)
 * for float32 files, else the middle of the bounds). The same on every rank. Collective.
 * Errors: STATUS_INPUT, among them a grid without any present cell; STATUS_MEMORY.
 * Vertices with coordinates that are not finite, or beyond GRID_FARTHEST, take their
 * cells out of the picture, with a warning that counts them; where all are so, it is an
 * error.
 */
status io_load_layout(MPI_Comm comm, io_source *source, grid_layout **out);

/*
 * The same, and keeps what it reads on the way where that is all that io_load_kept_bricks
 * can want: on a rank that is alone, *store becomes a store of all bricks, flagged,
 * without a scalar yet; else, and where there is no memory for that, NULL. `location`:
 * where the scalar that will be loaded lives. Collective. Errors as io_load_layout.
 */
status io_load_grid(MPI_Comm comm, io_source *source, grid_location location,
                    grid_layout **layout, grid_store **store);

/* Bricks that a rank asks for, each rank its own. */
typedef struct io_load_list {
    const grid_layout *layout;
    int64_t count;          /* may be 0 */
    const int64_t *numbers; /* [count], ascending; borrowed */
    grid_location location; /* where the scalar that will be loaded lives */
} io_load_list;

/*
 * Reads the geometry of the bricks of a list and flags them: a store without a scalar
 * yet. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_bricks(MPI_Comm comm, io_source *source, const io_load_list *list,
                      grid_store **out);

/*
 * The same after io_load_grid: makes the store that it kept the one of these bricks, or,
 * where *store is NULL, reads. Collective. Errors as io_load_bricks, which leave *store
 * to be destroyed by the caller.
 */
status io_load_kept_bricks(MPI_Comm comm, io_source *source, const io_load_list *list,
                           grid_store **store);

/*
 * A store of these bricks, none of which is in memory yet: io_load_wanted reads what it
 * needs. Collective. Errors: STATUS_MEMORY.
 */
status io_load_later(MPI_Comm comm, const io_load_list *list, grid_store **out);

/*
 * Makes a store of this layout, or NULL for none, one of other bricks: geometry that it
 * has on any rank is sent rather than read. What no rank has is read, or with `later`
 * stays out of memory. Scalars and gradients have no values yet. Both stores are in
 * memory for a while. Collective. Errors as io_load_bricks, which leave *store as it was.
 */
status io_load_moved(MPI_Comm comm, io_source *source, const io_load_list *list,
                     bool later, grid_store **store);

/*
 * Computes the recipe's field at a step (index) into the scalars of the store's bricks,
 * and its gradient where the store has room for it (grid_store_add_gradients on every
 * rank or on none), reading its inputs with the ghost layers that it needs, and the
 * geometry of bricks that are not in memory yet; a vertex gets the same bits in every
 * brick and on every rank. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_field(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                     int step, grid_store *store);

/* What of the bricks must be in memory. Both may be called by several threads at once. */
typedef struct io_load_filter {
    /* Whether a brick is wanted, as far as its number, place and range tell, which are
     * filled in. */
    bool (*is_wanted)(const void *context, const grid_brick *brick);
    /* The part of a brick that is enough; the brick is whole and has all but scalars and
     * gradients. NULL, on every rank, where bricks stay whole. */
    grid_brick_place (*find_part)(const void *context, const grid_brick *brick);
    const void *context; /* borrowed */
} io_load_filter;

/*
 * The same, but of bricks that are not in memory and that the filter does not want at
 * this step only the range is found, and of those that it wants only that part is kept.
 * What is in memory stays there as it is; unless cells turn up on a rank that wind
 * against their block, and it has parts: then it takes whole bricks, all of them anew
 * (grid_store_forget). Collective; the filter may differ from rank to rank. Errors as
 * io_load_field.
 */
status io_load_wanted(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                      int step, const io_load_filter *filter, grid_store *store);

/* A field at some steps. */
typedef struct io_load_series {
    const grid_layout *layout;
    const grid_recipe *recipe;
    const int *steps; /* [nsteps]: indices */
    int nsteps;
} io_load_series;

/*
 * Smallest and largest finite value of a field in present cells over some steps, each
 * rank looking at its share. The same on every rank. Collective. Errors: STATUS_INPUT,
 * also where there is no finite value; STATUS_MEMORY.
 */
status io_load_range(MPI_Comm comm, io_source *source, const io_load_series *series,
                     double range[2]);

/* The same, but where there is no finite value the range becomes empty: +infinity,
 * -infinity. */
status io_load_scan(MPI_Comm comm, io_source *source, const io_load_series *series,
                    double range[2]);

/* ---- Missing values ---------------------------------------------------------------- */

/*
 * Looks for missing values (not finite) of the scalar that a store has just been loaded
 * with, at vertices of present cells, or in such cells. Marks in `bricks`
 * ([layout->nbricks]) with 1 those in memory that have some; *has_value, *lacks_value:
 * become true where some value is there, and where some is missing. Without `bricks`
 * (NULL) *lacks_value may stay as it is where values are there. Takes time only for
 * bricks that are known to have values which are not finite. Local.
 */
void io_load_find_lacking(const grid_store *store, uint8_t *bricks, bool *has_value,
                          bool *lacks_value);

/* A field and the bricks in which values of it are missing. */
typedef struct io_load_lacking {
    const grid_recipe *recipe;
    int step;        /* index */
    uint8_t *bricks; /* [layout->nbricks]: 1 where some are missing on this rank; becomes
                        the same on all ranks */
} io_load_lacking;

/*
 * Counts the missing values of each block: counts[layout->nblocks], in those bricks, of
 * vertices of present cells, or of present cells where the field lives there. A vertex
 * that bricks share counts once, so counts do not depend on the ranks. Reads these bricks
 * once more. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_count_missing(MPI_Comm comm, io_source *source, const grid_layout *layout,
                             const io_load_lacking *lacking, int64_t *counts);

#endif

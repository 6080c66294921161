/* Loading: makes the layout, which all ranks have, and the bricks of each rank from a
 * source. All functions use as many threads as OpenMP gives the caller
 * (omp_get_max_threads). Results depend neither on the number of threads nor on the
 * ranks. */
#ifndef IO_LOAD_LOAD_H
#define IO_LOAD_LOAD_H

#include "grid/brick.h"
#include "grid/recipe.h"
#include "io/source.h"

/* Fails if the ranks cannot read the grid in a reasonable time: it may be three short
 * lists of coordinates. The same on every rank. Errors: STATUS_INPUT. */
status io_load_check_size(MPI_Comm comm, const io_source *source);

/*
 * Reads the whole grid once, each rank its share of the bricks, and makes the layout with
 * bounds, cell counts, census, closed axes, handedness and origin. The origin is (0, 0,
 * 0) for float32 files, else the middle of the bounds. The same on every rank.
 * Collective. Cells with a vertex whose coordinates are not finite, or beyond
 * GRID_FARTHEST, become absent; a warning counts such vertices. Errors: STATUS_INPUT,
 * also for a grid without any present cell; STATUS_MEMORY.
 */
status io_load_layout(MPI_Comm comm, io_source *source, grid_layout **out);

/* Chooses the grid of a step (index), and makes its layout. Collective. Errors as
 * io_load_layout. */
status io_load_grid_of(MPI_Comm comm, io_source *source, int step, grid_layout **out);

/* Chooses the grid of a step whose layout was made before. Collective. Errors as
 * io_source_choose_grid. */
status io_load_return(MPI_Comm comm, io_source *source, int step,
                      const grid_layout *layout);

/* The bricks that a rank asks for; each rank has its own list. */
typedef struct io_load_list {
    const grid_layout *layout;
    int64_t count;          /* may be 0 */
    const int64_t *numbers; /* [count], ascending; borrowed */
    grid_location location; /* location of the scalar that will be loaded */
} io_load_list;

/*
 * Reads the geometry of the bricks of a list and flags them. The store has no scalar yet.
 * Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_bricks(MPI_Comm comm, io_source *source, const io_load_list *list,
                      grid_store **out);

/*
 * The same after io_load_grid_after (motion/past.h): reduces the store that it kept to
 * these bricks, or reads them if *store is NULL. Collective. Errors as io_load_bricks;
 * the caller then destroys *store.
 */
status io_load_kept_bricks(MPI_Comm comm, io_source *source, const io_load_list *list,
                           grid_store **store);

/*
 * Makes a store of these bricks with none of them in memory: io_load_wanted reads them as
 * needed. Collective. Errors: STATUS_MEMORY.
 */
status io_load_later(MPI_Comm comm, const io_load_list *list, grid_store **out);

/*
 * Changes a store of this layout, or NULL for an empty one, to a store of other bricks.
 * Geometry that any rank has is sent rather than read. Other geometry is read, or with
 * `later` stays out of memory. Scalars and gradients have no values yet. Both stores are
 * in memory for a while. Collective. Errors as io_load_bricks; *store is then unchanged.
 */
status io_load_moved(MPI_Comm comm, io_source *source, const io_load_list *list,
                     bool later, grid_store **store);

/*
 * Computes the recipe's field at a step (index) into the scalars of the store's bricks.
 * The gradient is computed, too, if the store has arrays for it (grid_store_add_gradients
 * on every rank or on none). Inputs are read with the necessary ghost layers, and the
 * geometry of bricks that are not in memory yet is read as well. A vertex gets the same
 * bits in every brick and on every rank. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_field(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                     int step, grid_store *store);

/* Values at all vertices of a brick: of the recipes `first` to `first` + `count` - 1 of a
 * set. That of recipe r at vertex (i, j, k) is values[r][k * plane + j * row + i];
 * `plane` is 0 if they do not depend on k. */
enum { IO_LOAD_TOGETHER = 4 };

typedef struct io_load_part {
    const grid_brick *brick;
    int first, count; /* at most IO_LOAD_TOGETHER recipes */
    int64_t row, plane;
    const float *values[IO_LOAD_TOGETHER];
} io_load_part;

/* Gets values of a set. Local; called by several threads at once. */
typedef void io_load_take(void *context, const io_load_part *part);

/* Fields to be computed together. */
typedef struct io_load_set {
    int count;
    const grid_recipe *const *recipes; /* [count]: at vertices */
    io_load_take *take;
    void *context;
} io_load_set;

/*
 * Computes several fields at a step (index) at the vertices of the store's bricks, which
 * are in memory, as io_load_field does, but hands them to `take`: scalars of the store
 * stay as they are. Inputs that fields share are read once. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_values(MPI_Comm comm, io_source *source, const io_load_set *set, int step,
                      const grid_store *store);

/* A filter for the bricks, and parts of bricks, that must be in memory. Several threads
 * may call both functions at once. */
typedef struct io_load_filter {
    /* Whether a brick is wanted. Only its number, place and range are set. */
    bool (*is_wanted)(const void *context, const grid_brick *brick);
    /* The part of a brick that suffices. The brick is whole and has all but scalars and
     * gradients. NULL, on every rank, if bricks stay whole. */
    grid_brick_place (*find_part)(const void *context, const grid_brick *brick);
    const void *context; /* borrowed */
} io_load_filter;

/*
 * As io_load_field, but bricks that are not in memory are loaded only if the filter wants
 * them at this step. Only the part that it finds is kept of them. Of unwanted bricks only
 * the range is found. Bricks in memory stay there, whole or in part.
 *
 * One exception: cells that wind against their block may be found on a rank that has
 * parts of bricks. It then takes all bricks out of memory (grid_store_forget) and loads
 * the wanted ones whole.
 *
 * Collective; the filter may differ from rank to rank. Errors as io_load_field.
 */
status io_load_wanted(MPI_Comm comm, io_source *source, const grid_recipe *recipe,
                      int step, const io_load_filter *filter, grid_store *store);

/* A field at some steps. Where the grid moves, those of other steps are read, and the one
 * that was chosen is so again afterwards. */
typedef struct io_load_series {
    const grid_layout *layout;
    const grid_recipe *recipe;
    const int *steps; /* [nsteps]: indices */
    int nsteps;
} io_load_series;

/*
 * Smallest and largest finite value of a field in present cells over some steps; each
 * rank scans its share. The same on every rank. Collective. Errors: STATUS_INPUT, also if
 * there is no finite value; STATUS_MEMORY.
 */
status io_load_range(MPI_Comm comm, io_source *source, const io_load_series *series,
                     double range[2]);

/* The same, but without any finite value the range is empty: +infinity, -infinity. */
status io_load_scan(MPI_Comm comm, io_source *source, const io_load_series *series,
                    double range[2]);

/* Whether a step (index) has all fields that a recipe is made from. Those of a mean over
 * steps count as there: loading it fails without any. Local. */
bool io_load_has(const io_source *source, const grid_recipe *recipe, int step);

/* ---- Missing values ---------------------------------------------------------------- */

/*
 * Looks for missing values (not finite) of the scalar just loaded into a store, at
 * vertices of present cells or in such cells. Sets to 1 in `bricks` ([layout->nbricks])
 * those bricks in memory that have some. *has_value becomes true if a value is present,
 * *lacks_value if one is missing. Without `bricks` (NULL) *lacks_value may stay unchanged
 * if there are values. Takes time only for bricks known to have values that are not
 * finite. Local.
 */
void io_load_find_lacking(const grid_store *store, uint8_t *bricks, bool *has_value,
                          bool *lacks_value);

/* A field, and the bricks in which values of it are missing. */
typedef struct io_load_lacking {
    const grid_recipe *recipe;
    int step;        /* index */
    uint8_t *bricks; /* [layout->nbricks]: 1 if values are missing on this rank; becomes
                        the same on all ranks */
} io_load_lacking;

/*
 * Counts the missing values of each block in those bricks: counts[layout->nblocks]. They
 * are those at vertices of present cells or, for a field at cells, those of present
 * cells. A vertex shared by bricks counts once, so counts do not depend on the ranks.
 * Reads these bricks again. Collective. Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_load_count_missing(MPI_Comm comm, io_source *source, const grid_layout *layout,
                             const io_load_lacking *lacking, int64_t *counts);

#endif

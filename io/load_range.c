#include "base/parallel.h"
#include "io/load_parts.h"

#include <math.h>
#include <stdlib.h>

/* Bricks of a share that are held at once: bounds memory at about 85 MiB. */
enum { BATCH_BRICKS = 1024 };

static void grow_range(double range[2], float value)
{
    if (isfinite(value)) {
        range[0] = fmin(range[0], (double)value);
        range[1] = fmax(range[1], (double)value);
    }
}

/* Grows the range by the corners of the cell whose lowest corner is `vertex`. */
static void grow_by_corners(const grid_brick *brick, size_t vertex, double range[2])
{
    size_t row = (size_t)brick->place.n[0] + 1;
    size_t plane = row * ((size_t)brick->place.n[1] + 1);
    for (size_t corner = 0; corner < 8; corner++) {
        size_t at =
            vertex + (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * plane;
        grow_range(range, brick->vertex[at][3]);
    }
}

/* Grows the range by the values that belong to present cells. */
static void grow_by_brick(const grid_brick *brick, double range[2])
{
    const int *n = brick->place.n;
    size_t cell = 0;
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            size_t vertex =
                ((size_t)k * ((size_t)n[1] + 1) + (size_t)j) * ((size_t)n[0] + 1);
            for (int i = 0; i < n[0]; i++, cell++, vertex++) {
                if (!(brick->flags[vertex] & GRID_PRESENT)) {
                    continue;
                }
                if (brick->cell) {
                    grow_range(range, brick->cell[cell]);
                } else {
                    grow_by_corners(brick, vertex, range);
                }
            }
        }
    }
}

/* What a scan of values goes over. */
typedef struct scan {
    MPI_Comm comm;
    io_source *source;
    const grid_layout *layout;
    const grid_recipe *recipe;
    const int *steps;
    int nsteps;
} scan;

/* Loads the bricks [first, end) and grows the range by their values at all steps.
 * Collective. */
static status scan_batch(const scan *sc, int64_t first, int64_t end, double range[2])
{
    int64_t *numbers = NULL;
    grid_store *store = NULL;
    status s = parallel_agree(sc->comm, io_load_numbers(first, end, &numbers));
    if (s == STATUS_OK) {
        s = io_load_bricks(sc->comm, sc->source, sc->layout, end - first, numbers,
                           grid_recipe_location(sc->recipe), &store);
    }
    for (int n = 0; n < sc->nsteps && s == STATUS_OK; n++) {
        s = io_load_field(sc->comm, sc->source, sc->recipe, sc->steps[n], store);
        for (int64_t slot = 0; slot < store->nbricks && s == STATUS_OK; slot++) {
            grow_by_brick(&store->bricks[slot], range);
        }
    }
    grid_store_destroy(&store);
    free(numbers);
    return s;
}

status io_load_scan(MPI_Comm comm, io_source *source, const grid_layout *layout,
                    const grid_recipe *recipe, const int *steps, int nsteps,
                    double range[2])
{
    const scan sc = {comm, source, layout, recipe, steps, nsteps};
    /* Shares differ by one brick at most; all ranks go through the batches of the
     * largest. */
    int64_t largest = layout->nbricks / parallel_size(comm) + 1;
    int64_t first, end;
    io_load_share(comm, parallel_rank(comm), layout, &first, &end);
    double found[2] = {INFINITY, -INFINITY};
    status s = STATUS_OK;
    for (int64_t done = 0; done < largest && s == STATUS_OK; done += BATCH_BRICKS) {
        int64_t from = first + done < end ? first + done : end;
        int64_t to = from + BATCH_BRICKS < end ? from + BATCH_BRICKS : end;
        s = scan_batch(&sc, from, to, found);
    }
    if (s == STATUS_OK) {
        parallel_allreduce(&found[0], &range[0], 1, MPI_DOUBLE, MPI_MIN, comm);
        parallel_allreduce(&found[1], &range[1], 1, MPI_DOUBLE, MPI_MAX, comm);
    }
    return s;
}

status io_load_range(MPI_Comm comm, io_source *source, const grid_layout *layout,
                     const grid_recipe *recipe, const int *steps, int nsteps,
                     double range[2])
{
    double found[2];
    status s = io_load_scan(comm, source, layout, recipe, steps, nsteps, found);
    if (s == STATUS_OK && found[0] > found[1]) {
        s = base_fail(
            STATUS_INPUT,
            "file '%s' has no finite value of the field to draw in any cell that is "
            "not blanked",
            io_source_path(source));
    }
    if (s == STATUS_OK) {
        range[0] = found[0];
        range[1] = found[1];
    }
    return s;
}

#include "base/parallel/parallel.h"
#include "geometry.h"
#include "joints/joints.h"
#include "load.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Bricks in memory at once: limits memory to about 85 MiB. */
enum { BATCH_BRICKS = 1024 };

static void grow_range(float range[2], float value)
{
    const bool is_finite = fabsf(value) <= FLT_MAX;
    range[0] = is_finite && value < range[0] ? value : range[0];
    range[1] = is_finite && value > range[1] ? value : range[1];
}

/* Grows the range by the corners of the cell whose lowest corner is `vertex`. */
static void grow_by_corners(const grid_brick *brick, size_t vertex, float range[2])
{
    size_t row = (size_t)brick->place.n[0] + 1;
    size_t plane = row * ((size_t)brick->place.n[1] + 1);
    for (size_t corner = 0; corner < 8; corner++) {
        size_t at =
            vertex + (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * plane;
        grow_range(range, brick->vertex[at][3]);
    }
}

/* Grows the range by the values of present cells. */
static void grow_by_present(const grid_brick *brick, float range[2])
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

/* The same for a brick whose cells are all present. */
static void grow_by_all(const grid_brick *brick, float range[2])
{
    const int *n = brick->place.n;
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const size_t vertices = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
    for (size_t cell = 0; brick->cell && cell < cells; cell++) {
        grow_range(range, brick->cell[cell]);
    }
    for (size_t vertex = 0; !brick->cell && vertex < vertices; vertex++) {
        grow_range(range, brick->vertex[vertex][3]);
    }
}

static void grow_by_store(const grid_store *store, double range[2])
{
    float least = INFINITY, most = -INFINITY;
#pragma omp parallel for reduction(min : least) reduction(max : most)
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        float found[2] = {INFINITY, -INFINITY};
        if (grid_layout_brick_is_full(store->layout, brick->number)) {
            grow_by_all(brick, found);
        } else {
            grow_by_present(brick, found);
        }
        least = fminf(least, found[0]);
        most = fmaxf(most, found[1]);
    }
    range[0] = fmin(range[0], (double)least);
    range[1] = fmax(range[1], (double)most);
}

/* A scan of values. */
typedef struct scan {
    MPI_Comm comm;
    io_source *source;
    const io_load_series *series;
    int first_step, end_step; /* of the series */
} scan;

/* Lists the bricks in [first, end) that have present cells, then those of them that also
 * have absent cells; malloc'ed. */
static status list_bricks(const grid_layout *layout, int64_t first, int64_t end,
                          int64_t **numbers, int64_t *count, int64_t *nparts)
{
    size_t bytes = (size_t)(2 * (end - first) + 1) * sizeof **numbers;
    int64_t *list = malloc(bytes);
    if (!list) {
        return base_fail_memory(bytes, "the list of bricks");
    }
    *count = *nparts = 0;
    for (int64_t number = first; number < end; number++) {
        if (layout->bricks[number].cells > 0) {
            list[(*count)++] = number;
        }
    }
    for (int64_t n = 0; n < *count; n++) {
        if (!grid_layout_brick_is_full(layout, list[n])) {
            list[*count + (*nparts)++] = list[n];
        }
    }
    *numbers = list;
    return STATUS_OK;
}

/* Makes a store of the bricks [first, end). Geometry is read only for bricks with absent
 * cells, to flag them; for others the layout suffices. Collective. */
static status load_batch(const scan *sc, int64_t first, int64_t end, grid_store **store)
{
    int64_t *numbers = NULL, count = 0, nparts = 0;
    bool cells = grid_recipe_location(sc->series->recipe) == GRID_CELL;
    status s = list_bricks(sc->series->layout, first, end, &numbers, &count, &nparts);
    if (s == STATUS_OK) {
        s = grid_store_create(sc->series->layout, count, numbers, cells, store);
    }
    s = parallel_agree(sc->comm, s);
    if (s == STATUS_OK) {
        s = io_load_geometry(sc->comm, sc->source, nparts, numbers + count, *store);
    }
    free(numbers);
    return s;
}

/* Loads the bricks [first, end) and grows the range by their values at some steps.
 * Collective. */
static status scan_batch(const scan *sc, int64_t first, int64_t end, double range[2])
{
    grid_store *store = NULL;
    status s = load_batch(sc, first, end, &store);
    for (int n = sc->first_step; n < sc->end_step && s == STATUS_OK; n++) {
        s = io_load_field(sc->comm, sc->source, sc->series->recipe, sc->series->steps[n],
                          store);
        if (s == STATUS_OK) {
            grow_by_store(store, range);
        }
    }
    grid_store_destroy(&store);
    return s;
}

/* Scans this rank's share at some steps. Shares differ by one brick at most. All ranks do
 * as many batches as the largest share needs. Collective. */
static status scan_share(const scan *sc, double range[2])
{
    const grid_layout *layout = sc->series->layout;
    const int64_t largest = layout->nbricks / parallel_size(sc->comm) + 1;
    int64_t first, end;
    io_load_share(sc->comm, parallel_rank(sc->comm), layout, &first, &end);
    status s = STATUS_OK;
    for (int64_t done = 0; done < largest && s == STATUS_OK; done += BATCH_BRICKS) {
        int64_t from = first + done < end ? first + done : end;
        int64_t to = from + BATCH_BRICKS < end ? from + BATCH_BRICKS : end;
        s = scan_batch(sc, from, to, range);
    }
    return s;
}

/* Scans steps with one grid, which is chosen. Collective. */
static status scan_steps(MPI_Comm comm, io_source *source, const io_load_series *series,
                         double found[2])
{
    const bool is_small = series->layout->nbricks / parallel_size(comm) < BATCH_BRICKS;
    const int together =
        is_small ? series->nsteps : 1; /* batches share values at joints */
    status s = STATUS_OK;
    for (int n = 0; n < series->nsteps && s == STATUS_OK; n += together) {
        const scan sc = {comm, source, series, n, n + together};
        io_joint_values_hold(source, !is_small);
        s = scan_share(&sc, found);
        io_joint_values_hold(source, false);
    }
    return s;
}

/* Scans steps with another grid than the layout's. Collective. */
static status scan_other(MPI_Comm comm, io_source *source, io_load_series *series,
                         double found[2])
{
    grid_layout *layout = NULL;
    status s = io_load_grid_of(comm, source, series->steps[0], &layout);
    series->layout = layout;
    s = s == STATUS_OK ? scan_steps(comm, source, series, found) : s;
    grid_layout_destroy(&layout);
    return s;
}

status io_load_scan(MPI_Comm comm, io_source *source, const io_load_series *series,
                    double range[2])
{
    const int here = io_source_grid_step(source), grid = io_source_grid(source, here);
    double found[2] = {INFINITY, -INFINITY};
    status s = STATUS_OK;
    int end;
    for (int n = 0; n < series->nsteps && s == STATUS_OK; n = end) {
        const int its = io_source_grid(source, series->steps[n]);
        for (end = n;
             end < series->nsteps && io_source_grid(source, series->steps[end]) == its;) {
            end++;
        }
        io_load_series part = *series;
        part.steps += n;
        part.nsteps = end - n;
        if (its != grid) {
            s = scan_other(comm, source, &part, found);
        } else {
            s = n > 0 ? io_load_return(comm, source, here, series->layout) : s;
            s = s == STATUS_OK ? scan_steps(comm, source, &part, found) : s;
        }
    }
    if (s == STATUS_OK && io_source_grid(source, io_source_grid_step(source)) != grid) {
        s = io_load_return(comm, source, here, series->layout);
    }
    if (s == STATUS_OK) {
        parallel_allreduce(&found[0], &range[0], 1, MPI_DOUBLE, MPI_MIN, comm);
        parallel_allreduce(&found[1], &range[1], 1, MPI_DOUBLE, MPI_MAX, comm);
    }
    return s;
}

status io_load_range(MPI_Comm comm, io_source *source, const io_load_series *series,
                     double range[2])
{
    double found[2];
    status s = io_load_scan(comm, source, series, found);
    if (s == STATUS_OK && found[0] > found[1]) {
        s = base_fail(
            STATUS_INPUT,
            "the field '%s' of '%s' has no finite value in any cell that is not "
            "blanked: name another field or other steps",
            grid_recipe_name(series->recipe), io_source_path(source));
    }
    if (s == STATUS_OK) {
        range[0] = found[0];
        range[1] = found[1];
    }
    return s;
}

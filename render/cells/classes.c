#include "march.h"

#include <stdlib.h>

/* Allocates an array with an item of some bytes for each vertex of the grid, or NULL. */
static void *allocate_items(const march_grid *grid, size_t bytes)
{
    size_t most = GRID_FLAGS_PADDING + 1;
    for (int64_t b = 0; b < grid->nbricks; b++) {
        const march_brick *brick = &grid->bricks[b];
        const size_t end =
            (size_t)brick->first + (size_t)brick->stride[2] * (size_t)(brick->n[2] + 1);
        most = end + GRID_FLAGS_PADDING > most ? end + GRID_FLAGS_PADDING : most;
    }
    return calloc(most, bytes);
}

void render_march_classify(march_grid *grid, march_classifier *classify,
                           const render_camera *camera, int threads)
{
    grid->classes = allocate_items(grid, sizeof *grid->classes);
    if (!grid->classes) {
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int64_t b = 0; b < grid->nbricks; b++) {
        classify(grid, &grid->bricks[b], camera);
    }
}

void render_march_mark_bends(march_grid *grid, march_bend_marker *mark,
                             const render_transfer *transfer, int threads)
{
    if (!grid->bends) {
        grid->bends = allocate_items(grid, sizeof *grid->bends);
    }
    if (!grid->bends) {
        free(grid->classes);
        grid->classes = NULL;
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int64_t b = 0; b < grid->nbricks; b++) {
        mark(grid, &grid->bricks[b], transfer);
    }
}

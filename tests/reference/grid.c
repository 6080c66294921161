#include "reference/cell.h"
#include "reference/reference.h"

#include <stdlib.h>
#include <string.h>

status reference_grid_create(int nblocks, reference_grid *out)
{
    reference_block *blocks = calloc((size_t)nblocks, sizeof *blocks);
    if (!blocks) {
        return base_fail_memory((size_t)nblocks * sizeof *blocks, "the reference grid");
    }
    *out = (reference_grid){.nblocks = nblocks, .blocks = blocks};
    return STATUS_OK;
}

status reference_block_allocate(reference_block *block, bool with_iblank)
{
    int64_t less = block->cell_values ? 1 : 0;
    size_t vertices = (size_t)(block->n[0] * block->n[1] * block->n[2]);
    size_t scalars =
        (size_t)((block->n[0] - less) * (block->n[1] - less) * (block->n[2] - less));
    for (int axis = 0; axis < 3; axis++) {
        block->x[axis] = calloc(vertices, sizeof *block->x[axis]);
    }
    block->scalar = calloc(scalars, sizeof *block->scalar);
    block->iblank = with_iblank ? calloc(vertices, sizeof *block->iblank) : NULL;
    if (!block->x[0] || !block->x[1] || !block->x[2] || !block->scalar ||
        (with_iblank && !block->iblank)) {
        return base_fail_memory(vertices * 5 * sizeof(double),
                                "a block of the reference");
    }
    return STATUS_OK;
}

void reference_grid_clear(reference_grid *grid)
{
    for (int b = 0; b < grid->nblocks; b++) {
        for (int axis = 0; axis < 3; axis++) {
            free(grid->blocks[b].x[axis]);
        }
        free(grid->blocks[b].iblank);
        free(grid->blocks[b].scalar);
    }
    free(grid->blocks);
    *grid = (reference_grid){0};
}

double reference_grid_scalar(const reference_grid *grid, const reference_place *place)
{
    const reference_block *block = &grid->blocks[place->block];
    const int64_t *n = block->n;
    const int64_t *c = place->cell;
    if (block->cell_values) {
        return block->scalar[(c[2] * (n[1] - 1) + c[1]) * (n[0] - 1) + c[0]];
    }
    double weight[8];
    double sum = 0.0;
    reference_cell_weights(place->u, weight);
    for (int corner = 0; corner < 8; corner++) {
        int64_t i = c[0] + (corner & 1);
        int64_t j = c[1] + (corner >> 1 & 1);
        int64_t k = c[2] + (corner >> 2);
        sum += weight[corner] * block->scalar[(k * n[1] + j) * n[0] + i];
    }
    return sum;
}

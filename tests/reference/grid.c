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
        free(grid->blocks[b].gradient);
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

/* The corners of a cell and their scalars; false if a corner is blanked. */
static bool take_corners(const reference_block *block, const int64_t c[3],
                         int64_t vertex[8], vec3 corner[8], double scalar[8])
{
    bool is_present = true;
    for (int at = 0; at < 8; at++) {
        const int64_t i = c[0] + (at & 1), j = c[1] + (at >> 1 & 1), k = c[2] + (at >> 2);
        const int64_t v = (k * block->n[1] + j) * block->n[0] + i;
        vertex[at] = v;
        corner[at] = vec3_make(block->x[0][v], block->x[1][v], block->x[2][v]);
        scalar[at] = block->scalar[v];
        is_present = is_present && !(block->iblank && block->iblank[v] == 0);
    }
    return is_present;
}

/* Adds the gradients of a cell's map at its corners to those of the vertices. */
static void add_cell(reference_block *block, const int64_t c[3], int *counts)
{
    int64_t vertex[8];
    vec3 corner[8];
    double scalar[8];
    if (!take_corners(block, c, vertex, corner, scalar)) {
        return;
    }
    for (int at = 0; at < 8; at++) {
        const double u[3] = {at & 1, at >> 1 & 1, at >> 2};
        vec3 *sum = &block->gradient[vertex[at]];
        *sum = vec3_add(*sum, reference_cell_gradient(corner, scalar, u));
        counts[vertex[at]]++;
    }
}

static status add_gradients(reference_block *block)
{
    const int64_t *n = block->n;
    const int64_t vertices = n[0] * n[1] * n[2];
    int *counts = calloc((size_t)vertices, sizeof *counts);
    block->gradient = calloc((size_t)vertices, sizeof *block->gradient);
    if (!counts || !block->gradient) {
        free(counts);
        return base_fail_memory((size_t)vertices * sizeof(vec3), "gradients");
    }
    for (int64_t k = 0; k + 1 < n[2]; k++) {
        for (int64_t j = 0; j + 1 < n[1]; j++) {
            for (int64_t i = 0; i + 1 < n[0]; i++) {
                add_cell(block, (const int64_t[]){i, j, k}, counts);
            }
        }
    }
    for (int64_t v = 0; v < vertices; v++) {
        block->gradient[v] =
            vec3_scale(block->gradient[v], counts[v] > 0 ? 1.0 / counts[v] : 0.0);
    }
    free(counts);
    return STATUS_OK;
}

status reference_grid_add_gradients(reference_grid *grid)
{
    status s = STATUS_OK;
    for (int b = 0; b < grid->nblocks && s == STATUS_OK; b++) {
        s = add_gradients(&grid->blocks[b]);
    }
    return s;
}

vec3 reference_grid_gradient(const reference_grid *grid, const reference_place *place)
{
    const reference_block *block = &grid->blocks[place->block];
    int64_t vertex[8];
    vec3 corner[8], sum = vec3_make(0.0, 0.0, 0.0);
    double scalar[8], weight[8];
    take_corners(block, place->cell, vertex, corner, scalar);
    reference_cell_weights(place->u, weight);
    for (int at = 0; at < 8; at++) {
        sum = vec3_add(sum, vec3_scale(block->gradient[vertex[at]], weight[at]));
    }
    return sum;
}

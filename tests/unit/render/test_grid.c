#include "test_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

static void fill_brick(const grid_layout *layout, grid_brick *brick,
                       test_grid_vertex *vertex)
{
    const grid_brick_place *place = &brick->place;
    const int64_t *n = layout->blocks[place->block].n;
    int row = place->n[0] + 1, plane = row * (place->n[1] + 1);
    uint8_t *blanked = calloc((size_t)(plane * (place->n[2] + 1)), 1);
    assert_non_null(blanked);
    for (int k = 0; k <= place->n[2]; k++) {
        for (int j = 0; j <= place->n[1]; j++) {
            for (int i = 0; i <= place->n[0]; i++) {
                int64_t at[3] = {place->lo[0] + i, place->lo[1] + j, place->lo[2] + k};
                double xyz[3], scalar;
                int index = i + row * j + plane * k;
                blanked[index] = !vertex(place->block, at, n, xyz, &scalar);
                for (int axis = 0; axis < 3; axis++) {
                    brick->vertex[index][axis] = (float)xyz[axis];
                }
                brick->vertex[index][3] = (float)scalar;
            }
        }
    }
    grid_brick_flag(brick, blanked);
    free(blanked);
}

static void measure(grid_layout *layout, grid_store *store)
{
    layout->bounds = box3_empty();
    for (int b = 0; b < layout->nblocks; b++) {
        int64_t all[3] = {0};
        for (int64_t s = 0; s < store->nbricks; s++) {
            grid_brick *brick = &store->bricks[s];
            if (brick->place.block != b) {
                continue;
            }
            int64_t volumes[3];
            grid_brick_info *info = &layout->bricks[brick->number];
            grid_brick_measure(brick, info, volumes);
            for (int c = 0; c < 3; c++) {
                all[c] += volumes[c];
            }
            for (int axis = 0; axis < 3 && info->cells > 0; axis++) {
                double lo = (double)info->lo[axis], hi = (double)info->hi[axis];
                layout->bounds.lo.v[axis] = fmin(layout->bounds.lo.v[axis], lo);
                layout->bounds.hi.v[axis] = fmax(layout->bounds.hi.v[axis], hi);
            }
        }
        layout->blocks[b].left_handed = all[1] > all[0];
    }
}

void test_grid_find_range(grid_brick *brick)
{
    const int *n = brick->place.n;
    const int64_t cells = (int64_t)n[0] * n[1] * n[2],
                  vertices = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    float *values = malloc((size_t)vertices * sizeof *values);
    assert_non_null(values);
    for (int64_t v = 0; v < vertices; v++) {
        values[v] = brick->vertex[v][3];
    }
    grid_brick_set_range(brick, brick->cell ? cells : vertices,
                         brick->cell ? brick->cell : values);
    free(values);
}

test_grid test_grid_create(int nblocks, const int64_t n[][3], test_grid_vertex *vertex)
{
    grid_block *blocks = calloc((size_t)nblocks, sizeof *blocks);
    assert_non_null(blocks);
    for (int b = 0; b < nblocks; b++) {
        snprintf(blocks[b].name, sizeof blocks[b].name, "block%d", b);
        for (int axis = 0; axis < 3; axis++) {
            blocks[b].n[axis] = n[b][axis];
        }
    }
    test_grid grid;
    assert_int_equal(grid_layout_create(nblocks, blocks, &grid.layout), STATUS_OK);
    free(blocks);
    int64_t *numbers = malloc((size_t)grid.layout->nbricks * sizeof *numbers);
    assert_non_null(numbers);
    for (int64_t b = 0; b < grid.layout->nbricks; b++) {
        numbers[b] = b;
    }
    assert_int_equal(
        grid_store_create(grid.layout, grid.layout->nbricks, numbers, false, &grid.store),
        STATUS_OK);
    free(numbers);
    for (int64_t b = 0; b < grid.store->nbricks; b++) {
        fill_brick(grid.layout, &grid.store->bricks[b], vertex);
        test_grid_find_range(&grid.store->bricks[b]);
    }
    measure(grid.layout, grid.store);
    return grid;
}

static size_t cell_count(const grid_brick *brick)
{
    const int *n = brick->place.n;
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

void test_grid_set_cells(test_grid *grid, test_grid_cell *cell)
{
    grid_store *store = grid->store;
    size_t count = 0;
    for (int64_t b = 0; b < store->nbricks; b++) {
        count += cell_count(&store->bricks[b]);
    }
    store->cell = malloc(count * sizeof *store->cell);
    assert_non_null(store->cell);
    float *next = store->cell;
    for (int64_t b = 0; b < store->nbricks; b++) {
        grid_brick *brick = &store->bricks[b];
        const grid_brick_place *place = &brick->place;
        const int *n = place->n;
        brick->cell = next;
        next += cell_count(brick);
        for (int c = 0; c < n[0] * n[1] * n[2]; c++) {
            int64_t at[3] = {place->lo[0] + c % n[0], place->lo[1] + c / n[0] % n[1],
                             place->lo[2] + c / n[0] / n[1]};
            brick->cell[c] = (float)cell(at);
        }
        test_grid_find_range(brick);
    }
}

void test_grid_destroy(test_grid *grid)
{
    grid_store_destroy(&grid->store);
    grid_layout_destroy(&grid->layout);
}

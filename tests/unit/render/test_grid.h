/* Small grids in memory for the tests of rendering. */
#ifndef TESTS_UNIT_RENDER_TEST_GRID_H
#define TESTS_UNIT_RENDER_TEST_GRID_H

#include "grid/brick.h"

/* Position and scalar of the vertex (i, j, k) of a block; returns whether it is there
 * (false: blanked). */
typedef bool test_grid_vertex(int block, const int64_t at[3], const int64_t n[3],
                              double xyz[3], double *scalar);

/* A grid whose bricks are all in memory. */
typedef struct test_grid {
    grid_layout *layout;
    grid_store *store;
} test_grid;

/* n: [nblocks][3] vertices. Bounds, counts and handedness are filled in as a loader
 * would. */
test_grid test_grid_create(int nblocks, const int64_t n[][3], test_grid_vertex *vertex);

/* The scalar of the cell (i, j, k). */
typedef double test_grid_cell(const int64_t at[3]);

/* Makes the scalar live in cells instead. */
void test_grid_set_cells(test_grid *grid, test_grid_cell *cell);

/* Finds has_range and range of a brick, of all vertices or cells. */
void test_grid_find_range(grid_brick *brick);

void test_grid_destroy(test_grid *grid);

#endif

/* Inside grid: the cells of a brick in rows that suit SIMD, and the kernels that process
 * them. */
#ifndef GRID_CELLS_H
#define GRID_CELLS_H

#include "brick.h"

/* A row holds the 17 vertices of a brick and padding to whole SIMD registers. Vertex (i,
 * j, k) is at i + j CELLS_ROW + k CELLS_PLANE for bricks of any size, so that the
 * compiler knows the distances between neighbours. */
enum {
    CELLS_SIDE = GRID_BRICK_CELLS + 1,
    CELLS_ROW = 24,
    CELLS_PLANE = CELLS_ROW * CELLS_SIDE,
    CELLS_POINTS = CELLS_PLANE * CELLS_SIDE,
    CELLS_PADDING = 8 /* a load of a row from its second vertex on reads past the end */
};

/* The rows of one brick; 110 KiB. The padding of a row repeats its last vertex. Rows and
 * planes beyond the brick are undefined. */
typedef struct cells_rows {
    int n[3]; /* cells along i, j, k */
    float point[3][CELLS_POINTS + CELLS_PADDING];
    uint8_t exists[CELLS_POINTS + CELLS_PADDING]; /* 1: finite and not blanked, else 0 */
    uint8_t flags[CELLS_POINTS + CELLS_PADDING];  /* as grid_brick.flags */
} cells_rows;

static inline size_t cells_row_at(int j, int k)
{
    return (size_t)j * CELLS_ROW + (size_t)k * CELLS_PLANE;
}

/* The costly loops, compiled once for each instruction set. All give the same bits:
 * arithmetic is element by element, and products are never fused (karman.cmake).
 * tests/unit/grid/test_cells.c compares them with a computation cell by cell. */
typedef struct cells_kernel {
    const char *name;
    /* Fills in flags from points and `exists`. */
    void (*flag)(cells_rows *rows);
    /* Windings of the present cells, from points and flags. */
    unsigned (*windings)(const cells_rows *rows);
    /* Volumes of a row of cells, present or not: those of grid_cell_volume. */
    void (*volumes)(const cells_rows *rows, int j, int k,
                    double volume[GRID_BRICK_CELLS]);
} cells_kernel;

extern const cells_kernel cells_plain, cells_avx2, cells_avx512;

/* The kernels that this processor can run, fastest first, NULL after the last. */
const cells_kernel *const *cells_kernels(void);

#endif

/* The kernel in plain C, for every machine: what the others are checked against. */
#include "render/cell_signs.h"
#include "render/walk_kernels.h"

#define KERNEL      render_walk_plain
#define KERNEL_NAME "plain"

typedef cell_ray shear_ray;

static shear_ray prepare_ray(const cell_ray *ray)
{
    return *ray;
}

/* The ends of every edge function, in the order of cell_measure. */
static const uint8_t measure_ends[CELL_MEASURES][2] = {
    {0, 1}, {2, 3}, {4, 5}, {6, 7}, /* edges along i */
    {0, 2}, {4, 6}, {1, 3}, {5, 7}, /* along j */
    {0, 4}, {1, 5}, {2, 6}, {3, 7}, /* along k */
    {0, 6}, {1, 7}, {2, 4}, {3, 5}, /* diagonals of the faces across i */
    {0, 5}, {2, 7}, {4, 1}, {6, 3}, /* across j */
    {0, 3}, {4, 7}, {1, 2}, {5, 6}, /* across k */
};

static inline void measure_cell(const shear_ray *ray, const float *lowest,
                                const ptrdiff_t offset[8], cell_measure *measure)
{
    cell_vertices cell;
#pragma GCC unroll 8
    for (int n = 0; n < 8; n++) {
        render_cell_set_vertex(&cell, n, ray, lowest + offset[n]);
    }
    measure->negative = 0;
    measure->any_zero = false;
#pragma GCC unroll 24
    for (int n = 0; n < CELL_MEASURES; n++) {
        int a = measure_ends[n][0], b = measure_ends[n][1];
        double e = cell.u[a] * cell.v[b] - cell.v[a] * cell.u[b];
        measure->edge[n] = e;
        measure->negative |= (unsigned)(e < 0.0) << n;
        measure->any_zero |= e == 0.0;
    }
}

static inline void leave_kernel(void)
{
}

#include "render/walk_kernel.h"

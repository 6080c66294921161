/* Flags and measures of a brick's cells: copies bricks to rows and back. cells_kernel.h
 * has the loops over the rows. */
#include "cells.h"

#include "base/lanes/choose.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels ---------------------------------------------------------------------- */

const cells_kernel *const *cells_kernels(void)
{
    static const cells_kernel *const all[] = {
#ifdef KARMAN_X86_KERNELS
        &cells_avx512, &cells_avx2,
#endif
        &cells_plain, NULL};
    return all + lanes_missing();
}

static const cells_kernel *fastest_kernel(void)
{
    return cells_kernels()[0];
}

/* ---- from the brick to rows ------------------------------------------------------- */

/* Splits `count` vertices into x, y and z, and pads the row. */
static void copy_row(const float (*restrict from)[4], int count, float *restrict x,
                     float *restrict y, float *restrict z)
{
#pragma omp simd
    for (int i = 0; i < count; i++) {
        x[i] = from[i][0];
        y[i] = from[i][1];
        z[i] = from[i][2];
    }
    for (int i = count; i < CELLS_ROW; i++) {
        x[i] = from[count - 1][0];
        y[i] = from[count - 1][1];
        z[i] = from[count - 1][2];
    }
}

static void copy_points(const grid_brick *brick, cells_rows *rows)
{
    const int *n = brick->place.n;
    const float(*from)[4] = (const float(*)[4])brick->vertex;
    memcpy(rows->n, n, sizeof rows->n);
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++, from += n[0] + 1) {
            const size_t at = cells_row_at(j, k);
            copy_row(from, n[0] + 1, rows->point[0] + at, rows->point[1] + at,
                     rows->point[2] + at);
        }
    }
}

/* Marks the vertices that exist; `blanked` as in grid_brick_flag. */
static void find_existing(const uint8_t *blanked, cells_rows *rows)
{
    const int *n = rows->n;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            const size_t at = cells_row_at(j, k);
            const float *x = rows->point[0] + at, *y = rows->point[1] + at;
            const float *z = rows->point[2] + at;
            uint8_t *exists = rows->exists + at;
            for (int i = 0; i < CELLS_ROW; i++) {
                exists[i] = (fabsf(x[i]) <= GRID_FARTHEST) &
                            (fabsf(y[i]) <= GRID_FARTHEST) &
                            (fabsf(z[i]) <= GRID_FARTHEST);
            }
            for (int i = 0; blanked != NULL && i <= n[0]; i++) {
                exists[i] &= *blanked++ != GRID_POINT_BLANKED;
            }
        }
    }
}

/* Fills in the flags of the brick; *rows receives the brick's rows. */
static void mark(const cells_kernel *kernel, grid_brick *brick, const uint8_t *blanked,
                 cells_rows *rows)
{
    const int *n = brick->place.n;
    copy_points(brick, rows);
    find_existing(blanked, rows);
    kernel->flag(rows);
    uint8_t *flags = brick->flags;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++, flags += n[0] + 1) {
            memcpy(flags, rows->flags + cells_row_at(j, k), (size_t)n[0] + 1);
        }
    }
    const int count = (n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    for (int v = 0; blanked != NULL && v < count; v++) {
        const int wall = blanked[v] == GRID_POINT_WALL ? GRID_WALL : 0;
        brick->flags[v] = (uint8_t)(brick->flags[v] | wall);
    }
}

void grid_brick_mark(grid_brick *brick, const uint8_t *blanked)
{
    cells_rows rows;
    mark(fastest_kernel(), brick, blanked, &rows);
}

void grid_brick_flag(grid_brick *brick, const uint8_t *blanked)
{
    const cells_kernel *kernel = fastest_kernel();
    cells_rows rows;
    mark(kernel, brick, blanked, &rows);
    brick->windings = kernel->windings(&rows);
}

bool grid_brick_has_folds(const grid_layout *layout, const grid_brick *brick)
{
    const bool left_handed = layout->blocks[brick->place.block].left_handed;
    return brick->windings & (left_handed ? GRID_WINDS_RIGHT : GRID_WINDS_LEFT);
}

bool grid_brick_is_folded(const grid_layout *layout, const grid_brick *brick)
{
    grid_brick clear = *brick;
    clear.windings >>= GRID_WINDS_CLEARLY;
    return grid_brick_has_folds(layout, &clear);
}

/* ---- volumes ---------------------------------------------------------------------- */

static vec3 difference(const double a[3], const double b[3])
{
    return vec3_make(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/*
 * Volume of the trilinear hexahedron as twelve determinants gathered into three, after J.
 * Grandy, "Efficient computation of volume of hexahedral cells", UCRL-ID-128886, 1997.
 * *magnitude bounds the terms that cancel: the rounding error is a small multiple of it
 * times epsilon.
 */
static double cell_volume(const double c[8][3], double *magnitude)
{
    const vec3 factors[3][3] = {
        {vec3_add(difference(c[2], c[1]), difference(c[6], c[3])), difference(c[7], c[2]),
         difference(c[3], c[0])},
        {vec3_add(difference(c[4], c[2]), difference(c[5], c[6])), difference(c[7], c[4]),
         difference(c[6], c[0])},
        {vec3_add(difference(c[1], c[4]), difference(c[3], c[5])), difference(c[7], c[1]),
         difference(c[5], c[0])},
    };
    double sum = 0.0;
    *magnitude = 0.0;
    for (int term = 0; term < 3; term++) {
        const vec3 *f = factors[term];
        sum += vec3_dot(f[0], vec3_cross(f[1], f[2]));
        *magnitude += vec3_length(f[0]) * vec3_length(f[1]) * vec3_length(f[2]);
    }
    *magnitude /= 12.0;
    return sum / 12.0;
}

double grid_cell_volume(const double c[8][3])
{
    double magnitude;
    return cell_volume(c, &magnitude);
}

/* The volume of a flat cell is the rounding error of terms that cancel. Differences of
 * nearby float32 numbers are exact in double precision. So this share of the terms'
 * magnitude lies far below any real volume. */
static const double rounding = 1e-14;

/* Index of a cell's kind in the `volumes` of grid_brick_measure. */
static int volume_kind(const cells_rows *rows, size_t cell)
{
    double c[8][3], magnitude;
    for (size_t n = 0; n < 8; n++) {
        const size_t at =
            cell + (n & 1) + (n >> 1 & 1) * CELLS_ROW + (n >> 2) * CELLS_PLANE;
        for (int axis = 0; axis < 3; axis++) {
            c[n][axis] = (double)rows->point[axis][at];
        }
    }
    const double volume = cell_volume((const double(*)[3])c, &magnitude);
    return fabs(volume) <= rounding * magnitude ? 2 : volume > 0.0 ? 0 : 1;
}

/* Counts a row of cells by kind. A volume beyond `certain` is surely not flat;
 * volume_kind decides about the others one by one. */
static void count_row(const cells_rows *rows, size_t at, const double *volume,
                      double certain, int64_t volumes[3])
{
    const uint8_t *flags = rows->flags + at;
    int positive = 0, negative = 0, present = 0;
    for (int i = 0; i < rows->n[0]; i++) {
        const int is_present = flags[i] >> 3 & 1;
        present += is_present;
        positive += is_present & (volume[i] > certain);
        negative += is_present & (volume[i] < -certain);
    }
    volumes[0] += positive;
    volumes[1] += negative;
    for (int i = 0; positive + negative < present && i < rows->n[0]; i++) {
        if ((flags[i] & GRID_PRESENT) && !(fabs(volume[i]) > certain)) {
            volumes[volume_kind(rows, at + (size_t)i)]++;
        }
    }
}

/* ---- measures --------------------------------------------------------------------- */

/* Copies the flags of a brick into its rows, with 0 as padding. */
static void copy_flags(const grid_brick *brick, cells_rows *rows)
{
    const int *n = brick->place.n;
    const uint8_t *flags = brick->flags;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++, flags += n[0] + 1) {
            uint8_t *to = rows->flags + cells_row_at(j, k);
            memset(to, 0, CELLS_ROW);
            memcpy(to, flags, (size_t)n[0] + 1);
        }
    }
}

/* Marks the vertices of a row that belong to a present cell. `below_j`, `below_k`: the
 * brick has a row at the next lower j or k. */
static void find_used(const uint8_t *flags, bool below_j, bool below_k,
                      uint8_t used[CELLS_ROW])
{
    const uint8_t *a = flags, *b = below_j ? flags - CELLS_ROW : flags;
    const uint8_t *c = below_k ? a - CELLS_PLANE : a, *d = below_k ? b - CELLS_PLANE : b;
    uint8_t cells[CELLS_ROW + 1];
    cells[0] = 0;
    for (int i = 0; i < CELLS_ROW; i++) {
        cells[i + 1] = (uint8_t)((a[i] | b[i] | c[i] | d[i]) >> 3 & 1);
    }
    for (int i = 0; i < CELLS_ROW; i++) {
        used[i] = cells[i] | cells[i + 1];
    }
}

/* Bounds of points, separately for each position i in their rows. */
typedef struct row_bounds {
    float lo[CELLS_ROW], hi[CELLS_ROW];
} row_bounds;

/* Grows by a row of one coordinate. */
static void grow_bounds(const float *restrict p, row_bounds *restrict bounds)
{
#pragma omp simd
    for (int i = 0; i < CELLS_ROW; i++) {
        bounds->lo[i] = p[i] < bounds->lo[i] ? p[i] : bounds->lo[i];
        bounds->hi[i] = p[i] > bounds->hi[i] ? p[i] : bounds->hi[i];
    }
}

/* Grows by the used vertices of a row. */
static void grow_bounds_where(const float *restrict p, const uint8_t used[CELLS_ROW],
                              row_bounds *restrict bounds)
{
    for (int i = 0; i < CELLS_ROW; i++) {
        if (used[i]) {
            bounds->lo[i] = fminf(bounds->lo[i], p[i]);
            bounds->hi[i] = fmaxf(bounds->hi[i], p[i]);
        }
    }
}

/* Grows info's bounds by one coordinate of the vertices of present cells; `all`: of all
 * vertices. */
static void find_bounds(const cells_rows *rows, int axis, bool all, grid_brick_info *info)
{
    row_bounds bounds;
    for (int i = 0; i < CELLS_ROW; i++) {
        bounds.lo[i] = INFINITY;
        bounds.hi[i] = -INFINITY;
    }
    for (int k = 0; k <= rows->n[2]; k++) {
        for (int j = 0; j <= rows->n[1]; j++) {
            const size_t at = cells_row_at(j, k);
            uint8_t used[CELLS_ROW];
            if (all) {
                grow_bounds(rows->point[axis] + at, &bounds);
            } else {
                find_used(rows->flags + at, j > 0, k > 0, used);
                grow_bounds_where(rows->point[axis] + at, used, &bounds);
            }
        }
    }
    for (int i = 0; i < CELLS_ROW; i++) {
        info->lo[axis] = fminf(info->lo[axis], bounds.lo[i]);
        info->hi[axis] = fmaxf(info->hi[axis], bounds.hi[i]);
    }
}

static int64_t count_present(const cells_rows *rows)
{
    int64_t cells = 0;
    for (int k = 0; k < rows->n[2]; k++) {
        for (int j = 0; j < rows->n[1]; j++) {
            const uint8_t *flags = rows->flags + cells_row_at(j, k);
            int row = 0;
            for (int i = 0; i < CELLS_ROW; i++) {
                row += flags[i] >> 3 & 1;
            }
            cells += row;
        }
    }
    return cells;
}

/* A volume that surely exceeds rounding. No difference of two points in the brick is
 * longer than its diagonal D, so each of the three terms of cell_volume is at most 2
 * D^3. */
static double certain_volume(const grid_brick_info *info)
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double side = (double)info->hi[axis] - (double)info->lo[axis];
        square += side * side;
    }
    return 1.001 * rounding * 6.0 / 12.0 * square * sqrt(square);
}

void grid_brick_measure(const grid_brick *brick, grid_brick_info *info,
                        int64_t volumes[3])
{
    const cells_kernel *kernel = fastest_kernel();
    cells_rows rows;
    *info = (grid_brick_info){
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    memset(volumes, 0, 3 * sizeof *volumes);
    copy_points(brick, &rows);
    copy_flags(brick, &rows);
    info->cells = (int32_t)count_present(&rows);
    if (info->cells == 0) {
        return;
    }
    const bool all = info->cells == rows.n[0] * rows.n[1] * rows.n[2];
    for (int axis = 0; axis < 3; axis++) {
        find_bounds(&rows, axis, all, info);
    }
    const double certain = certain_volume(info);
    for (int k = 0; k < rows.n[2]; k++) {
        for (int j = 0; j < rows.n[1]; j++) {
            double volume[GRID_BRICK_CELLS];
            kernel->volumes(&rows, j, k, volume);
            count_row(&rows, cells_row_at(j, k), volume, certain, volumes);
        }
    }
}

void grid_brick_volumes(const grid_brick *brick, double *volume)
{
    const cells_kernel *kernel = fastest_kernel();
    cells_rows rows;
    copy_points(brick, &rows);
    for (int k = 0; k < rows.n[2]; k++) {
        for (int j = 0; j < rows.n[1]; j++, volume += rows.n[0]) {
            double row[GRID_BRICK_CELLS];
            kernel->volumes(&rows, j, k, row);
            memcpy(volume, row, (size_t)rows.n[0] * sizeof *row);
        }
    }
}

bool grid_brick_find_volume(const grid_brick *brick, int kind, int at[3])
{
    cells_rows rows;
    copy_points(brick, &rows);
    copy_flags(brick, &rows);
    for (at[2] = 0; at[2] < rows.n[2]; at[2]++) {
        for (at[1] = 0; at[1] < rows.n[1]; at[1]++) {
            for (at[0] = 0; at[0] < rows.n[0]; at[0]++) {
                const size_t cell = cells_row_at(at[1], at[2]) + (size_t)at[0];
                if ((rows.flags[cell] & GRID_PRESENT) &&
                    volume_kind(&rows, cell) == kind) {
                    return true;
                }
            }
        }
    }
    return false;
}

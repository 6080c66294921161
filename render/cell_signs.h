/*
 * The common case of render_cell_exit, quickly: no edge function of the cell is zero, and
 * the ray leaves the cell once. All triangles are tested at the same time, a bit each.
 */
#ifndef RENDER_CELL_SIGNS_H
#define RENDER_CELL_SIGNS_H

#include "render/cell.h"

#include <math.h>
#include <stddef.h>

/*
 * All edge functions of a cell as one ray sees it (e in cell.h).
 *
 * Edge 4 a + m runs along axis a from its lower to its upper end; bit 0 of m is its
 * offset along axis a + 1 (cyclic), bit 1 that along a + 2. Diagonal 12 + 4 a + 2 turned
 * + side is that of face 2 a + side from corner 0 to 2, or turned: from 1 to 3.
 */
enum { CELL_DIAGONALS = 12, CELL_MEASURES = 24 };

typedef struct cell_measure {
    double edge[CELL_MEASURES];
    unsigned negative; /* bit n: edge[n] is negative */
    bool any_zero;     /* signs are not known: ask render_cell_exit */
} cell_measure;

/*
 * In the words below axis a has bits 4 a to 4 a + 3, of which bit 0 stands for the lower
 * face across that axis and bit 1 for the upper one:
 *
 *      bit    11 10  9  8    7  6  5  4    3  2  1  0
 *                    k+ k-         j+ j-         i+ i-
 */
enum {
    CELL_FACES = 0x333,
    CELL_LOWER_FACES = 0x111,
    CELL_UPPER_FACES = 0x222,
};

/* Faces whose diagonal is turned, from the flags at the cell's lowest corner and at its
 * neighbours along i, j and k. */
static inline unsigned cell_turned_faces(uint8_t flags, uint8_t next_i, uint8_t next_j,
                                         uint8_t next_k)
{
    /* GRID_DIAGONAL_I, J, K are bits 0, 1, 2. */
    return (flags & 1u) | (flags & 2u) << 3 | (flags & 4u) << 6 | (next_i & 1u) << 1 |
           (next_j & 2u) << 4 | (next_k & 4u) << 7;
}

/* Swaps the two middle bits of each group of four. */
static inline unsigned cell_swap_middle_bits(unsigned word)
{
    unsigned differing = (word ^ word >> 1) & CELL_UPPER_FACES;
    return word ^ differing ^ differing << 1;
}

static inline unsigned cell_choose_bits(unsigned mask, unsigned if_set, unsigned if_clear)
{
    return if_clear ^ ((if_clear ^ if_set) & mask);
}

/*
 * Triangles through which the ray leaves the cell: bit 4 axis + 2 half + side.
 *
 * The loop around a face across axis a has two edges along a + 1 and two along a + 2:
 *
 *         3 --<-- 2      loop[0] = an edge along a + 1
 *     a+2 |       |      loop[1] = the upper edge along a + 2
 *      ^  v       ^      loop[2] = the upper edge along a + 1, backwards
 *      |  |       |      loop[3] = the lower edge along a + 2, backwards
 *         0 -->-- 1 -> a + 1
 *
 * A turned face is this with corner 1 in the place of corner 0 and so on. The ray crosses
 * half 0 where edges 0, 1 and the diagonal from 2 to 0 have one sign, and half 1 where
 * edges 2, 3 and the diagonal from 0 to 2 have: towards the upper end of axis a where
 * that sign is positive.
 */
static inline unsigned cell_leaving_triangles(unsigned negative, unsigned turned,
                                              bool left_handed)
{
    unsigned edges = negative & 0xfffu, diagonals = negative >> CELL_DIAGONALS;
    unsigned swapped = cell_swap_middle_bits(edges);
    unsigned first = swapped >> 4 | swapped << 8; /* along a + 1, bit 1: upper in a + 2 */
    unsigned second = edges >> 8 | edges << 4;    /* along a + 2, bit 1: upper in a + 1 */
    unsigned loop0 = first, loop1 = second >> 2, loop2 = ~(first >> 2), loop3 = ~second;
    unsigned edge0 = cell_choose_bits(turned, loop1, loop0);
    unsigned edge1 = cell_choose_bits(turned, loop2, loop1);
    unsigned edge2 = cell_choose_bits(turned, loop3, loop2);
    unsigned edge3 = cell_choose_bits(turned, loop0, loop3);
    unsigned diagonal = cell_choose_bits(turned, diagonals >> 2, diagonals);
    /* Out of the upper face means upwards, out of the lower one downwards. */
    unsigned upwards = left_handed ? CELL_LOWER_FACES : CELL_UPPER_FACES;
    unsigned half0 = ~(edge0 ^ edge1) & (edge0 ^ diagonal) & (edge0 ^ upwards);
    unsigned half1 = ~(edge2 ^ edge3) & ~(edge2 ^ diagonal) & (edge2 ^ upwards);
    return (half0 & CELL_FACES) | (half1 & CELL_FACES) << 2;
}

/* A triangle as a bit's number in the words above, and back. */
static inline int cell_triangle_bit(cell_triangle triangle)
{
    return 4 * (triangle.face >> 1) + 2 * triangle.half + (triangle.face & 1);
}

static inline cell_triangle cell_bit_triangle(int bit)
{
    return (cell_triangle){(int8_t)((bit >> 1 & 6) | (bit & 1)), (int8_t)(bit >> 1 & 1)};
}

/* The corners of a triangle, and the edges across from them, which are their weights. */
typedef struct cell_triangle_ends {
    uint8_t corner[3], edge[3];
} cell_triangle_ends;

/* Index: the triangle's bit, plus 16 where its face is turned. */
extern const cell_triangle_ends render_cell_triangles[32];

/*
 * Interpolates t and the scalar where the ray crosses a triangle. Edges and vertices come
 * in the face's own order, so both cells that share it compute the same numbers. All
 * three edges have one sign, or the ray would not be here; it cancels.
 * lowest: the cell's lowest vertex; offset: [8], floats from there to its corners.
 */
static inline void cell_cross_triangle(const cell_measure *measure, const cell_ray *ray,
                                       const float *lowest, const ptrdiff_t offset[8],
                                       int triangle, double *t, double *scalar)
{
    const cell_triangle_ends *ends = &render_cell_triangles[triangle];
    double sum = 0.0, t_sum = 0.0, scalar_sum = 0.0;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const float *vertex = lowest + offset[ends->corner[n]];
        double weight = fabs(measure->edge[ends->edge[n]]);
        double along = (double)vertex[ray->axis[2]] - ray->origin[2];
        sum += weight;
        t_sum += weight * (along * ray->per_unit);
        scalar_sum += weight * (double)vertex[3];
    }
    double per_sum = 1.0 / sum;
    *t = t_sum * per_sum;
    *scalar = scalar_sum * per_sum;
}

#endif

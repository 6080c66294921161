/*
 * One ray and one hexahedral cell: which triangles of its faces the ray crosses, and
 * where.
 *
 * Why no ray is ever lost, and no cell counted twice
 * ---------------------------------------------------
 * A cell is the closed surface of 12 triangles, two for each face. For one ray, every
 * vertex is sheared into a plane across the ray with the ray at the origin (Woop, Benthin
 * and Wald 2013, Watertight Ray/Triangle Intersection): (u, v) in the plane, t along the
 * ray. On which side of the ray an edge passes is then the sign of
 *
 *     e(A, B) = A.u * B.v - A.v * B.u.
 *
 * Without fused multiply-add both products round monotonically, so the computed sign is
 * either right or zero; a zero is resolved from the rounding errors of the products,
 * exactly, and a true zero by moving the ray by an infinitesimal (epsilon, epsilon^2), as
 * in Edelsbrunner and Mücke 1990, Simulation of Simplicity. (Components of a ray below
 * 1e-60 count as zero and cameras farther than 1e100 are refused: with float32 vertices u
 * and v are multiples of 2^-504, so that neither products nor their errors underflow, and
 * nothing overflows.) So all signs are those of one slightly moved ray that meets no edge
 * and no vertex, for the very same points in every cell, block and rank that share them.
 * For such a ray and a closed surface the crossings inwards and outwards are equally
 * many. Pairing the n-th inward with the n-th outward crossing along the ray makes every
 * cell a bijection from its entries to its exits; across a face the exit of one cell is
 * the entry of the next. A march that starts where the grid is entered from outside
 * therefore never comes back to a crossing that it has been at, and ends where the grid
 * is left: it can neither be lost nor run forever, on any grid, warped, inverted or
 * collapsed.
 */
#ifndef RENDER_CELL_H
#define RENDER_CELL_H

#include "render/camera.h"

#include <stdbool.h>
#include <stdint.h>

/* A ray prepared for shearing: axis[2] is the one along which it runs fastest; axis[0]
 * and [1] make the (u, v, t) system right-handed. */
typedef struct cell_ray {
    int axis[3];
    double origin[3]; /* along these axes */
    double shear[2];  /* direction along axis[0], axis[1] per unit along axis[2] */
    double per_unit;  /* t per unit along axis[2] */
} cell_ray;

cell_ray render_cell_ray(render_ray ray);

/* The 8 vertices of a cell, numbered di + 2 dj + 4 dk, as one ray sees them. */
typedef struct cell_vertices {
    double u[8], v[8], t[8];
    float scalar[8];
} cell_vertices;

/* Which of a cell's triangles: face 2 * axis + side (side 1 at the upper index), and 0
 * for the triangle with corner 1 of the face (or corner 2, see grid/brick.h), 1 for the
 * other. */
typedef struct cell_triangle {
    int8_t face, half;
} cell_triangle;

/* A place where a ray crosses a face. */
typedef struct cell_crossing {
    cell_triangle triangle;
    double t;
    double scalar;
} cell_crossing;

/* Most crossings of a cell: all of its triangles. */
enum { CELL_MAX_CROSSINGS = 12 };

/* Diagonals of the six faces, bit 2 * axis + side, from the flags at the cell's lowest
 * corner and at its neighbours along i, j and k. */
unsigned render_cell_diagonals(uint8_t flags, uint8_t next_i, uint8_t next_j,
                               uint8_t next_k);

/*
 * Finds where the ray leaves the cell that it entered through `entry` (at entry_t).
 * left_handed: of the cell's block. Returns false where there is no such exit, which only
 * a defect can cause.
 */
bool render_cell_exit(const cell_vertices *cell, unsigned diagonals, bool left_handed,
                      cell_triangle entry, cell_crossing *exit);

/*
 * Tests one face of a cell: writes the crossings at which the ray enters the cell through
 * it (at most 2) and returns how many. Only the face's four vertices of `cell` are used.
 */
int render_cell_face_entries(const cell_vertices *cell, unsigned diagonals,
                             bool left_handed, int face, cell_crossing entries[2]);

/* The four vertices of a face, corner 0 to 3 as in grid/brick.h. */
const int *render_cell_face_corners(int face);

/* Shears the vertex at (x, y, z, scalar) into place `n` of the cell. */
static inline void render_cell_set_vertex(cell_vertices *cell, int n, const cell_ray *ray,
                                          const float vertex[4])
{
    double along = (double)vertex[ray->axis[2]] - ray->origin[2];
    cell->u[n] = ((double)vertex[ray->axis[0]] - ray->origin[0]) - ray->shear[0] * along;
    cell->v[n] = ((double)vertex[ray->axis[1]] - ray->origin[1]) - ray->shear[1] * along;
    cell->t[n] = along * ray->per_unit;
    cell->scalar[n] = vertex[3];
}

#endif

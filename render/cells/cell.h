/* One ray and one hexahedral cell: the triangles of the cell's faces that the ray
 * crosses, and the crossing points.
 *
 * Why no ray is ever lost, and no cell counted twice
 * --------------------------------------------------
 * A cell is the closed surface of 12 triangles, two for each face. For one ray, every
 * vertex is sheared into a plane across the ray with the ray at the origin (Woop, Benthin
 * and Wald 2013, Watertight Ray/Triangle Intersection): (u, v) in the plane. An edge
 * passes the ray on the side that is given by the sign of
 *
 *     e(A, B) = A.u * B.v - A.v * B.u.
 *
 * u and v are rounded to float32, once for each vertex and ray. This moves vertices by
 * less than the rounding of their own coordinates, and every cell sees the same move.
 * From there on nothing is approximate:
 *
 *   - Without fused multiply-add both products round monotonically, so the sign
 *     computed in float32 is either right or zero.
 *   - Double precision holds the products exactly and settles zeros.
 *   - A true zero is resolved by moving the ray by an infinitesimal (epsilon,
 *     epsilon^2), as in Edelsbrunner and Mücke 1990, Simulation of Simplicity.
 *
 * So all signs are those of one slightly moved ray that meets no edge and no vertex. All
 * cells, blocks and ranks that share points use the very same points. For such a ray and
 * a closed surface, inward and outward crossings are equally many. Pairing the n-th
 * inward with the n-th outward crossing along the ray makes every cell a bijection from
 * its entries to its exits. Across a face, the exit of one cell is the entry of the next.
 * Hence a march that starts at a boundary face of the grid never comes back to an earlier
 * crossing, and ends at a boundary face. It can neither be lost nor run forever, on any
 * grid: warped, inverted or collapsed. (Coordinates of up to 1e18 neither overflow nor
 * make anything inexact.) */
#ifndef RENDER_CELLS_CELL_H
#define RENDER_CELLS_CELL_H

#include "grid/layout.h"
#include "render/view/camera.h"

#include <stdbool.h>
#include <stdint.h>

/* A ray prepared for shearing. It runs fastest along axis[2]; axis[0] and axis[1] are the
 * two that follow (cyclic). Distances along the ray count from the point with coordinate
 * 0 on axis[2]. This point lies in the middle of the grid, so that float32 is precise
 * enough. */
typedef struct cell_ray {
    int axis[3];
    bool is_backward; /* it runs towards lower coordinates of axis[2]: windings look
                         reversed */
    float origin[2];  /* coordinates along axis[0] and axis[1] at distance 0 */
    float shear[2];   /* their change per unit along axis[2] */
    float per_unit;   /* distance along the ray per unit along axis[2]; may be negative */
    double start;     /* the distance from the ray's own origin to that point */
} cell_ray;

cell_ray render_cell_ray(render_ray ray);

/* Limits a coordinate of a ray's origin, so that products in edge functions stay finite.
 * For a ray that meets the grid it is at most twice GRID_FARTHEST; a ray at the limit
 * misses all cells, as it should. */
static inline float render_cell_bound_origin(double x)
{
    const double most = 3.0 * (double)GRID_FARTHEST;
    return (float)(x < -most ? -most : x > most ? most : x);
}

/* The 8 vertices of a cell, numbered di + 2 dj + 4 dk, as seen by one ray. */
typedef struct cell_vertices {
    float u[8], v[8];
    float along[8]; /* coordinate along the ray's axis[2] */
    float scalar[8];
    float per_unit; /* of the ray */
} cell_vertices;

/* A triangle of a cell. face: 2 * axis + side, side 1 at the upper index. half: 0 for the
 * triangle with corner 1 of the face (with corner 2 on a turned diagonal, see
 * grid/brick.h), 1 for the other. */
typedef struct cell_triangle {
    int8_t face, half;
} cell_triangle;

/* A point at which a ray crosses a face. */
typedef struct cell_crossing {
    cell_triangle triangle;
    float t; /* distance along the ray, as in cell_ray */
    float scalar;
    float f, g; /* place on the face, 0 to 1 along the two axes that follow its own */
} cell_crossing;

/* The weights of a triangle's corners are differences of products. If their sum is below
 * CELL_LEAST_WEIGHT, float32 has no digits left for them. A triangle is a sliver if the
 * sum is below CELL_SLIM times the largest products that its corners may have
 * (render_cell_slim), as for a face seen edge-on. On a sliver, rounding would move the
 * crossing by more than 1e-4 of the triangle, and the ray would go to and fro.
 *
 * Next to an edge, a ray crosses two faces of a cell, one right behind the other. There
 * the smallest weight is nearly zero, and rounding might swap both crossings. So slivers
 * and crossings with a weight below CELL_NEAR times these products are computed in double
 * precision. Each distance is rounded only once there, which keeps their order. */
#define CELL_LEAST_WEIGHT 1e-35f
#define CELL_SLIM         0x1p-8f
#define CELL_NEAR         0x1p-18f

/* The limit on the sum of weights below which a triangle is a sliver. u, v: the largest
 * magnitudes among its corners. */
static inline float render_cell_slim(float u, float v)
{
    const float slim = CELL_SLIM * (u * v);
    return slim > CELL_LEAST_WEIGHT ? slim : CELL_LEAST_WEIGHT;
}

/* The largest number of crossings of a cell: all of its triangles. */
enum { CELL_MAX_CROSSINGS = 12 };

/* Diagonals of the six faces, bit 2 * axis + side, from the flags (grid/brick.h) at the
 * cell's lowest corner. */
static inline unsigned render_cell_diagonals(uint8_t flags)
{
    return (flags & 1u) | (flags & 2u) << 1 | (flags & 4u) << 2 | (flags & 16u) >> 3 |
           (flags & 32u) >> 2 | (flags & 64u) >> 1;
}

/* Finds the exit of a ray from the cell that it entered through `entry`. left_handed:
 * handedness as seen by the ray, that of the cell's block, reversed for a backward ray.
 * Returns false if there is no such exit, which only a defect can cause. */
bool render_cell_exit(const cell_vertices *cell, unsigned diagonals, bool left_handed,
                      cell_triangle entry, cell_crossing *exit);

/* The weights of a triangle's corners where the ray crosses it, as render_cell_exit finds
 * them: of both ends of the diagonal and of the apex. They add up to 1. */
void render_cell_weigh(const cell_vertices *cell, unsigned diagonals,
                       cell_triangle triangle, float weights[3]);

/* Tests one face of a cell: writes the crossings at which the ray enters the cell through
 * it, at most 2, and returns their number. Reads only the face's four vertices of
 * `cell`. */
int render_cell_face_entries(const cell_vertices *cell, unsigned diagonals,
                             bool left_handed, int face, cell_crossing entries[2]);

/* The four vertices of a face, corner 0 to 3 as in grid/brick.h. */
const int *render_cell_face_corners(int face);

/* Shears the vertex at (x, y, z, scalar) into place `n` of the cell. */
static inline void render_cell_set_vertex(cell_vertices *cell, int n, const cell_ray *ray,
                                          const float vertex[4])
{
    float along = vertex[ray->axis[2]];
    cell->u[n] = (vertex[ray->axis[0]] - ray->origin[0]) - ray->shear[0] * along;
    cell->v[n] = (vertex[ray->axis[1]] - ray->origin[1]) - ray->shear[1] * along;
    cell->along[n] = along;
    cell->scalar[n] = vertex[3];
    cell->per_unit = ray->per_unit;
}

#endif

/* Shapes of grids, sound and hostile, for the tests of rendering. */
#ifndef TESTS_UNIT_RENDER_SHAPE_H
#define TESTS_UNIT_RENDER_SHAPE_H

#include "test_grid.h"

typedef enum shape_kind {
    SHAPE_BOX,  /* the vertex (i, j, k) lies at (i, j, k) */
    SHAPE_RING, /* radius 1 to 2 along i, a full turn along j (closed), height along k */
    SHAPE_POLE, /* as the ring, with radius 0 to 2: the first plane of i is a line */
    SHAPE_FLAT, /* as the box, with cells a millionth as high as wide */
    SHAPE_LATTICE /* vertices at random points of {0, 1, 2}^3: most cells are degenerate
                   */
} shape_kind;

typedef enum shape_scalar {
    SHAPE_LINEAR, /* (x + 2 y + 3 z) / 40 */
    SHAPE_RANDOM, /* 0 to 1 at every vertex */
    SHAPE_HOLED   /* random, and not a number at one vertex in ten */
} shape_scalar;

/* A grid to be made. */
typedef struct shape {
    shape_kind kind;
    shape_scalar scalar;
    int64_t n[3];  /* vertices */
    uint64_t seed; /* of jitter and scalars */
    double jitter; /* vertices move by up to this much of a cell along each axis */
    bool boundary_is_even; /* vertices of the outer faces stay where they are */
    bool mirrored;         /* i runs backwards: a left-handed block of the same points */
    int64_t split;         /* two blocks that share the i-plane of this index; 0: one */
    bool turned;   /* the second block's axes are k, i, j, and its k runs backwards */
    bool has_hole; /* the vertex in the middle is blanked */
} shape;

/* Makes the grid; not reentrant. */
test_grid shape_create(const shape *wanted);

/* Puts the position of a vertex into xyz, in float precision as the grid holds it. */
void shape_vertex(const shape *of, const int64_t at[3], double xyz[3]);

/* Box shapes have their middle here; half of their diagonal is the radius. */
vec3 shape_center(const test_grid *grid);
double shape_radius(const test_grid *grid);

#endif

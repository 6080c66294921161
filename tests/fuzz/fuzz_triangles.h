/*
 * What a ray sees, found without marching: all triangles of all cells are tested, one by
 * one, in double precision. Slow, and independent of render/cells/cell.h and
 * render/kernel/walk.h; it shares the rules (two triangles for a face, along the diagonal
 * of its smallest vertex; the field is bilinear on a face, by the parameters that are
 * linear in the triangle, and linear along a cell's segment; the n-th entry of a cell
 * belongs to its n-th exit) and the transfer function.
 */
#ifndef TESTS_FUZZ_FUZZ_TRIANGLES_H
#define TESTS_FUZZ_FUZZ_TRIANGLES_H

#include "fuzz_grid.h"

#include "render/transfer/transfer.h"
#include "render/view/camera.h"

/* How much vertices and scalars may be off in the renderer, which rounds to float32:
 * relative to the grid's largest coordinate, and to a scalar itself. */
#define FUZZ_PLACE_ROUNDING  4e-7
#define FUZZ_SCALAR_ROUNDING 2e-7

/* The grid once more in double precision, its vertices and scalars as they are or moved
 * by up to the rounding above. Vertices in one place move together. */
typedef struct fuzz_triangles fuzz_triangles;

/* version: 0: nothing is moved; others move things differently. Borrows the grid. Local.
 * Errors: STATUS_MEMORY. */
status fuzz_triangles_create(const fuzz_grid *grid, int version, fuzz_triangles **out);
void fuzz_triangles_destroy(fuzz_triangles **triangles);

typedef struct fuzz_sight {
    double rgba[4];  /* premultiplied; not clamped */
    double path;     /* signed length of all segments in front of the viewer */
    double distance; /* of all their magnitudes */
    int segments;
    bool unclear; /* the ray passes an edge too closely for double precision */
} fuzz_sight;

/* Follows a ray, with segments in the order of their beginnings. Where blocks overlap
 * that have priorities, the first one counts. Local. Errors: STATUS_MEMORY. */
status fuzz_triangles_follow(fuzz_triangles *triangles, const render_transfer *transfer,
                             const render_ray *ray, fuzz_sight *out);

#endif

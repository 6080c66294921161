/*
 * Finds the colour along a ray without marching: tests all triangles of all cells one by
 * one, in double precision. Slow, and independent of render/cells/cell.h and
 * render/kernel/walk.h. It shares the transfer function with them, and these rules:
 * - A face has two triangles along the diagonal of its smallest vertex.
 * - The field is bilinear on a face, in parameters that are linear in the triangle, and
 *   linear along a cell's segment.
 * - The n-th entry of a cell belongs to its n-th exit.
 */
#ifndef TESTS_FUZZ_FUZZ_TRIANGLES_H
#define TESTS_FUZZ_FUZZ_TRIANGLES_H

#include "fuzz_grid.h"

#include "render/transfer/transfer.h"
#include "render/view/camera.h"

/* The error of vertices and scalars in the renderer, which rounds to float32: relative to
 * the grid's largest coordinate, and to a scalar itself. */
#define FUZZ_PLACE_ROUNDING  4e-7
#define FUZZ_SCALAR_ROUNDING 2e-7

/* A copy of the grid in double precision. Its vertices and scalars are those of the grid,
 * or moved by up to the rounding above. Vertices in one place move together. */
typedef struct fuzz_triangles fuzz_triangles;

/* version: 0 moves nothing; other versions move vertices differently. Borrows the grid.
 * Local. Errors: STATUS_MEMORY. */
status fuzz_triangles_create(const fuzz_grid *grid, int version, fuzz_triangles **out);
void fuzz_triangles_destroy(fuzz_triangles **triangles);

typedef struct fuzz_sight {
    double rgba[4];  /* premultiplied; not clamped */
    double path;     /* signed length of all segments in front of the viewer */
    double distance; /* of all their magnitudes */
    int segments;
    bool unclear; /* the ray passes an edge too closely for double precision */
} fuzz_sight;

/* Follows a ray; segments are ordered by their beginnings. If blocks with priorities
 * overlap, the first one counts. Local. Errors: STATUS_MEMORY. */
status fuzz_triangles_follow(fuzz_triangles *triangles, const render_transfer *transfer,
                             const render_ray *ray, fuzz_sight *out);

#endif

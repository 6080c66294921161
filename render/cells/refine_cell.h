/* One cell as the trilinear map has it, for one ray; render/cells/refine_lanes.h does
 * many. */
#ifndef RENDER_CELLS_REFINE_CELL_H
#define RENDER_CELLS_REFINE_CELL_H

#include "march.h"

/* Into how many parts the way through a trilinear cell is cut. */
enum { REFINE_PARTS = 4 };

/* Where a part of the way begins or ends. */
typedef struct refine_knot {
    float t, scalar;
} refine_knot;

/* Moves a crossing from the triangles to the patch of its face, unless the ray misses
 * that by so much that it is not within the bounds of the face there: each point of a
 * ray is drawn of cells whose bounds hold it, as whoever draws it has no others. What
 * these functions give has the same bits as in the kernels. */
void render_refine_crossing(const march_grid *grid, const cell_ray *ray,
                            const march_cell *cell, cell_crossing *crossing);

/* The way through a cell from patch to patch: the ends of its parts. */
void render_refine_way(const march_grid *grid, const cell_ray *ray,
                       const march_cell *cell, const cell_crossing *entry,
                       const cell_crossing *exit, refine_knot knots[REFINE_PARTS + 1]);

#endif

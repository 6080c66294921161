/* One cell under the trilinear map, for one ray; render/cells/refine_lanes.h does
 * many. */
#ifndef RENDER_CELLS_REFINE_CELL_H
#define RENDER_CELLS_REFINE_CELL_H

#include "march.h"
#include "render/transfer/table.h"

/* Most parts into which the way through a trilinear cell is cut. */
enum { REFINE_MOST_PARTS = 16 };

/* The beginning or the end of such a part. */
typedef struct refine_knot {
    float t, scalar;
} refine_knot;

/* Moves a crossing from a triangle to the bilinear patch of its face, if the face is one
 * (march_grid.has_patches). The crossing stays on the triangle if the ray misses the
 * patch so widely that the new point leaves the bounds of the face. The reason: a rank
 * holds only cells whose bounds meet its box. So each point of a ray must be drawn by a
 * cell whose bounds contain it. The functions here give the same bits as the kernels. */
void render_refine_crossing(const march_grid *grid, const cell_ray *ray,
                            const march_cell *cell, cell_crossing *crossing);

/* The largest warp of the faces of a brick on the border of its block: how far their
 * corners are from flat. Patches lie before or behind the triangles by up to a quarter of
 * it. */
float render_refine_warp(const march_grid *grid, int brick);

/* A way through a cell, from patch to patch or from triangle to triangle. */
typedef struct refine_way {
    march_cell cell;
    cell_crossing entry, exit;
    bool entry_is_on_patch, exit_is_on_patch; /* else on triangles */
} refine_way;

/* The knots between the parts of a way (render/cells/bend_parts.h), from patch to patch
 * or from triangle to triangle. Returns the number of parts, > 0. */
int render_refine_way(const march_grid *grid, const cell_ray *ray, const refine_way *way,
                      bool on_patches, const transfer_table *table,
                      refine_knot knots[REFINE_MOST_PARTS + 1]);

#endif

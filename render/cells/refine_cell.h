/* One cell under the trilinear map, for one ray; render/cells/refine_lanes.h does
 * many. */
#ifndef RENDER_CELLS_REFINE_CELL_H
#define RENDER_CELLS_REFINE_CELL_H

#include "march.h"
#include "render/transfer/table.h"

/* Number of parts into which the way through a trilinear cell is cut. */
enum { REFINE_PARTS = 4 };

/* The beginning or the end of such a part. */
typedef struct refine_knot {
    float t, scalar;
} refine_knot;

/* Moves a crossing from a triangle to the bilinear patch of its face. The crossing stays
 * on the triangle if the ray misses the patch so widely that the new point leaves the
 * bounds of the face. The reason: a rank holds only cells whose bounds meet its box. So
 * each point of a ray must be drawn by a cell whose bounds contain it. The functions here
 * give the same bits as the kernels. */
void render_refine_crossing(const march_grid *grid, const cell_ray *ray,
                            const march_cell *cell, cell_crossing *crossing);

/* The way through a cell from patch to patch: the knots between its parts. */
void render_refine_way(const march_grid *grid, const cell_ray *ray,
                       const march_cell *cell, const cell_crossing *entry,
                       const cell_crossing *exit, refine_knot knots[REFINE_PARTS + 1]);

/* A way through a cell from triangle to triangle. */
typedef struct refine_way {
    march_cell cell;
    cell_crossing entry, exit;
} refine_way;

/* The middle of a way, at which the scalar bends (render/cells/bend_lanes.h); false if
 * the way is straight. */
bool render_refine_bend(const march_grid *grid, const cell_ray *ray,
                        const refine_way *way, const transfer_table *table,
                        refine_knot *middle);

#endif

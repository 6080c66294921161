/* Shading of one cell for one ray; render/light/shade_lanes.h does many. */
#ifndef RENDER_LIGHT_SHADE_CELL_H
#define RENDER_LIGHT_SHADE_CELL_H

#include "render/cells/march.h"
#include "shade.h"
#include "shade_way.h"

/* The gradient at the place where a ray crosses a face of a cell; 0 if the grid has none.
 * This and the other
 * functions here give the same bits as the kernels. */
void render_shade_gradient(const march_grid *grid, const cell_ray *ray,
                           const march_cell *cell, const cell_crossing *crossing,
                           float gradient[3]);

/* Finds the light on a piece of a way. Returns the number of its equal parts, and fills
 * in D, S and F of each. */
int render_shade_parts(const render_shade *shade, const cell_ray *ray,
                       const shade_way *way, shade_factors factors[SHADE_MOST_PARTS]);

#endif

/* Recipes: how a field that somebody names is made from what the file holds. */
#ifndef GRID_RECIPE_H
#define GRID_RECIPE_H

#include "field.h"

/* How one field is computed; a field that is in the file is a recipe with one input. */
typedef struct grid_recipe grid_recipe;

/*
 * Finds how to make `name` from `fields` ([nfields], what the file holds): a field of the
 * file, or derived: velocity_magnitude, velocity_x|y|z (from momentum and density),
 * vorticity_magnitude, vorticity_x|y|z, q_criterion, density_gradient_magnitude,
 * pressure, temperature, mach (from density, momentum_x|y|z and energy per volume).
 *
 * A field of the file wins over a derived one of its name. Local.
 *
 * Errors: STATUS_INPUT for a name that cannot be made: the message lists what is in the
 * file and what can be derived from it, and names the missing inputs of a known name;
 * STATUS_MEMORY.
 */
status grid_recipe_create(const char *name, int nfields, const grid_field *fields,
                          grid_gas gas, grid_recipe **out);
void grid_recipe_destroy(grid_recipe **recipe);

/* The name that it was made for. */
const char *grid_recipe_name(const grid_recipe *recipe);

/* Inputs, as indices into `fields` of grid_recipe_create. */
int grid_recipe_input_count(const grid_recipe *recipe);
int grid_recipe_input(const grid_recipe *recipe, int input);

/* Where the result lives: gradients live at vertices, all else where its inputs live
 * (inputs of mixed location meet at vertices). */
grid_location grid_recipe_location(const grid_recipe *recipe);

/* Makes the result live at vertices: inputs in cells are averaged over the present cells
 * around, before the field is computed. For what needs a continuous field. Local. */
void grid_recipe_move_to_vertices(grid_recipe *recipe);

/* Layers of vertices around the wanted ones whose coordinates and inputs the result
 * depends on: 0 for pointwise recipes; 2 for derivatives (beside a blanked vertex the
 * one-sided stencil reaches two vertices away); one more where inputs in cells are
 * averaged to vertices. */
int grid_recipe_ghost_layers(const grid_recipe *recipe);

/*
 * A box of vertices of one block with what a recipe needs there. It reaches
 * grid_recipe_ghost_layers beyond the wanted vertices, less where the block ends (a
 * closed axis does not end: there the layers wrap around, skipping the vertex plane that
 * is there twice).
 */
typedef struct grid_patch {
    int n[3];                  /* vertices of the box along i, j, k */
    int core_lo[3], core_n[3]; /* the wanted vertices, inside the box */
    const float *x, *y, *z;    /* [n[2]][n[1]][n[0]] */
    const uint8_t *blanked;    /* the same shape, of GRID_POINT_... (grid/layout.h),
                                  or NULL */
    const float *inputs[GRID_RECIPE_MAX_INPUTS]; /* at vertices [n[2]][n[1]][n[0]], or in
                                                    cells [n[2]-1][n[1]-1][n[0]-1] */
} grid_patch;

/*
 * Computes the field on the core of the patch. out: [core_n[2]][core_n[1]][core_n[0]] at
 * vertices, or [core_n[2]-1]… in cells. Derivatives are second-order central in index
 * space, one-sided (second order where three vertices are there) at block ends and beside
 * blanked vertices or such with coordinates that are not finite, and turned into physical
 * space by the inverse of the Jacobian. Where an edge has no length (a pole) the
 * derivative along it is taken at the neighbouring vertex off the pole. Where the
 * Jacobian is singular nonetheless, at blanked vertices, and where no present cell is
 * around to average from, the result is NaN. The result at a vertex does not depend on
 * how the core is cut out of the block. Local; may be called by several threads at once.
 */
void grid_recipe_compute(const grid_recipe *recipe, const grid_patch *patch, float *out);

/* Layers of vertices around the wanted ones for grid_recipe_compute_gradients: those of
 * the recipe and one more; another one where cells are averaged to vertices for it. */
int grid_recipe_gradient_layers(const grid_recipe *recipe);

/*
 * Computes the field on the core of the patch as grid_recipe_compute does, and its
 * gradient in physical space at the vertices of the core. gradient:
 * [core_n[2]][core_n[1]][core_n[0]][3], per unit of length. The patch reaches
 * grid_recipe_gradient_layers beyond its core, which has at most GRID_BRICK_CELLS + 1
 * vertices along an axis. Differences are central, of first order at block ends and
 * beside blanked vertices; fields in cells are averaged to vertices first. Where there is
 * no gradient (blanked, singular or not finite) it is zero. It does not depend on how the
 * core is cut out of the block. Local; may be called by several threads at once.
 */
void grid_recipe_compute_gradients(const grid_recipe *recipe, const grid_patch *patch,
                                   float *out, float (*gradient)[3]);

/* The names that can be derived from `fields`, one after the other: the n-th, or NULL
 * after the last. For `info` and error messages. */
const char *grid_recipe_derivable(int nfields, const grid_field *fields, int n);

#endif

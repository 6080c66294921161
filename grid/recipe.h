/* Recipes: how to compute a field that the user names from the fields of the file. */
#ifndef GRID_RECIPE_H
#define GRID_RECIPE_H

#include "field.h"
#include "made.h"

/* Finds how to make `name` from `fields` ([nfields], those of the file). The name is one
 * that the terms define; a field of the file, by its name or alias; a derived one
 * (derive/fields.c); or the quality of cells (quality.h). Inputs `nfields` and above are
 * fields that every grid has (field.h). Names go in this order. Local.
 *
 * Errors: STATUS_INPUT for a name that cannot be made. The message lists the fields of
 * the file and those that can be derived; for a derived field it names the missing
 * inputs. STATUS_USAGE for a definition that cannot be computed. STATUS_MEMORY. */
status grid_recipe_create(const char *name, int nfields, const grid_field *fields,
                          grid_terms terms, grid_recipe **out);
void grid_recipe_destroy(grid_recipe **recipe);

/* The name that the recipe was made for. */
const char *grid_recipe_name(const grid_recipe *recipe);

/* Inputs, as indices into `fields` of grid_recipe_create. */
int grid_recipe_input_count(const grid_recipe *recipe);
int grid_recipe_input(const grid_recipe *recipe, int input);

/* The field that an input is made as, borrowed; NULL: it is a field of the source. Its
 * index is GRID_FIELD_MADE then. */
const grid_made *grid_recipe_made(const grid_recipe *recipe, int input);

/* Whether a recipe takes more than the present step: the step before, means, other data.
 * nfields: those of the source. Local. */
bool grid_recipe_takes_steps(const grid_recipe *recipe, int nfields);

/* Location of the result. Gradients live at vertices; other results live where their
 * inputs do. If the locations of the inputs differ, the result lives at vertices. */
grid_location grid_recipe_location(const grid_recipe *recipe);

/* Makes the result live at vertices, for uses that need a continuous field. Inputs in
 * cells are averaged over the present cells around a vertex before the field is computed.
 * Local. */
void grid_recipe_move_to_vertices(grid_recipe *recipe);

/* Ghost layers: layers of vertices around the wanted ones whose coordinates and inputs
 * the result depends on. Pointwise recipes need 0. Derivatives need 2, because the
 * one-sided stencil beside a blanked vertex reaches two vertices. Averaging inputs in
 * cells to vertices takes one more. Layers of inputs that are made come on top. */
int grid_recipe_ghost_layers(const grid_recipe *recipe);

/* A box of vertices of one block with the inputs of a recipe. It extends
 * grid_recipe_ghost_layers beyond the wanted vertices, but not beyond the block. A closed
 * axis has no end: there the layers wrap around and skip the duplicate vertex plane. */
typedef struct grid_patch {
    int n[3];                  /* vertices of the box along i, j, k */
    int core_lo[3], core_n[3]; /* the wanted vertices, inside the box */
    const float *x, *y, *z;    /* [n[2]][n[1]][n[0]]; NULL for pointwise recipes if all
                                  cells are present */
    const float *data[3];   /* the same shape: x, y, z of the data, in which derivatives
                               are taken; NULL: these are x, y, z (grid/view.h) */
    const uint8_t *blanked; /* the same shape, of GRID_POINT_... (grid/layout.h),
                               or NULL */
    const float *inputs[GRID_RECIPE_MAX_INPUTS]; /* at vertices [n[2]][n[1]][n[0]], or in
                                                    cells [n[2]-1][n[1]-1][n[0]-1] */
} grid_patch;

/* Computes the field on the core of the patch. out: [core_n[2]][core_n[1]][core_n[0]] at
 * vertices, or [core_n[2]-1]… in cells.
 *
 * Derivatives are second-order central differences in index space, turned into physical
 * space by the inverse of the Jacobian. At block ends, and beside vertices that are
 * blanked or not finite, they are one-sided (second order if three vertices are
 * available). At an edge without length (a pole) the derivative along the edge is taken
 * at the neighbouring vertex off the pole.
 *
 * The result is NaN at blanked vertices, at a singular Jacobian, and at vertices without
 * a present cell to average from. The result at a vertex does not depend on how the core
 * is cut out of the block. Local; may be called by several threads at once. */
void grid_recipe_compute(const grid_recipe *recipe, const grid_patch *patch, float *out);

/* A recipe, and which inputs of a patch are its own. */
typedef struct grid_recipe_use {
    const grid_recipe *recipe;
    int inputs[GRID_RECIPE_MAX_INPUTS]; /* indices into grid_patch.inputs */
} grid_recipe_use;

/* Computes several recipes on the same patch: out[count], each as grid_recipe_compute has
 * it, with the same bits. Means over cells of an input that several pointwise recipes use
 * are computed once if the patch has no coordinates. Local; may be called by several
 * threads at once. */
void grid_recipe_compute_all(int count, const grid_recipe_use *uses,
                             const grid_patch *patch, float *const *out);

/* Whether the core of a patch has two planes of vertices along k that get the same values
 * from these recipes: the block is one cell deep, and all values are means over cells. It
 * is enough then to compute one of both. Local. */
bool grid_recipe_planes_are_alike(int count, const grid_recipe_use *uses,
                                  const grid_patch *patch);

/* Ghost layers for grid_recipe_compute_gradients: those of the recipe and one more, or
 * two more if cells are averaged to vertices for the gradient. */
int grid_recipe_gradient_layers(const grid_recipe *recipe);

/* Computes the field on the core of the patch as grid_recipe_compute does, and its
 * gradient in physical space at the vertices of the core. gradient:
 * [core_n[2]][core_n[1]][core_n[0]][3], per unit of length. The patch extends
 * grid_recipe_gradient_layers beyond its core, which has at most GRID_BRICK_CELLS + 1
 * vertices along an axis.
 *
 * Differences are central, and of first order at block ends and beside blanked vertices.
 * Loading replaces those where blocks meet (means.h).
 * Fields in cells are averaged to vertices first. The gradient is zero if there is none
 * (blanked, singular or not finite). It does not depend on how the core is cut out of the
 * block. Local; may be called by several threads at once. */
void grid_recipe_compute_gradients(const grid_recipe *recipe, const grid_patch *patch,
                                   float *out, float (*gradient)[3]);

/*
 * Whether a name, as for grid_recipe_create, stands for a difference of steps or data
 * sets: it is defined as a - b, one of which takes previous(), mean() or other() that the
 * other one does not take, or as such a difference by something. Local.
 */
bool grid_recipe_is_difference(const char *name, grid_terms terms);

/* Whether any definition takes other(). Local. */
bool grid_terms_take_other(const grid_terms *terms);

/* The n-th name that can be derived from `fields`, or NULL after the last. For `info` and
 * error messages. */
const char *grid_recipe_derivable(int nfields, const grid_field *fields, int n);

#endif

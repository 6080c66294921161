/* Recipes whose inputs in cells have become means at vertices. Loading does so where
 * blocks meet: the cells of other blocks count there, too. */
#ifndef GRID_MEANS_H
#define GRID_MEANS_H

#include "base/vec.h"
#include "recipe.h"

/* Whether a recipe averages inputs in cells to vertices. Local. */
bool grid_recipe_takes_means(const grid_recipe *recipe);

/* Makes the recipe for inputs that all live at vertices; grid_recipe_destroy. Local.
 * Errors: STATUS_MEMORY. */
status grid_recipe_create_of_means(const grid_recipe *recipe, grid_recipe **out);

/* Makes the recipe of a field at vertices, the only input; grid_recipe_destroy. Local.
 * Errors: STATUS_MEMORY. */
status grid_recipe_create_vertex_field(grid_recipe **out);

/* Means of the field in cells `field` ([n[2]-1][n[1]-1][n[0]-1] of the patch) over the
 * present cells around the vertices of the patch's core, in the order of
 * grid_recipe_compute; NaN without a present cell. Local. */
void grid_patch_average(const grid_patch *patch, const float *field, float *out);

/* Corrects what is computed on the core of a patch, at vertices that blocks share. */
typedef struct grid_correction {
    /* Results on the core: [core_n[2]][core_n[1]][core_n[0]]. */
    void (*results)(void *context, const grid_patch *patch, float *results);
    /* Gradients of the quantities 3 set to 3 set + 2 of a formula, before it is computed
     * from them: [core_n[2]][core_n[1]][core_n[0]][3][3]. */
    void (*gradients)(void *context, const grid_patch *patch, int set, float *gradients);
    void *context;
} grid_correction;

/* As grid_recipe_compute, with a correction of the results, or of the gradients that they
 * are made from; NULL: none. Local. */
void grid_recipe_compute_means(const grid_recipe *recipe, const grid_patch *patch,
                               const grid_correction *correction, float *out);

/* As grid_recipe_compute_gradients, with a correction of the field on the core and the
 * layers that gradients need around it, before the field is differentiated; NULL: none.
 * Local. */
void grid_recipe_compute_corrected(const grid_recipe *recipe, const grid_patch *patch,
                                   const grid_correction *correction, float *out,
                                   float (*gradient)[3]);

/* What a recipe of means differentiates: its quantities, or none. Those of a recipe that
 * is no formula are three at most (components of the velocity). Local. */
enum { GRID_MOST_QUANTITIES = 6, GRID_QUANTITIES_OF_A_SET = 3 };
bool grid_recipe_is_formula(const grid_recipe *recipe);
bool grid_recipe_differentiates(const grid_recipe *recipe, int quantity);

/* A quantity at all vertices of a patch with inputs at vertices. out: [n[2]][n[1]][n[0]].
 * Local. */
void grid_recipe_compute_quantity(const grid_recipe *recipe, const grid_patch *patch,
                                  int quantity, float *out);

/* The result of a recipe that is no formula from the gradients of its quantities.
 * Local. */
float grid_recipe_of_gradients(const grid_recipe *recipe,
                               const vec3 gradient[GRID_QUANTITIES_OF_A_SET]);

/*
 * The part of a block in the gradient at a vertex that several blocks share. The gradient
 * is the mean over the blocks' own ones, weighted by their Jacobian determinants and
 * octants. So it is that of central differences across the border, if blocks match:
 *
 *     a ---- b ---- c      (c - a) / (x_c - x_a) is the mean of (b - a) / (x_b - x_a) and
 *     block 1|block 2      (c - b) / (x_c - x_b), weighted by the lengths
 */
typedef struct grid_gradient_part {
    int at[3];    /* the vertex, in indices of the patch */
    bool open[3]; /* another block continues the axis: the difference is of first order */
    bool is_short;        /* so are all others at ends of the block */
    double weight;        /* out: the determinant's magnitude; 0: no gradient */
    double inverse[3][3]; /* out: that times the gradient is the sum over the axes of
                             inverse[axis] times the derivative along it */
    int step[3][3];       /* out: offsets of the stencil along each axis, in vertices */
    double factor[3][3];  /* out: its factors; 0 where a vertex is not used */
} grid_gradient_part;

/* Finds stencils and weight of a part from the places of a patch. Local. */
void grid_gradient_part_find(const grid_patch *patch, grid_gradient_part *part);

/* The part's gradient of values at all vertices of the patch, times its weight. Local. */
vec3 grid_gradient_part_of(const grid_patch *patch, const grid_gradient_part *part,
                           const float *values);

#endif

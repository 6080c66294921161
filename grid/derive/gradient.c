/* Gradients of a field, for shading. The field is computed on its core and the layers
 * around it. Then it is differentiated like a field of the file, by the stencils of
 * derived fields. */
#include "derivation.h"
#include "grid/means.h"

enum {
    MOST_AROUND = 2, /* layers around the core for which the field is computed */
    SIDE = GRID_BRICK_CELLS + 1 + 2 * MOST_AROUND,
    VERTICES = SIDE * SIDE * SIDE
};

/* A patch whose only input is the field. */
typedef struct field_patch {
    grid_patch patch; /* borrows the arrays below */
    float xyz[3][VERTICES];
    float field[VERTICES];
    uint8_t blanked[VERTICES];
} field_patch;

/* A field in cells is averaged to the vertices of the stencil first, which takes one
 * layer more. */
static int layers_around(const grid_recipe *recipe)
{
    return derive_reach(DERIVE_GRADIENT) +
           (grid_recipe_location(recipe) == GRID_CELL ? 1 : 0);
}

int grid_recipe_gradient_layers(const grid_recipe *recipe)
{
    return grid_recipe_ghost_layers(recipe) + layers_around(recipe);
}

/* The same patch with this many more layers in its core, cut at the ends of the patch. */
static grid_patch grow_core(const grid_patch *patch, int layers)
{
    grid_patch grown = *patch;
    for (int axis = 0; axis < 3; axis++) {
        int lo = patch->core_lo[axis] - layers;
        int end = patch->core_lo[axis] + patch->core_n[axis] + layers;
        grown.core_lo[axis] = lo < 0 ? 0 : lo;
        end = end > patch->n[axis] ? patch->n[axis] : end;
        grown.core_n[axis] = end - grown.core_lo[axis];
    }
    return grown;
}

/* Computes the field on the core of `grown`, and makes a patch of it whose core is that
 * of `patch`. */
static void fill_patch(const grid_recipe *recipe, const grid_patch *patch,
                       const grid_patch *grown, const grid_correction *correction,
                       field_patch *out)
{
    const float *const from[3] = {patch->x, patch->y, patch->z};
    const int *lo = grown->core_lo, *count = grown->core_n;
    for (int axis = 0; axis < 3; axis++) {
        derive_copy_box(from[axis], sizeof(float), patch->n, lo, count, out->xyz[axis]);
    }
    if (patch->blanked) {
        derive_copy_box(patch->blanked, 1, patch->n, lo, count, out->blanked);
    }
    grid_recipe_compute_means(recipe, grown, correction, out->field);
    out->patch = (grid_patch){.x = out->xyz[0],
                              .y = out->xyz[1],
                              .z = out->xyz[2],
                              .blanked = patch->blanked ? out->blanked : NULL,
                              .inputs = {out->field}};
    for (int axis = 0; axis < 3; axis++) {
        out->patch.n[axis] = count[axis];
        out->patch.core_lo[axis] = patch->core_lo[axis] - lo[axis];
        out->patch.core_n[axis] = patch->core_n[axis];
    }
}

/* Copies the field on the core. */
static void copy_core(const field_patch *field, grid_location location, float *out)
{
    const int less = location == GRID_CELL ? 1 : 0;
    int n[3], count[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = field->patch.n[axis] - less;
        count[axis] = field->patch.core_n[axis] - less;
    }
    derive_copy_box(field->field, sizeof *out, n, field->patch.core_lo, count, out);
}

void grid_recipe_compute_gradients(const grid_recipe *recipe, const grid_patch *patch,
                                   float *out, float (*gradient)[3])
{
    grid_recipe_compute_corrected(recipe, patch, NULL, out, gradient);
}

void grid_recipe_compute_corrected(const grid_recipe *recipe, const grid_patch *patch,
                                   const grid_correction *correction, float *out,
                                   float (*gradient)[3])
{
    const grid_location location = grid_recipe_location(recipe);
    const grid_patch grown = grow_core(patch, layers_around(recipe));
    const grid_recipe slopes = {.kind = DERIVE_GRADIENT,
                                .ninputs = 1,
                                .locations = {location},
                                .quantity = {{0, -1, -1}, {-1, -1, -1}, {-1, -1, -1}}};
    field_patch field;
    fill_patch(recipe, patch, &grown, correction, &field);
    copy_core(&field, location, out);
    grid_recipe_compute(&slopes, &field.patch, &gradient[0][0]);
}

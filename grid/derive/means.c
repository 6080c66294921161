/* Recipes of means at vertices, and gradients at vertices that blocks share. */
#include "grid/means.h"

#include "slopes.h"
#include "tile.h"

#include <stdlib.h>

bool grid_recipe_takes_means(const grid_recipe *recipe)
{
    return grid_recipe_location(recipe) == GRID_VERTEX &&
           derive_has_input_at(recipe, GRID_CELL);
}

status grid_recipe_create_of_means(const grid_recipe *recipe, grid_recipe **out)
{
    grid_recipe *made = malloc(sizeof *made);
    if (!made) {
        return base_fail_memory(sizeof *made, "a field");
    }
    *made = *recipe;
    if (recipe->formula) {
        made->formula = malloc(sizeof *made->formula);
        if (!made->formula) {
            free(made);
            return base_fail_memory(sizeof *made->formula, "a field");
        }
        *made->formula = *recipe->formula;
    }
    for (int input = 0; input < made->ninputs; input++) {
        made->locations[input] = GRID_VERTEX;
        if (made->made[input]) {
            grid_made_hold(made->made[input]);
        }
    }
    *out = made;
    return STATUS_OK;
}

status grid_recipe_create_vertex_field(grid_recipe **out)
{
    grid_recipe *made = malloc(sizeof *made);
    if (!made) {
        return base_fail_memory(sizeof *made, "a field");
    }
    *made = (grid_recipe){.kind = DERIVE_COPY,
                          .at_vertices = true,
                          .ninputs = 1,
                          .locations = {GRID_VERTEX},
                          .quotient = {-1, -1, -1}};
    *out = made;
    return STATUS_OK;
}

void grid_patch_average(const grid_patch *patch, const float *field, float *out)
{
    const grid_recipe mean = {.kind = DERIVE_COPY,
                              .at_vertices = true,
                              .ninputs = 1,
                              .locations = {GRID_CELL},
                              .quotient = {-1, -1, -1}};
    grid_patch own = *patch;
    own.inputs[0] = field;
    grid_recipe_compute(&mean, &own, out);
}

bool grid_recipe_is_formula(const grid_recipe *recipe)
{
    return recipe->kind == DERIVE_FORMULA;
}

/* How a recipe finds a quantity. */
static derive_parts parts_of(const grid_recipe *recipe, int quantity)
{
    const derive_parts none = {-1, -1, -1};
    if (recipe->kind == DERIVE_FORMULA) {
        return quantity < recipe->formula->nquantities ? recipe->formula->parts[quantity]
                                                       : none;
    }
    return derive_is_gradient(recipe->kind) && quantity < DERIVE_QUANTITIES
               ? recipe->quantity[quantity]
               : none;
}

bool grid_recipe_differentiates(const grid_recipe *recipe, int quantity)
{
    return derive_is_part(parts_of(recipe, quantity));
}

/* The quantity that a program computes at some vertices of a patch. */
static void run_program(const grid_recipe *recipe, const derive_program *program,
                        const grid_patch *patch, size_t first, int count, float *out)
{
    double values[GRID_RECIPE_MAX_INPUTS][DERIVE_ROW], result[DERIVE_ROW];
    const double *slots[PROGRAM_SLOTS] = {NULL};
    for (int n = 0; n < recipe->ninputs; n++) {
        for (int i = 0; i < count; i++) {
            values[n][i] = (double)patch->inputs[n][first + (size_t)i];
        }
        slots[n] = values[n];
    }
    derive_kernels()[0]->evaluate(program, count, slots, result);
    for (int i = 0; i < count; i++) {
        out[i] = (float)result[i];
    }
}

void grid_recipe_compute_quantity(const grid_recipe *recipe, const grid_patch *patch,
                                  int quantity, float *out)
{
    const derive_parts parts = parts_of(recipe, quantity);
    const size_t count = (size_t)patch->n[0] * (size_t)patch->n[1] * (size_t)patch->n[2];
    if (parts.program >= 0) {
        const derive_program *program = &recipe->formula->quantity[parts.program];
        for (size_t first = 0; first < count; first += DERIVE_ROW) {
            const size_t left = count - first;
            run_program(recipe, program, patch, first,
                        left < DERIVE_ROW ? (int)left : DERIVE_ROW, out + first);
        }
        return;
    }
    const float *values = patch->inputs[parts.input];
    const float *per = parts.per < 0 ? NULL : patch->inputs[parts.per];
    for (size_t n = 0; n < count; n++) {
        out[n] = per ? (float)((double)values[n] / (double)per[n]) : values[n];
    }
}

float grid_recipe_of_gradients(const grid_recipe *recipe,
                               const vec3 gradient[GRID_QUANTITIES_OF_A_SET])
{
    return derive_to_field(
        derive_of_gradients(recipe->kind, gradient[0], gradient[1], gradient[2]));
}

/* ---- Parts of blocks --------------------------------------------------------------- */

static vec3 place_of(const grid_patch *patch, size_t index)
{
    return vec3_make((double)patch->x[index], (double)patch->y[index],
                     (double)patch->z[index]);
}

/* Whether a vertex is in the patch and in the grid. */
static bool exists(const grid_patch *patch, const int at[3])
{
    const index_box all = patch_vertices(patch);
    if (!box_holds(&all, at)) {
        return false;
    }
    uint8_t one;
    derive_kernels()[0]->exist(patch, box_index(&all, at), 1, &one);
    return one != 0;
}

/* Finds the stencil along an axis as `differentiate` in slopes.c does, but of first order
 * where another block continues the axis. False if there is none. */
static bool find_stencil(const grid_patch *patch, grid_gradient_part *part, int axis)
{
    bool has[5];
    for (int offset = -2; offset <= 2; offset++) {
        int there[3] = {part->at[0], part->at[1], part->at[2]};
        there[axis] += offset;
        has[offset + 2] = exists(patch, there);
    }
    int *step = part->step[axis];
    double *factor = part->factor[axis];
    memset(step, 0, sizeof part->step[axis]);
    memset(factor, 0, sizeof part->factor[axis]);
    if (has[1] && has[3]) {
        step[0] = -1, step[1] = 1;
        factor[0] = -0.5, factor[1] = 0.5;
    } else if (has[1] || has[3]) {
        const int side = has[3] ? 1 : -1;
        const bool second = !part->open[axis] && !part->is_short && has[2 + 2 * side];
        step[1] = side, step[2] = 2 * side;
        factor[1] = second ? 2.0 * side : side;
        factor[2] = second ? -0.5 * side : 0.0;
        factor[0] = -factor[1] - factor[2];
        step[2] = second ? step[2] : 0;
    }
    return has[2] && (has[1] || has[3]);
}

/* The index of the n-th vertex of the stencil along an axis. */
static size_t stencil_index(const grid_patch *patch, const grid_gradient_part *part,
                            int axis, int n)
{
    const index_box all = patch_vertices(patch);
    int there[3] = {part->at[0], part->at[1], part->at[2]};
    there[axis] += part->step[axis][n];
    return box_index(&all, there);
}

/* The octants around the vertex that the stencils cover: a block whose face goes on there
 * counts for two blocks that end. */
static double count_octants(const grid_gradient_part *part)
{
    double octants = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        octants *= part->step[axis][0] < 0 ? 2.0 : 1.0;
    }
    return octants;
}

void grid_gradient_part_find(const grid_patch *patch, grid_gradient_part *part)
{
    vec3 edge[3];
    double size = 1.0;
    part->weight = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        if (!find_stencil(patch, part, axis)) {
            return;
        }
        edge[axis] = vec3_make(0.0, 0.0, 0.0);
        for (int n = 0; n < 3; n++) {
            const vec3 place = place_of(patch, stencil_index(patch, part, axis, n));
            edge[axis] = vec3_add(edge[axis], vec3_scale(place, part->factor[axis][n]));
        }
        size *= vec3_length(edge[axis]);
    }
    const derive_inverse inverse = derive_invert(edge[0], edge[1], edge[2]);
    if (!(fabs(inverse.determinant) > DERIVE_ROUNDING * size)) {
        return;
    }
    const double octants = count_octants(part);
    part->weight = octants * fabs(inverse.determinant);
    for (int axis = 0; axis < 3; axis++) {
        const vec3 normal =
            vec3_scale(inverse.normal[axis], copysign(octants, inverse.determinant));
        memcpy(part->inverse[axis], normal.v, sizeof normal.v);
    }
}

vec3 grid_gradient_part_of(const grid_patch *patch, const grid_gradient_part *part,
                           const float *values)
{
    vec3 sum = vec3_make(0.0, 0.0, 0.0);
    for (int axis = 0; axis < 3; axis++) {
        double slope = 0.0;
        for (int n = 0; n < 3; n++) {
            if (part->factor[axis][n] != 0.0) {
                slope += part->factor[axis][n] *
                         (double)values[stencil_index(patch, part, axis, n)];
            }
        }
        const double *inverse = part->inverse[axis];
        sum = vec3_add(sum,
                       vec3_scale(vec3_make(inverse[0], inverse[1], inverse[2]), slope));
    }
    return sum;
}

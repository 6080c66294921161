/* Results on rows of vertices. Each file that compiles them for an instruction set
 * includes this one once, with KERNEL and KERNEL_NAME defined. */
#include "derivation.h"
#include "grid/recipe.h"
#include "slopes_kernel.h"

/* A row of vertices, and the rows of cells around it, in order. */
typedef struct vertex_row {
    int count, rows;
    bool left, right; /* the first vertex has cells before it, the last one behind it */
    size_t first;     /* index of the first vertex */
    size_t cells[4];  /* indices of the cells behind the first vertex */
} vertex_row;

/* The arrays of x, y and z from some vertex on. */
typedef struct points {
    const float *x, *y, *z;
} points;

/* Index in a box of n vertices or cells. */
static size_t index_in(const int n[3], int i, int j, int k)
{
    return ((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0] + (size_t)i;
}

static vertex_row find_row(const grid_patch *patch, const int at[3], int count)
{
    const int cells[3] = {patch->n[0] - 1, patch->n[1] - 1, patch->n[2] - 1};
    vertex_row row = {.count = count,
                      .left = at[0] > 0,
                      .right = at[0] + count <= cells[0],
                      .first = index_in(patch->n, at[0], at[1], at[2])};
    for (int side = 0; side < 4; side++) {
        const int j = at[1] - 1 + (side & 1), k = at[2] - 1 + (side >> 1);
        if (j >= 0 && j < cells[1] && k >= 0 && k < cells[2]) {
            row.cells[row.rows++] = index_in(cells, at[0], j, k);
        }
    }
    return row;
}

/* Means at the vertices from `begin` to `end`, which have cells on both sides in all four
 * rows. */
static void average_four(const vertex_row *row, const float *restrict field, int begin,
                         int end, double *restrict mean)
{
    const float *a = field + row->cells[0], *b = field + row->cells[1];
    const float *c = field + row->cells[2], *d = field + row->cells[3];
    for (int i = begin; i < end; i++) {
        const double low =
            0.0 + (double)a[i - 1] + (double)a[i] + (double)b[i - 1] + (double)b[i];
        mean[i] = 0.125 * (low + (double)c[i - 1] + (double)c[i] + (double)d[i - 1] +
                           (double)d[i]);
    }
}

/* The same in the only two rows, as in a grid that is one cell deep. */
static void average_two(const vertex_row *row, const float *restrict field, int begin,
                        int end, double *restrict mean)
{
    const float *a = field + row->cells[0], *b = field + row->cells[1];
    for (int i = begin; i < end; i++) {
        mean[i] = 0.25 * (0.0 + (double)a[i - 1] + (double)a[i] + (double)b[i - 1] +
                          (double)b[i]);
    }
}

/* The mean at one vertex. */
static double average_one(const vertex_row *row, const float *field, int i, bool left,
                          bool right)
{
    double sum = 0.0;
    for (int n = 0; n < row->rows; n++) {
        const float *cell = field + row->cells[n];
        sum += left ? (double)cell[i - 1] : 0.0;
        sum += right ? (double)cell[i] : 0.0;
    }
    return sum / (row->rows * (left + right));
}

/* Means over the cells around the vertices, added in the order of their indices. */
static void average_row(const vertex_row *row, const float *field, double *mean)
{
    const int begin = row->left ? 0 : 1, last = row->count - 1;
    const int end = row->right ? row->count : last;
    if (row->rows == 4) {
        average_four(row, field, begin, end, mean);
    } else if (row->rows == 2) {
        average_two(row, field, begin, end, mean);
    }
    for (int i = begin; i < end && row->rows == 1; i++) {
        mean[i] = average_one(row, field, i, true, true);
    }
    if (!row->left) {
        mean[0] = average_one(row, field, 0, false, true);
    }
    if (!row->right) {
        mean[last] = average_one(row, field, last, true, false);
    }
}

/* Whether a recipe is a component of the velocity, from momentum and density. */
static bool is_velocity_of_momentum(const grid_recipe *recipe)
{
    return recipe->kind >= DERIVE_VELOCITY_X && recipe->kind <= DERIVE_VELOCITY_Z &&
           recipe->input_of[DERIVE_FROM_VELOCITY_X + recipe->kind - DERIVE_VELOCITY_X] <
               0;
}

/* Values of an input of a patch at a row of vertices. */
static void fill_input(const vertex_row *row, const float *field, grid_location location,
                       double *restrict values)
{
    if (location == GRID_CELL) {
        average_row(row, field, values);
        return;
    }
    for (int i = 0; i < row->count; i++) {
        values[i] = (double)field[row->first + (size_t)i];
    }
}

/* The result of a recipe from the values of its inputs: inputs[n][count]. */
static void derive_values(const grid_recipe *recipe, int count,
                          const double *const *inputs, float *restrict out)
{
    if (is_velocity_of_momentum(recipe)) {
        const int axis = (int)(recipe->kind - DERIVE_VELOCITY_X);
        const double *momentum = inputs[recipe->input_of[DERIVE_FROM_MOMENTUM_X + axis]];
        const double *density = inputs[recipe->input_of[DERIVE_FROM_DENSITY]];
        for (int i = 0; i < count; i++) {
            out[i] = derive_to_field(momentum[i] / density[i]);
        }
        return;
    }
    for (int i = 0; i < count; i++) {
        double at[GRID_RECIPE_MAX_INPUTS];
        for (int input = 0; input < recipe->ninputs; input++) {
            at[input] = inputs[input][i];
        }
        out[i] = derive_to_field(derive_pointwise(recipe, at));
    }
}

static void pointwise(int nuses, const grid_recipe_use *uses, const grid_patch *patch,
                      const int at[3], int count, float *const *out)
{
    double values[GRID_RECIPE_MAX_INPUTS][DERIVE_ROW];
    bool is_filled[GRID_RECIPE_MAX_INPUTS] = {false};
    const vertex_row row = find_row(patch, at, count);
    for (int n = 0; n < nuses; n++) {
        const grid_recipe *recipe = uses[n].recipe;
        const double *inputs[GRID_RECIPE_MAX_INPUTS];
        for (int input = 0; input < recipe->ninputs; input++) {
            const int from = uses[n].inputs[input];
            if (!is_filled[from]) {
                fill_input(&row, patch->inputs[from], recipe->locations[input],
                           values[from]);
            }
            is_filled[from] = true;
            inputs[input] = values[from];
        }
        derive_values(recipe, row.count, inputs, out[n]);
    }
}

/* ---- What gradients are made from ---------------------------------------------------
 */

static inline int is_valid(points p, int i)
{
    return (fabsf(p.x[i]) <= GRID_FARTHEST) & (fabsf(p.y[i]) <= GRID_FARTHEST) &
           (fabsf(p.z[i]) <= GRID_FARTHEST);
}

static void exist(const grid_patch *patch, size_t first, int count, uint8_t *out)
{
    const points p = {patch->x + first, patch->y + first, patch->z + first};
    int all = 1;
#pragma omp simd reduction(& : all)
    for (int i = 0; i < count; i++) {
        all &= is_valid(p, i);
    }
    for (int i = 0; i < count; i++) {
        out[i] = 1;
    }
    for (int i = 0; !all && i < count; i++) {
        out[i] = (uint8_t)is_valid(p, i);
    }
    for (int i = 0; patch->blanked != NULL && i < count; i++) {
        out[i] &= patch->blanked[first + (size_t)i] != GRID_POINT_BLANKED;
    }
}

static void quantities(const grid_recipe *recipe, const grid_patch *patch,
                       const int at[3], int count, double *const *out)
{
    double inputs[GRID_RECIPE_MAX_INPUTS][DERIVE_ROW];
    const vertex_row row = find_row(patch, at, count);
    for (int n = 0; n < recipe->ninputs; n++) {
        fill_input(&row, patch->inputs[n], recipe->locations[n], inputs[n]);
    }
    for (int n = 0; n < DERIVE_QUANTITIES; n++) {
        if (!out[n]) {
            continue;
        }
        const derive_parts parts = derive_quantity_parts(recipe, n);
        const double *restrict whole = inputs[parts.input];
        if (parts.per < 0) {
            memcpy(out[n], whole, (size_t)count * sizeof *whole);
            continue;
        }
        const double *restrict per = inputs[parts.per];
        for (int i = 0; i < count; i++) {
            out[n][i] = whole[i] / per[i];
        }
    }
}

const derive_kernel KERNEL = {KERNEL_NAME, pointwise, exist, quantities, slopes};

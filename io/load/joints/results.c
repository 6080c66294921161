/* Results of recipes at joints. */
#include "grid/means.h"
#include "io/load/geometry.h"
#include "records.h"

#include <string.h>

/* Results that are corrected: of recipe n. */
typedef struct joint_results {
    const io_joint_values *values;
    int n;
    float *results;
    float (*gradients)[3];
} joint_results;

static bool load_slope(const io_joint_values *v, const joint_record *found, int n,
                       vec3 *out)
{
    memcpy(out->v, found->value + v->nmeans + 3 * n, sizeof out->v);
    /* Far below the largest float: differences of gradients stay finite. */
    return vec3_length(*out) < 1e37;
}

static void correct(void *context, size_t index, const int at[3],
                    const joint_record *found)
{
    const joint_results *c = context;
    const io_joint_values *v = c->values;
    vec3 gradient[GRID_QUANTITIES_OF_A_SET] = {{{0.0, 0.0, 0.0}}}, own;
    const bool is_formula = grid_recipe_is_formula(v->recipes[c->n].recipe);
    bool differentiates = false, all = true;
    (void)at;
    for (int n = 0; n < v->nslopes; n++) {
        const joint_slope *of = &v->slopes[n];
        if (of->recipe != c->n) {
            continue;
        }
        if (of->quantity != JOINT_RESULT && is_formula) {
            continue; /* joints_correct_gradients */
        }
        if (of->quantity != JOINT_RESULT) {
            differentiates = true;
            all = load_slope(v, found, n, &gradient[of->quantity]) && all;
        } else if (c->gradients && load_slope(v, found, n, &own)) {
            for (int axis = 0; axis < 3; axis++) {
                c->gradients[index][axis] = (float)own.v[axis];
            }
        }
    }
    if (differentiates && all) {
        c->results[index] = grid_recipe_of_gradients(v->recipes[c->n].recipe, gradient);
    }
}

void joints_correct(const io_joint_values *v, int n, const joint_box *box, float *results,
                    float (*gradients)[3])
{
    joint_results c = {v, n, results, gradients};
    joints_visit_records(v, box, correct, &c);
}

/* ---- Corrections of what a patch computes ------------------------------------------ */

static joint_box box_of_core(const joint_correction *c, const grid_patch *patch)
{
    joint_box box = {.block = c->block};
    for (int axis = 0; axis < 3; axis++) {
        box.lo[axis] = c->origin[axis] + patch->core_lo[axis];
        box.n[axis] = patch->core_n[axis];
    }
    return box;
}

static void correct_results(void *context, const grid_patch *patch, float *results)
{
    const joint_correction *c = context;
    const joint_box box = box_of_core(c, patch);
    joints_correct(c->values, c->n, &box, results, NULL);
}

/* Gradients of a formula's quantities that are corrected. */
typedef struct joint_gradients {
    const joint_correction *correction;
    int set;
    float *gradients; /* [vertices][GRID_QUANTITIES_OF_A_SET][3] */
} joint_gradients;

static void put_gradients(void *context, size_t index, const int at[3],
                          const joint_record *found)
{
    const joint_gradients *g = context;
    const io_joint_values *v = g->correction->values;
    const int first = g->set * GRID_QUANTITIES_OF_A_SET;
    (void)at;
    for (int n = 0; n < v->nslopes; n++) {
        const joint_slope *of = &v->slopes[n];
        const int q = of->quantity - first;
        vec3 gradient;
        if (of->recipe != g->correction->n || of->quantity == JOINT_RESULT || q < 0 ||
            q >= GRID_QUANTITIES_OF_A_SET || !load_slope(v, found, n, &gradient)) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            g->gradients[3 * (index * GRID_QUANTITIES_OF_A_SET + (size_t)q) +
                         (size_t)axis] = (float)gradient.v[axis];
        }
    }
}

static void correct_gradients(void *context, const grid_patch *patch, int set,
                              float *gradients)
{
    joint_correction *c = context;
    joint_gradients g = {c, set, gradients};
    const joint_box box = box_of_core(c, patch);
    joints_visit_records(c->values, &box, put_gradients, &g);
}

grid_correction joints_correction(joint_correction *c)
{
    return (grid_correction){correct_results, correct_gradients, c};
}

/* The correction of recipe n on a patch whose core is the vertices of a place. */
static joint_correction correction_of(const io_joint_values *values, int n,
                                      const grid_brick_place *place,
                                      const grid_patch *patch)
{
    joint_correction c = {.values = values, .n = n, .block = place->block};
    for (int axis = 0; axis < 3; axis++) {
        c.origin[axis] = place->lo[axis] - patch->core_lo[axis];
    }
    return c;
}

void io_joint_values_compute(const io_joint_values *values, int n,
                             const grid_recipe *recipe, const grid_brick_place *place,
                             const grid_patch *patch, float *results)
{
    if (!values) {
        grid_recipe_compute(recipe, patch, results);
        return;
    }
    joint_correction c = correction_of(values, n, place, patch);
    const grid_correction correction = joints_correction(&c);
    grid_recipe_compute_means(values->recipes[n].of_means, patch,
                              values->nslopes > 0 ? &correction : NULL, results);
}

/* Copies the cells of the core of a patch with in_cells. */
static void copy_cells(const grid_patch *patch, float *out)
{
    const int row = patch->core_n[0] - 1;
    for (int k = 0; k < patch->core_n[2] - 1; k++) {
        for (int j = 0; j < patch->core_n[1] - 1; j++, out += row) {
            const int64_t line = (int64_t)(patch->core_lo[2] + k) * (patch->n[1] - 1) +
                                 patch->core_lo[1] + j;
            memcpy(out,
                   patch->inputs[JOINT_CELLS] + line * (patch->n[0] - 1) +
                       patch->core_lo[0],
                   (size_t)row * sizeof *out);
        }
    }
}

void io_joint_values_gradients(const io_joint_values *values, const grid_recipe *recipe,
                               const grid_brick_place *place, const grid_patch *patch,
                               float *results, float (*gradients)[3])
{
    if (!values) {
        grid_recipe_compute_gradients(recipe, patch, results, gradients);
        return;
    }
    joint_correction c = correction_of(values, 0, place, patch);
    const grid_correction correction = joints_correction(&c);
    float means[IO_BRICK_VERTICES];
    if (values->in_cells) {
        copy_cells(patch, results);
        results = means;
    }
    const joint_box box = box_of_core(&c, patch);
    grid_recipe_compute_corrected(values->recipes[0].of_means, patch, &correction,
                                  results, gradients);
    joints_correct(values, 0, &box, results, gradients);
}

/* Results of recipes at joints. */
#include "grid/means.h"
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
    vec3 gradient[GRID_MOST_QUANTITIES] = {{{0.0, 0.0, 0.0}}}, own;
    bool differentiates = false, all = true;
    (void)at;
    for (int n = 0; n < v->nslopes; n++) {
        const joint_slope *of = &v->slopes[n];
        if (of->recipe != c->n) {
            continue;
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

static joint_box box_of_place(const grid_brick_place *place)
{
    joint_box box = {.block = place->block};
    for (int axis = 0; axis < 3; axis++) {
        box.lo[axis] = place->lo[axis];
        box.n[axis] = place->n[axis] + 1;
    }
    return box;
}

void io_joint_values_correct(const io_joint_values *values, int n,
                             const grid_brick_place *place, float *results)
{
    if (values && values->nslopes > 0) {
        const joint_box box = box_of_place(place);
        joints_correct(values, n, &box, results, NULL);
    }
}

/* The field of a place in a patch, before it is differentiated. */
typedef struct place_field {
    const io_joint_values *values;
    const grid_brick_place *place;
    const grid_patch *patch; /* its core is that of the place */
} place_field;

static void correct_field(void *context, const grid_patch *grown, float *field)
{
    const place_field *f = context;
    joint_box box = {.block = f->place->block};
    for (int axis = 0; axis < 3; axis++) {
        box.lo[axis] =
            f->place->lo[axis] + grown->core_lo[axis] - f->patch->core_lo[axis];
        box.n[axis] = grown->core_n[axis];
    }
    joints_correct(f->values, 0, &box, field, NULL);
}

void io_joint_values_gradients(const io_joint_values *values, const grid_recipe *recipe,
                               const grid_brick_place *place, const grid_patch *patch,
                               float *results, float (*gradients)[3])
{
    if (!values) {
        grid_recipe_compute_gradients(recipe, patch, results, gradients);
        return;
    }
    place_field field = {values, place, patch};
    const grid_correction correction = {correct_field, &field};
    const joint_box box = box_of_place(place);
    grid_recipe_compute_corrected(values->recipes[0].of_means, patch, &correction,
                                  results, gradients);
    joints_correct(values, 0, &box, results, gradients);
}

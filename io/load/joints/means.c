/* Patches in which inputs in cells have become means at vertices. */
#include "grid/means.h"
#include "io/load/geometry.h"
#include "records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

status joints_put_results(const io_joint_values *v, grid_patch *patch, float **made)
{
    *made = NULL;
    if (!v->in_cells) {
        return STATUS_OK;
    }
    const size_t bytes = joints_patch_count(patch) * sizeof **made;
    grid_patch own = *patch;
    *made = malloc(bytes);
    if (!*made) {
        return base_fail_memory(bytes, "reading a part of the grid");
    }
    for (int axis = 0; axis < 3; axis++) {
        own.core_lo[axis] = 0;
        own.core_n[axis] = patch->n[axis];
    }
    for (int n = 0; n < grid_recipe_input_count(v->in_cells); n++) {
        own.inputs[n] = patch->inputs[v->cell_inputs[n]];
    }
    grid_recipe_compute(v->in_cells, &own, *made);
    patch->inputs[0] = *made;
    return STATUS_OK;
}

static void average(const grid_patch *patch, const float *field, float *out)
{
    const size_t plane = (size_t)patch->n[0] * (size_t)patch->n[1];
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < patch->n[2]; k += JOINT_PLANES) {
        const grid_patch part = joints_planes(patch, k, JOINT_PLANES);
        grid_patch_average(&part, field, out + (size_t)k * plane);
    }
}

/* Arrays of a patch that take the place of others. */
typedef struct mean_arrays {
    const io_joint_values *values;
    float *means;     /* [nmeans][vertices] */
    uint8_t *blanked; /* [vertices]; NULL: all cells are present */
    uint8_t *joined;  /* [vertices]: the vertex belongs to a joint */
    size_t count;     /* vertices */
} mean_arrays;

static void put_means(void *context, size_t index, const int at[3],
                      const joint_record *found)
{
    const mean_arrays *a = context;
    (void)at;
    a->joined[index] = 1;
    for (int n = 0; n < a->values->nmeans; n++) {
        a->means[(size_t)n * a->count + index] = (float)found->value[n];
    }
}

/* Whether a cell around a vertex of a patch is present. */
static bool has_cells(const grid_patch *patch, const int at[3])
{
    bool any = false;
    for (int corner = 0; corner < 8 && !any; corner++) {
        size_t lowest = 0;
        bool inside = true;
        for (int axis = 2; axis >= 0; axis--) {
            const int cell = at[axis] - 1 + (corner >> axis & 1);
            inside = inside && cell >= 0 && cell < patch->n[axis] - 1;
            lowest = lowest * (size_t)patch->n[axis] + (size_t)(inside ? cell : 0);
        }
        any = inside && io_load_has_cell(patch, lowest);
    }
    return any;
}

/* Vertices without any cell have no mean: stencils must not use them. */
static void blank_lonely(const grid_patch *patch, mean_arrays *a)
{
    if (patch->blanked) {
        memcpy(a->blanked, patch->blanked, a->count);
    } else {
        memset(a->blanked, GRID_POINT_PLAIN, a->count);
    }
    size_t index = 0;
    for (int k = 0; k < patch->n[2]; k++) {
        for (int j = 0; j < patch->n[1]; j++) {
            for (int i = 0; i < patch->n[0]; i++, index++) {
                if (isnan(a->means[index]) && !a->joined[index] &&
                    !has_cells(patch, (const int[3]){i, j, k})) {
                    a->blanked[index] = GRID_POINT_BLANKED;
                }
            }
        }
    }
}

static status fill_means(const io_sweep *sweep, const io_window *window,
                         const grid_patch *patch, mean_arrays *a)
{
    const io_joint_values *v = sweep->joints;
    const size_t count = joints_patch_count(patch);
    const size_t bytes = count * ((size_t)v->nmeans * sizeof *a->means + 2);
    const joint_box box = joints_box_of_window(sweep, window);
    *a = (mean_arrays){.values = v, .means = malloc(bytes), .count = count};
    if (!a->means) {
        return base_fail_memory(bytes, "reading a part of the grid");
    }
    a->joined = (uint8_t *)(a->means + (size_t)v->nmeans * count);
    a->blanked = patch->x ? a->joined + count : NULL;
    memset(a->joined, 0, count);
    for (int n = 0; n < v->nmeans; n++) {
        average(patch, patch->inputs[v->means[n]], a->means + (size_t)n * count);
    }
    joints_visit_records(v, &box, put_means, a);
    if (a->blanked) {
        blank_lonely(patch, a);
    }
    return STATUS_OK;
}

/* A patch whose inputs in cells have become means. Input JOINT_CELLS has results in
 * cells. */
static grid_patch patch_of_means(const grid_patch *patch, const mean_arrays *a)
{
    grid_patch out = *patch;
    if (a->values->in_cells) {
        out.inputs[JOINT_CELLS] = patch->inputs[0];
    }
    for (int n = 0; n < a->values->nmeans; n++) {
        out.inputs[a->values->means[n]] = a->means + (size_t)n * a->count;
    }
    out.blanked = a->blanked ? a->blanked : patch->blanked;
    return out;
}

static status visit(const io_sweep *sweep, const io_window *window,
                    const grid_patch *patch)
{
    mean_arrays a = {.means = NULL};
    grid_patch own = *patch;
    float *results = NULL;
    status s = joints_put_results(sweep->joints, &own, &results);
    s = s == STATUS_OK ? fill_means(sweep, window, &own, &a) : s;
    if (s == STATUS_OK) {
        const grid_patch means = patch_of_means(&own, &a);
        s = sweep->visit(sweep->context, window, &means);
    }
    free(a.means);
    free(results);
    return s;
}

status io_joint_values_fill(const io_joint_values *values, const io_sweep *sweep,
                            const io_window *window, const grid_recipe *recipe,
                            const grid_patch *patch, float *out)
{
    mean_arrays a = {.means = NULL};
    grid_patch own = *patch;
    joint_correction c = {.values = values, .block = window->block};
    const joint_box box = joints_box_of_window(sweep, window);
    memcpy(c.origin, box.lo, sizeof c.origin);
    const grid_correction correction = joints_correction(&c);
    if (values && values->nmeans > 0) {
        io_sweep joined = *sweep;
        joined.joints = values;
        const status s = fill_means(&joined, window, patch, &a);
        if (s != STATUS_OK) {
            return s;
        }
        own = patch_of_means(patch, &a);
    }
    const int less = grid_recipe_location(recipe) == GRID_CELL ? 1 : 0;
    const size_t plane = (size_t)(patch->n[0] - less) * (size_t)(patch->n[1] - less);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < patch->n[2] - less; k += JOINT_PLANES) {
        const grid_patch part = joints_planes(&own, k, JOINT_PLANES + less);
        grid_recipe_compute_means(values ? values->recipes[0].of_means : recipe, &part,
                                  values && values->nslopes > 0 ? &correction : NULL,
                                  out + (size_t)k * plane);
    }
    free(a.means);
    return STATUS_OK;
}

void io_joint_values_attach(const io_joint_values *values, io_sweep *sweep)
{
    if (values && values->nmeans > 0) {
        sweep->joints = values;
        sweep->visit_joints = visit;
    }
}

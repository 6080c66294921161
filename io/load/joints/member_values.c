/* The parts of members in the values of joints. */
#include "grid/means.h"
#include "io/load/geometry.h"
#include "records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cells ----------------------------------------------------------------------------
 */

/* The place of a member in a window's patch. */
static void find_at(const joint_pass *p, const io_window *window, const grid_patch *patch,
                    const io_joint_member *member, int at[3])
{
    const grid_brick_place place = grid_layout_place(p->sweep->layout, member->brick);
    int rest = member->vertex;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (int)(place.lo[axis] - window->lo[axis] * GRID_BRICK_CELLS) +
                   patch->core_lo[axis] + rest % (place.n[axis] + 1);
        rest /= place.n[axis] + 1;
    }
}

/* Whether a field has no value in any cell of a brick: its block lacks it. */
static bool is_void(const grid_patch *patch, const float *field,
                    const grid_brick_place *place, const io_window *window)
{
    int lo[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = (int)(place->lo[axis] - window->lo[axis] * GRID_BRICK_CELLS) +
                   patch->core_lo[axis];
    }
    for (int k = 0; k < place->n[2]; k++) {
        for (int j = 0; j < place->n[1]; j++) {
            const float *row =
                field +
                ((size_t)(lo[2] + k) * (size_t)(patch->n[1] - 1) + (size_t)(lo[1] + j)) *
                    (size_t)(patch->n[0] - 1) +
                (size_t)lo[0];
            for (int i = 0; i < place->n[0]; i++) {
                if (isfinite(row[i])) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Adds up the present cells around a vertex: sums of the fields, which are not void. */
static void add_cells(const joint_pass *p, const grid_patch *patch, const int at[3],
                      const bool *is_void_field, double *parts)
{
    for (int corner = 0; corner < 8; corner++) {
        size_t lowest = 0, cell = 0;
        bool inside = true;
        for (int axis = 2; axis >= 0; axis--) {
            const int index = at[axis] - 1 + (corner >> axis & 1);
            inside = inside && index >= 0 && index < patch->n[axis] - 1;
            lowest = lowest * (size_t)patch->n[axis] + (size_t)(inside ? index : 0);
            cell = cell * (size_t)(patch->n[axis] - 1) + (size_t)(inside ? index : 0);
        }
        if (!inside || (patch->x && !io_load_has_cell(patch, lowest))) {
            continue;
        }
        for (int n = 0; n < p->values->nmeans; n++) {
            if (!is_void_field[n]) {
                const float *field = patch->inputs[p->values->means[n]];
                parts[JOINT_SUM * n] += 1.0;
                parts[JOINT_SUM * n + 1] += (double)field[cell];
            }
        }
    }
}

static void add_brick(const joint_pass *p, const io_window *window,
                      const grid_patch *patch, int64_t number)
{
    const grid_brick_place place = grid_layout_place(p->sweep->layout, number);
    bool is_void_field[GRID_RECIPE_MAX_INPUTS];
    int64_t first, end;
    for (int n = 0; n < p->values->nmeans; n++) {
        is_void_field[n] =
            is_void(patch, patch->inputs[p->values->means[n]], &place, window);
    }
    io_joints_of_brick(p->joints, number, &first, &end);
    for (int64_t m = first; m < end; m++) {
        const io_joint_order *member = &p->joints->order[m];
        int at[3];
        find_at(p, window, patch, &member->member, at);
        add_cells(p, patch, at, is_void_field, p->parts + member->index * p->columns);
    }
}

status joints_visit_cells(void *context, const io_window *window, const grid_patch *patch)
{
    const joint_pass *p = context;
    grid_patch own = *patch;
    float *results = NULL;
    const status s = joints_put_results(p->values, &own, &results);
    if (s != STATUS_OK) {
        return s;
    }
#pragma omp parallel for schedule(dynamic)
    for (int64_t n = 0; n < io_window_brick_count(window); n++) {
        add_brick(p, window, &own, io_window_brick(p->sweep->layout, window, n));
    }
    free(results);
    return STATUS_OK;
}

/* ---- Gradients --------------------------------------------------------------------- */

/* What the slopes of a pass differentiate in a patch. */
typedef struct slope_values {
    size_t count;          /* vertices */
    const float *values;   /* [slopes][count] */
    const uint8_t *joined; /* [count]: whether the vertex belongs to a joint */
} slope_values;

static void put_joined(void *context, size_t index, const int at[3],
                       const joint_record *found)
{
    (void)at;
    (void)found;
    ((uint8_t *)context)[index] = 1;
}

static size_t index_at(const grid_patch *patch, const int at[3])
{
    return ((size_t)at[2] * (size_t)patch->n[1] + (size_t)at[1]) * (size_t)patch->n[0] +
           (size_t)at[0];
}

/* The vertices of a face of the patch across an axis, at a vertex: corner 0 to 3. False
 * if the patch ends before. */
static bool find_face(const grid_patch *patch, const int at[3], int axis, int way,
                      size_t face[4])
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    bool inside = true;
    for (int corner = 0; corner < 4 && inside; corner++) {
        int there[3] = {at[0], at[1], at[2]};
        there[a] += corner & 1 ? (way & 1 ? 1 : -1) : 0;
        there[b] += corner & 2 ? (way & 2 ? 1 : -1) : 0;
        inside = there[a] >= 0 && there[a] < patch->n[a] && there[b] >= 0 &&
                 there[b] < patch->n[b];
        face[corner] = inside ? index_at(patch, there) : 0;
    }
    return inside;
}

/* Whether a face has only joints. */
static bool is_joined(const slope_values *of, const size_t face[4])
{
    return of->joined[face[0]] && of->joined[face[1]] && of->joined[face[2]] &&
           of->joined[face[3]];
}

/* Whether another block continues an axis at a vertex: a face there has only joints. */
static bool is_open(const grid_patch *patch, const slope_values *of, const int at[3],
                    int axis)
{
    size_t face[4];
    bool any = false;
    for (int way = 0; way < 4 && !any; way++) {
        any = find_face(patch, at, axis, way, face) && is_joined(of, face);
    }
    return any;
}

/* Whether the values of all such faces of an open axis are 0, as the velocity's on a
 * plate between the blocks. */
static bool rests(const grid_patch *patch, const slope_values *of, const float *values,
                  const grid_gradient_part *part)
{
    size_t face[4];
    bool any = false;
    if (values[index_at(patch, part->at)] != 0.0F) {
        return false; /* all these faces have the vertex */
    }
    for (int axis = 0; axis < 3 && !any; axis++) {
        bool all = part->open[axis];
        for (int way = 0; way < 4 && all; way++) {
            if (find_face(patch, part->at, axis, way, face) && is_joined(of, face)) {
                all = values[face[1]] == 0.0F && values[face[2]] == 0.0F &&
                      values[face[3]] == 0.0F;
            }
        }
        any = all;
    }
    return any;
}

/* Adds the part of a member in the gradient of one slope's values. out: [JOINT_PART] */
static void add_slope(const grid_patch *patch, const grid_gradient_part *part,
                      const float *values, bool is_plate, double *out)
{
    const vec3 sum = grid_gradient_part_of(patch, part, values);
    const double value = values[index_at(patch, part->at)];
    out[0] = part->weight;
    memcpy(out + 1, sum.v, sizeof sum.v);
    out[4] = part->weight * value;
    out[5] = part->weight * value * value;
    if (is_plate && vec3_length(sum) > 0.0) {
        out[0] = (double)NAN; /* its sides have their own gradients */
    }
}

/* Adds the parts of a brick's members in the gradients. */
static void add_slopes(const joint_pass *p, const io_window *window,
                       const grid_patch *patch, const slope_values *of, int64_t number)
{
    int64_t first, end;
    io_joints_of_brick(p->joints, number, &first, &end);
    for (int64_t m = first; m < end; m++) {
        const io_joint_order *member = &p->joints->order[m];
        grid_gradient_part part = {.is_short = p->values->slopes[p->first].quantity ==
                                               JOINT_RESULT};
        find_at(p, window, patch, &member->member, part.at);
        for (int axis = 0; axis < 3; axis++) {
            part.open[axis] = is_open(patch, of, part.at, axis);
        }
        grid_gradient_part_find(patch, &part);
        for (int n = 0; n < p->end - p->first && part.weight > 0.0; n++) {
            const float *values = of->values + (size_t)n * of->count;
            const bool is_plate =
                p->values->nmeans == 0 && rests(patch, of, values, &part);
            add_slope(patch, &part, values, is_plate,
                      p->parts + member->index * p->columns + JOINT_PART * n);
        }
    }
}

/* Computes what a slope differentiates at all vertices of a patch. */
static void compute_values(joint_correction *correction, const grid_patch *patch,
                           int quantity, float *out)
{
    const io_joint_recipe *use = &correction->values->recipes[correction->n];
    grid_patch own = *patch;
    for (int n = 0; n < grid_recipe_input_count(use->recipe); n++) {
        own.inputs[n] = patch->inputs[use->inputs[n]];
    }
    if (quantity != JOINT_RESULT) {
        grid_recipe_compute_quantity(use->of_means, &own, quantity, out);
        return;
    }
    const size_t plane = (size_t)patch->n[0] * (size_t)patch->n[1];
    const grid_correction correct = joints_correction(correction);
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < patch->n[2]; k += JOINT_PLANES) {
        const grid_patch part = joints_planes(&own, k, JOINT_PLANES);
        grid_recipe_compute_means(use->of_means, &part, &correct,
                                  out + (size_t)k * plane);
    }
}

status joints_visit_slopes(void *context, const io_window *window,
                           const grid_patch *patch)
{
    const joint_pass *p = context;
    const io_joint_values *v = p->values;
    const size_t count = joints_patch_count(patch);
    const size_t slopes = (size_t)(p->end - p->first);
    const size_t bytes = count * (slopes * sizeof(float) + 1);
    const joint_box box = joints_box_of_window(p->sweep, window);
    float *values = malloc(bytes);
    if (!values) {
        return base_fail_memory(bytes, "reading a part of the grid");
    }
    uint8_t *joined = (uint8_t *)(values + slopes * count);
    memset(joined, 0, count);
    joints_visit_records(v, &box, put_joined, joined);
    for (int n = p->first; n < p->end; n++) {
        const joint_slope *of = &v->slopes[n];
        joint_correction correction = {.values = v, .n = of->recipe, .block = box.block};
        memcpy(correction.origin, box.lo, sizeof correction.origin);
        compute_values(&correction, patch, of->quantity,
                       values + (size_t)(n - p->first) * count);
    }
    const slope_values all = {count, values, joined};
    grid_patch own = *patch;
    if (v->slopes[p->first].quantity != JOINT_RESULT && patch->data[0]) {
        own.x = patch->data[0], own.y = patch->data[1], own.z = patch->data[2];
    }
#pragma omp parallel for schedule(dynamic)
    for (int64_t b = 0; b < io_window_brick_count(window); b++) {
        add_slopes(p, window, &own, &all, io_window_brick(p->sweep->layout, window, b));
    }
    free(values);
    return STATUS_OK;
}

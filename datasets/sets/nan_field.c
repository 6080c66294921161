/* An even box with a field that is NaN in one ball and infinite in two others. */
#include "datasets/dataset.h"

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    vec3 p;
    for (int axis = 0; axis < 3; axis++) {
        p.v[axis] = 2.0 * dataset_fraction(at[axis], size[axis]) - 1.0;
    }
    return (dataset_vertex){.position = p};
}

static bool is_near(vec3 p, double x, double y, double z)
{
    return vec3_length(vec3_sub(p, vec3_make(x, y, z))) < 0.3;
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    double value = dataset_wave(p);
    value = is_near(p, -0.4, 0.3, 0.0) ? (double)NAN : value;
    value = is_near(p, 0.5, 0.4, 0.2) ? (double)INFINITY : value;
    value = is_near(p, 0.1, -0.6, -0.1) ? -(double)INFINITY : value;
    out[0] = value;
    out[1] = value;
}

static const char *const block_names[] = {"box"};
static const grid_field fields[] = {{.name = "broken", .location = GRID_VERTEX},
                                    {.name = "cell_broken", .location = GRID_CELL}};

const dataset dataset_nan_field = {
    .name = "nan-field",
    .summary = "a box with values that are infinite or not a number",
    .size = {21, 19, 17},
    .minimum = {6, 6, 6},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 2,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};

/* A two-dimensional grid: a surface with one vertex along k. */
#include "datasets/dataset.h"

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double x = 2.0 * dataset_fraction(at[0], size[0]) - 1.0;
    double y = 2.0 * dataset_fraction(at[1], size[1]) - 1.0;
    double z = size[2] > 1 ? dataset_fraction(at[2], size[2]) : 0.0;
    return (dataset_vertex){.position =
                                vec3_make(x, y, z + 0.2 * sin(3.0 * x) * cos(2.0 * y))};
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(p);
}

static const char *const block_names[] = {"surface"};
static const grid_field fields[] = {{.name = "wave", .location = GRID_VERTEX}};

const dataset dataset_flat = {
    .name = "flat",
    .summary = "a grid of two dimensions (nk = 1), which is refused",
    .size = {21, 17, 1},
    .minimum = {2, 2, 1},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 1,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};

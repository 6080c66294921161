/* A mildly bent box out of which iblank cuts a ball. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;
static const double hole_radius = 0.45;

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double u = 2.0 * dataset_fraction(at[0], size[0]) - 1.0;
    double v = 2.0 * dataset_fraction(at[1], size[1]) - 1.0;
    double w = 2.0 * dataset_fraction(at[2], size[2]) - 1.0;
    vec3 p =
        vec3_make(u + 0.05 * sin(pi * v), v + 0.05 * sin(pi * w), w + 0.05 * sin(pi * u));
    return (dataset_vertex){.position = p, .blanked = vec3_length(p) < hole_radius};
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = 1.0 + 0.5 * p.v[0] + 0.25 * p.v[1] + 0.125 * p.v[2];
    out[1] = exp(-2.0 * vec3_dot(p, p)) + 0.2 * cos(3.0 * p.v[0]) * cos(3.0 * p.v[1]);
}

static const char *const block_names[] = {"box"};
static const grid_field fields[] = {{.name = "linear", .location = GRID_VERTEX},
                                    {.name = "density", .location = GRID_VERTEX}};

const dataset dataset_iblank_sphere = {
    .name = "iblank-sphere",
    .summary = "a bent box with a ball-shaped hole cut out by iblank",
    .size = {25, 25, 25},
    .minimum = {6, 6, 6},
    .steps = 1,
    .has_iblank = true,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 2,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};

/* A curved wall. Its cells are ten thousand times longer than high at the beginning and a
 * million times at the end. There the first cell is as high as a dozen steps of float32,
 * so its faces are rough in float32. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* Heights grow by exp(stretching / (nj - 1)) from cell to cell. */
static double stretching(double u)
{
    return 10.8 + 5.2 * u;
}

static double wall_height(double x, double z)
{
    return 0.02 + 0.02 * sin(pi * x) * sin(pi * x) * (1.0 + 0.5 * cos(pi * z));
}

/* i along the flow, j away from the wall, k across. */
static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double u = dataset_fraction(at[0], size[0]);
    double z = 0.5 * dataset_fraction(at[2], size[2]);
    double growth = stretching(u);
    double up = expm1(growth * dataset_fraction(at[1], size[1])) / expm1(growth);
    double wall = wall_height(u, z);
    return (dataset_vertex){.position = vec3_make(u, wall + (0.5 - wall) * up, z)};
}

/* A layer whose thickness grows from a hundredth to a tenth. */
static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    double above = fmax(p.v[1] - wall_height(p.v[0], p.v[2]), 0.0);
    out[0] = tanh(above / (0.01 + 0.09 * p.v[0]));
}

static const char *const block_names[] = {"plate"};
static const grid_field fields[] = {{.name = "speed", .location = GRID_VERTEX}};

const dataset dataset_wall = {
    .name = "wall",
    .summary = "a curved wall with cells of aspect ratio 10^4 to 10^6",
    .size = {33, 41, 9},
    .minimum = {9, 31, 2},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 1,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};

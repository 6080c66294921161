/* A wall with a bump, and cells beside it that are ten thousand times longer than high.
 */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* Cells grow by a factor exp(stretching / (nj - 1)) from the wall outwards. With the
 * default size the first cell is about 4.3e-6 high and 0.047 long. */
static const double stretching = 11.0;

static double wall_height(double x)
{
    return 0.12 * exp(-x * x / 0.18);
}

static double wall_slope(double x)
{
    return -2.0 * x / 0.18 * wall_height(x);
}

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double x = -1.0 + 3.0 * dataset_fraction(at[0], size[0]);
    double up = expm1(stretching * dataset_fraction(at[1], size[1])) / expm1(stretching);
    double z = dataset_fraction(at[2], size[2]);
    double bump = wall_height(x) * (1.0 - 0.3 * sin(pi * z));
    return (dataset_vertex){.position = vec3_make(x, bump + (1.0 - bump) * up, z)};
}

/* A layer whose thickness grows with the square root of the distance from the front edge,
 * x = -1.1. */
static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    double x = p.v[0], z = p.v[2];
    double narrowing = 1.0 - 0.3 * sin(pi * z);
    double above = fmax(p.v[1] - wall_height(x) * narrowing, 0.0);
    double thickness = 0.06 * sqrt(x + 1.1);
    double speed = tanh(above / thickness);
    out[0] = speed;
    out[1] = speed * wall_slope(x) * narrowing * exp(-2.0 * above);
    out[2] = 0.0;
}

static const char *const block_names[] = {"plate"};
static const grid_field fields[] = {{.name = "velocity_x", .location = GRID_VERTEX},
                                    {.name = "velocity_y", .location = GRID_VERTEX},
                                    {.name = "velocity_z", .location = GRID_VERTEX}};

const dataset dataset_boundary_layer = {
    .name = "boundary-layer",
    .summary = "flow over a bump, wall cells of aspect ratio 10^4",
    .size = {65, 49, 9},
    .minimum = {3, 16, 3},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 3,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};

/* Grids beside a body. */
#include "datasets/dataset.h"

static const double pi = 3.14159265358979323846;

/* ---- boundary layer ---- */

/* A wall with a bump, and cells beside it that are ten thousand times longer than high.
 */

/* Cells grow by a factor exp(stretching / (nj - 1)) from the wall
 * outwards. With the default size the first cell is about 4.3e-6 high and 0.047 long. */
static const double stretching = 11.0;

static double bump_height(double x)
{
    return 0.12 * exp(-x * x / 0.18);
}

static double wall_slope(double x)
{
    return -2.0 * x / 0.18 * bump_height(x);
}

static dataset_vertex boundary_layer_vertex(const int64_t size[3], int block,
                                            const int64_t at[3])
{
    (void)block;
    double x = -1.0 + 3.0 * dataset_fraction(at[0], size[0]);
    double up = expm1(stretching * dataset_fraction(at[1], size[1])) / expm1(stretching);
    double z = dataset_fraction(at[2], size[2]);
    double bump = bump_height(x) * (1.0 - 0.3 * sin(pi * z));
    return (dataset_vertex){.position = vec3_make(x, bump + (1.0 - bump) * up, z)};
}

/* A layer whose thickness grows with the square root of the distance from the front edge,
 * x = -1.1. */
static void boundary_layer_evaluate(vec3 p, double time, double *out)
{
    (void)time;
    double x = p.v[0], z = p.v[2];
    double narrowing = 1.0 - 0.3 * sin(pi * z);
    double above = fmax(p.v[1] - bump_height(x) * narrowing, 0.0);
    double thickness = 0.06 * sqrt(x + 1.1);
    double speed = tanh(above / thickness);
    out[0] = speed;
    out[1] = speed * wall_slope(x) * narrowing * exp(-2.0 * above);
    out[2] = 0.0;
}

const dataset dataset_boundary_layer = {
    "boundary-layer",
    "flow over a bump, wall cells of aspect ratio 10^4",
    .size = {65, 49, 9},
    .minimum = {3, 16, 3},
    .steps = 1,
    DATASET_BLOCKS("plate"),
    DATASET_FIELDS(DATASET_VERTEX("velocity_x"), DATASET_VERTEX("velocity_y"),
                   DATASET_VERTEX("velocity_z")),
    .vertex = boundary_layer_vertex,
    .evaluate = boundary_layer_evaluate};

/* ---- wall ---- */

/* A curved wall. Its cells are ten thousand times longer than high at the beginning and a
 * million times at the end. There the first cell is as high as a dozen steps of float32,
 * so its faces are rough in float32. */

/* Heights grow by exp(wall_stretching / (nj - 1)) from cell to cell. */
static double wall_stretching(double u)
{
    return 10.8 + 5.2 * u;
}

static double plate_height(double x, double z)
{
    return 0.02 + 0.02 * sin(pi * x) * sin(pi * x) * (1.0 + 0.5 * cos(pi * z));
}

/* i along the flow, j away from the wall, k across. */
static dataset_vertex wall_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double u = dataset_fraction(at[0], size[0]);
    double z = 0.5 * dataset_fraction(at[2], size[2]);
    double growth = wall_stretching(u);
    double up = expm1(growth * dataset_fraction(at[1], size[1])) / expm1(growth);
    double wall = plate_height(u, z);
    return (dataset_vertex){.position = vec3_make(u, wall + (0.5 - wall) * up, z)};
}

/* A layer whose thickness grows from a hundredth to a tenth. */
static void wall_evaluate(vec3 p, double time, double *out)
{
    (void)time;
    double above = fmax(p.v[1] - plate_height(p.v[0], p.v[2]), 0.0);
    out[0] = tanh(above / (0.01 + 0.09 * p.v[0]));
}

const dataset dataset_wall = {"wall",
                              "a curved wall with cells of aspect ratio 10^4 to 10^6",
                              .size = {33, 41, 9},
                              .minimum = {9, 31, 2},
                              .steps = 1,
                              DATASET_BLOCKS("plate"),
                              DATASET_FIELDS(DATASET_VERTEX("speed")),
                              .vertex = wall_vertex,
                              .evaluate = wall_evaluate};

/* ---- c grid ---- */

/* A C-grid around an airfoil. The innermost line of vertices comes up the wake from far
 * behind, goes around the airfoil and back down the wake. Along the wake the block abuts
 * itself.
 *
 * The grid is made in the plane of w, where z = x + iy = w². Squaring folds the real axis
 * around the positive half axis, which becomes the wake. A bump above the middle of the
 * axis becomes the airfoil. Squaring keeps angles, so cells are sound. */

/* In the plane of w, where the airfoil's trailing edge is at ±1. */
static const double half_length = 1.7;
static const double height = 1.1;
static const double bump = 0.2;

static double body_height(double along)
{
    double inside = 1.0 - along * along;
    return inside > 0.0 ? bump * inside * inside : 0.0;
}

/* i along the C, j outwards, k across. */
static dataset_vertex c_grid_vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    /* An odd function of i, so that both sides of the wake get the same points. */
    double along =
        half_length * (double)(2 * at[0] - (size[0] - 1)) / (double)(size[0] - 1);
    double v = dataset_fraction(at[1], size[1]);
    double up = body_height(along);
    up += (height - up) * (0.4 * v + 0.6 * v * v);
    /* + 0.0 turns the -0 of the lower side of the wake into the 0 of the upper one. */
    return (dataset_vertex){.position =
                                vec3_make(along * along - up * up, 2.0 * along * up + 0.0,
                                          dataset_fraction(at[2], size[2]))};
}

const dataset dataset_c_grid = {
    "c-grid",
    "around an airfoil; the block abuts itself along the wake",
    .size = {65, 19, 9},
    .minimum = {8, 3, 2},
    .steps = 1,
    DATASET_BLOCKS("wing"),
    DATASET_FIELDS(DATASET_VERTEX("wave"), DATASET_CELL("cell_wave")),
    .vertex = c_grid_vertex,
    .evaluate = dataset_evaluate_waves};

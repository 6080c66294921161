/* A C-grid around an airfoil. The innermost line of vertices comes up the wake from far
 * behind, goes around the airfoil and back down the wake. Along the wake the block abuts
 * itself.
 *
 * The grid is made in the plane of w, where z = x + iy = w². Squaring folds the real axis
 * around the positive half axis, which becomes the wake. A bump above the middle of the
 * axis becomes the airfoil. Squaring keeps angles, so cells are sound. */
#include "datasets/dataset.h"

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
static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
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

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(p);
    out[1] = out[0];
}

static const char *const block_names[] = {"wing"};
static const grid_field fields[] = {{.name = "wave", .location = GRID_VERTEX},
                                    {.name = "cell_wave", .location = GRID_CELL}};

const dataset dataset_c_grid = {
    .name = "c-grid",
    .summary = "around an airfoil; the block abuts itself along the wake",
    .size = {65, 19, 9},
    .minimum = {8, 3, 2},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 2,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};

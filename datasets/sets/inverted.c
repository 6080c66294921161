/* A box with an even outside and a disordered inside. Single vertices are pushed through
 * the cells beside them, which turns some of these cells inside out. In the middle, two
 * layers of vertices have swapped places, so that cells are folded three times over. */
#include "datasets/dataset.h"

/* Shift of a pushed vertex in each direction, in cells. */
static const double push = 1.6;

static bool is_inside(const int64_t size[3], const int64_t at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < 2 || at[axis] > size[axis] - 3) {
            return false;
        }
    }
    return true;
}

/* The layer to which layer i is moved. */
static int64_t folded_layer(const int64_t size[3], int64_t i)
{
    int64_t lower = size[0] / 2 - 1;
    return i == lower ? lower + 1 : i == lower + 1 ? lower : i;
}

static bool is_pushed(const int64_t at[3])
{
    return (3 * at[0] + 5 * at[1] + 7 * at[2]) % 11 == 0;
}

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    (void)block;
    double index[3] = {(double)at[0], (double)at[1], (double)at[2]};
    if (is_inside(size, at)) {
        index[0] = (double)folded_layer(size, at[0]);
        for (int axis = 0; axis < 3 && is_pushed(at); axis++) {
            index[axis] += (at[2] + axis) % 2 ? push : -push;
        }
    }
    vec3 p;
    for (int axis = 0; axis < 3; axis++) {
        p.v[axis] = 2.0 * index[axis] / (double)(size[axis] - 1) - 1.0;
    }
    return (dataset_vertex){.position = p};
}

static void evaluate(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(p);
}

static const char *const block_names[] = {"box"};
static const grid_field fields[] = {{.name = "wave", .location = GRID_VERTEX}};

const dataset dataset_inverted = {
    .name = "inverted",
    .summary = "a box with cells turned inside out and folded",
    .size = {18, 17, 16},
    .minimum = {8, 8, 8},
    .steps = 1,
    .nblocks = 1,
    .block_names = block_names,
    .nfields = 1,
    .fields = fields,
    .vertex = vertex,
    .evaluate = evaluate,
};

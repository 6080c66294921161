/* A bent box of 4 × 4 × 3 blocks that share their faces. Each block has another of the 48
 * orientations of i, j, k: 24 are right-handed, the others left-handed. */
#include "orientations.h"

static const double pi = 3.14159265358979323846;
static const int64_t blocks[3] = {4, 4, 3};

dataset_orientation dataset_orientation_at(int number)
{
    static const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                           {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    dataset_orientation o;
    for (int axis = 0; axis < 3; axis++) {
        o.along[axis] = permutations[number / 8][axis];
        o.reversed[axis] = number >> axis & 1;
    }
    return o;
}

void dataset_orientation_size(const dataset_orientation *o, const int64_t n[3],
                              int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = n[o->along[axis]];
    }
}

void dataset_orientation_place(const dataset_orientation *o, const int64_t n[3],
                               const int64_t at[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int along = o->along[axis];
        out[along] = o->reversed[axis] ? n[along] - 1 - at[axis] : at[axis];
    }
}

vec3 dataset_orientations_point(const int64_t n[3], const int64_t at[3])
{
    double u = 2.0 * dataset_fraction(at[0], n[0]) - 1.0;
    double v = 2.0 * dataset_fraction(at[1], n[1]) - 1.0;
    double w = 2.0 * dataset_fraction(at[2], n[2]) - 1.0;
    return vec3_make(u + 0.07 * sin(pi * v) * cos(pi * w),
                     v + 0.07 * sin(pi * w) * cos(pi * u),
                     w + 0.07 * sin(pi * u) * cos(pi * v));
}

void dataset_orientations_lattice(const int64_t size[3], int64_t n[3])
{
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = blocks[axis] * (size[axis] - 1) + 1;
    }
}

/* Neighbouring blocks get dissimilar orientations. 29 and 48 have no common factor, so
 * each orientation occurs once. */
static dataset_orientation block_orientation(int block)
{
    return dataset_orientation_at(block * 29 % DATASET_ORIENTATIONS);
}

static void block_size(const int64_t size[3], int block, int64_t n[3])
{
    dataset_orientation o = block_orientation(block);
    dataset_orientation_size(&o, size, n);
}

static dataset_vertex vertex(const int64_t size[3], int block, const int64_t at[3])
{
    dataset_orientation o = block_orientation(block);
    int64_t n[3], place[3], number = block;
    dataset_orientation_place(&o, size, at, place);
    for (int axis = 0; axis < 3; axis++) {
        place[axis] += number % blocks[axis] * (size[axis] - 1);
        number /= blocks[axis];
    }
    dataset_orientations_lattice(size, n);
    return (dataset_vertex){.position = dataset_orientations_point(n, place)};
}

const dataset dataset_orientations = {
    "orientations",
    "48 blocks that abut, each numbered another way",
    .size = {9, 8, 7},
    .minimum = {3, 3, 3},
    .steps = 1,
    DATASET_BLOCKS("b00", "b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09",
                   "b10", "b11", "b12", "b13", "b14", "b15", "b16", "b17", "b18", "b19",
                   "b20", "b21", "b22", "b23", "b24", "b25", "b26", "b27", "b28", "b29",
                   "b30", "b31", "b32", "b33", "b34", "b35", "b36", "b37", "b38", "b39",
                   "b40", "b41", "b42", "b43", "b44", "b45", "b46", "b47"),
    DATASET_FIELDS(DATASET_VERTEX("wave"), DATASET_CELL("cell_wave")),
    .block_size = block_size,
    .vertex = vertex,
    .evaluate = dataset_evaluate_waves};

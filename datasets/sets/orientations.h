/* The box of the data set `orientations`, for tests that divide it differently. */
#ifndef DATASETS_SETS_ORIENTATIONS_H
#define DATASETS_SETS_ORIENTATIONS_H

#include "datasets/dataset.h"

enum { DATASET_ORIENTATIONS = 48 };

/* Orientation of i, j, k of a block in a lattice: index axis x runs along the lattice's
 * axis along[x], backwards if reversed[x]. */
typedef struct dataset_orientation {
    int along[3];
    bool reversed[3];
} dataset_orientation;

/* The orientation with this number, 0 to 47. Number 0 is the identity; half of them are
 * right-handed. */
dataset_orientation dataset_orientation_at(int number);

/* Vertices along i, j, k of a block with this orientation that has n[3] along the
 * lattice's axes. */
void dataset_orientation_size(const dataset_orientation *o, const int64_t n[3],
                              int64_t out[3]);

/* Place of vertex at[3] of such a block in its part of the lattice, 0 to n - 1. */
void dataset_orientation_place(const dataset_orientation *o, const int64_t n[3],
                               const int64_t at[3], int64_t out[3]);

/* The position of a vertex of the whole lattice, which has n[3] vertices. */
vec3 dataset_orientations_point(const int64_t n[3], const int64_t at[3]);

/* Vertices of the whole lattice for this size of the first block. */
void dataset_orientations_lattice(const int64_t size[3], int64_t n[3]);

#endif

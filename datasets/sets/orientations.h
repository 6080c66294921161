/* The box of the data set `orientations`, for tests that cut it in other ways. */
#ifndef DATASETS_SETS_ORIENTATIONS_H
#define DATASETS_SETS_ORIENTATIONS_H

#include "datasets/dataset.h"

enum { DATASET_ORIENTATIONS = 48 };

/* How i, j, k of a block lie in a lattice: index axis x runs along the lattice's axis
 * along[x], backwards where reversed[x]. */
typedef struct dataset_orientation {
    int along[3];
    bool reversed[3];
} dataset_orientation;

/* The orientation of this number, 0 to 47. 0 leaves all as it is; half of the others are
 * right-handed. */
dataset_orientation dataset_orientation_at(int number);

/* Vertices along i, j, k of a block so oriented that has n[3] along the lattice's axes.
 */
void dataset_orientation_size(const dataset_orientation *o, const int64_t n[3],
                              int64_t out[3]);

/* Where vertex at[3] of such a block lies in its part of the lattice, 0 to n - 1. */
void dataset_orientation_place(const dataset_orientation *o, const int64_t n[3],
                               const int64_t at[3], int64_t out[3]);

/* The position of a vertex of the whole lattice, which has n[3] of them. */
vec3 dataset_orientations_point(const int64_t n[3], const int64_t at[3]);

/* Vertices of the whole lattice for this size of the first block. */
void dataset_orientations_lattice(const int64_t size[3], int64_t n[3]);

#endif

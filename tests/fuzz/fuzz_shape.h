/* Coordinates and values of vertices. */
#ifndef TESTS_FUZZ_FUZZ_SHAPE_H
#define TESTS_FUZZ_FUZZ_SHAPE_H

#include "fuzz_case.h"

/* A vertex of the whole grid, in the coordinates of a file. */
typedef struct fuzz_vertex {
    double xyz[3];
    double scalar;
    bool blanked;
} fuzz_vertex;

/* From indices in a block to those in the whole. n: [3], vertices of the block. */
void fuzz_shape_whole(const fuzz_shape *s, int block, const int64_t n[3],
                      const int64_t at[3], int64_t whole[3]);

/* Vertices of a block along its axes. */
void fuzz_shape_size(const fuzz_shape *s, int block, int64_t n[3]);

/* The vertex at these indices of the whole, seen as one of a block. */
fuzz_vertex fuzz_shape_vertex(const fuzz_case *c, int block, const int64_t whole[3]);

/* The scalar of the cell with this lowest vertex, in indices of the whole. */
double fuzz_shape_cell(const fuzz_case *c, const int64_t whole[3]);

#endif

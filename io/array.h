/* Names for the contents of a source: steps, arrays, boxes of arrays. */
#ifndef IO_ARRAY_H
#define IO_ARRAY_H

#include <stdint.h>

typedef struct io_step {
    int64_t number; /* its number in the file */
    double time;    /* of the solution; equals the number if the file states none */
} io_step;

/* The arrays of a block: a coordinate, iblank, or a field (>= 0, index into fields). */
enum { IO_ARRAY_X = -4, IO_ARRAY_Y = -3, IO_ARRAY_Z = -2, IO_ARRAY_IBLANK = -1 };

/* A half-open box of indices of an array, i first. A box with an n of 0 reads nothing. */
typedef struct io_box {
    int64_t lo[3];
    int64_t n[3];
} io_box;

/* Fields of a block, as indices; all at its vertices, or all in its cells. */
typedef struct io_fields {
    int block, count;
    const int *of; /* [count] */
} io_fields;

/* Where the values of fields in a box go: those of field n, row j of plane k, begin at
 * first[n * size + k * plane + j * row]. */
typedef struct io_rows {
    float *first;
    int64_t row, plane, size;
} io_rows;

#endif

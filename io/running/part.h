/* The data that a rank of a running program has in its memory. */
#ifndef IO_RUNNING_PART_H
#define IO_RUNNING_PART_H

#include <stdint.h>

typedef enum io_live_type {
    IO_LIVE_FLOAT32,
    IO_LIVE_FLOAT64,
    IO_LIVE_INT32
} io_live_type;

/* Values in somebody's memory, borrowed; data is NULL where there are none. */
typedef struct io_live_array {
    const void *data; /* the value at the part's lowest vertex (or cell) */
    io_live_type type;
    int64_t stride[3]; /* values from one to the next along i, j and k */
} io_live_array;

/*
 * What one rank has of a block: a box of its vertices, and the cells between them.
 * Parts share the vertices on their common planes; whatever several parts have, they
 * should have alike (the part of the lowest rank counts). Ghost layers are left out.
 */
typedef struct io_live_part {
    int block;
    int64_t lo[3], n[3]; /* vertices [lo, lo + n) of the block */
    io_live_array xyz[3];
    io_live_array iblank;        /* of integers; data NULL: nothing is blanked */
    const io_live_array *fields; /* [nfields of the grid] */
} io_live_part;

#endif

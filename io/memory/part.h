/* A rank's part of the data of a running program. */
#ifndef IO_MEMORY_PART_H
#define IO_MEMORY_PART_H

#include <stdint.h>

typedef enum io_memory_type {
    IO_MEMORY_FLOAT32,
    IO_MEMORY_FLOAT64,
    IO_MEMORY_INT32
} io_memory_type;

/* Borrowed values in memory of the program; data is NULL if there are none. */
typedef struct io_memory_array {
    const void *data; /* the value at the part's lowest vertex (or cell) */
    io_memory_type type;
    int64_t stride[3]; /* distance in values between neighbours along i, j and k */
} io_memory_array;

/*
 * One rank's part of a block: a box of its vertices, and the cells between them. Parts
 * share the vertices on their common planes. Values that several parts have should be
 * equal; those of the lowest rank count. Ghost layers are left out.
 */
typedef struct io_memory_part {
    int block;
    int64_t lo[3], n[3]; /* vertices [lo, lo + n) of the block */
    io_memory_array xyz[3];
    io_memory_array iblank;        /* of integers; data NULL: nothing is blanked */
    const io_memory_array *fields; /* [nfields of the grid] */
} io_memory_part;

#endif

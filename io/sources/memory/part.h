/* A rank's part of the data of a running program. */
#ifndef IO_SOURCES_MEMORY_PART_H
#define IO_SOURCES_MEMORY_PART_H

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
 * may share vertices; then their owner's values count (owner.h). Parts that share no
 * vertices leave cells between them: those behind a part's last cells are the part's, if
 * its arrays go on there.
 */
typedef struct io_memory_part {
    int block;
    int64_t lo[3], n[3];         /* vertices [lo, lo + n) of the block */
    int64_t before[3], after[3]; /* layers of ghosts around them in the program */
    int64_t behind[3];           /* 1: fields in cells have values behind the last cell */
    io_memory_array xyz[3];
    io_memory_array iblank;        /* of integers; data NULL: nothing is blanked */
    const io_memory_array *fields; /* [nfields of the grid] */
} io_memory_part;

#endif

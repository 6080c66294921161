/* Where the values of an array are. */
#ifndef IO_SOURCES_ARRAYS_PLACE_H
#define IO_SOURCES_ARRAYS_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of numbers in files. */
typedef enum io_number {
    IO_FLOAT32,
    IO_FLOAT64,
    IO_INT8,
    IO_UINT8,
    IO_INT16,
    IO_UINT16,
    IO_INT32,
    IO_UINT32,
    IO_INT64,
    IO_UINT64
} io_number;

/* Bytes of a number. Local. */
size_t io_number_size(io_number type);

enum {
    IO_ARRAY_LACKS = -1, /* the block lacks the array: its values are missing */
    IO_ARRAY_RAMP = -2   /* start + i * slope[0] + j * slope[1] + k * slope[2] */
};

/*
 * Where the values of an array of a block are: that of (i, j, k) is at the byte
 * offset + i * stride[0] + j * stride[1] + k * stride[2]. A stride of 0: values are the
 * same along that axis. With `is_coded`, that is the place in what `decode` gives for the
 * array's `code`.
 */
typedef struct io_array_place {
    int32_t file; /* index of a file of the table; or IO_ARRAY_LACKS, IO_ARRAY_RAMP */
    io_number type;
    bool swaps; /* the bytes of a number are in the other order than this machine's */
    bool is_coded;
    bool is_cut; /* bytes are counted along extents of the table */
    int64_t offset, stride[3];
    int64_t next; /* of a table whose steps are even: bytes to the same array of the next
                     step */
    int64_t code[4]; /* the format's own; of an array that is cut: the first of its
                        extents, and their number */
    double start, slope[3];
    double scale;   /* of a stored coordinate: number * scale + start; 0: as it is */
    int32_t hidden; /* of iblank: numbers with one of these bits become 0, others 1; 0:
                       they stay */
} io_array_place;

/* A stretch of bytes of a file, of an array that is cut: the first of them is byte `from`
 * of the array's. */
typedef struct io_array_extent {
    int64_t from, offset, length;
} io_array_extent;

/* A place for values one behind the other, i fastest: [n[2]][n[1]][n[0]] tuples of
 * `components`, of which it is the n-th. Local. */
io_array_place io_array_place_make(io_number type, bool swaps, int64_t offset,
                                   const int64_t n[3], int components, int component);

/* Converts stored numbers to doubles, from one to the next by place->stride[0]. Local. */
void io_array_numbers(const io_array_place *place, const void *stored, int64_t count,
                      double *out);

#endif

/* The reader: boxes of arrays, from bytes of a file or of memory to what a caller wants.
 */
#ifndef IO_SOURCES_ARRAYS_ROWS_H
#define IO_SOURCES_ARRAYS_ROWS_H

#include "base/status.h"
#include "io/array.h"
#include "io/unpack.h"
#include "place.h"

/* What a caller wants of numbers. */
typedef struct io_array_wish {
    const io_unpacking *unpack; /* how they become others; NULL: they stay */
    const double *origin;       /* float32, less the origin; else NULL */
    bool is_int, is_float;      /* int32, or float32; else double */
    int hidden;                 /* of iblank: as that of its place */
} io_array_wish;

/* A file that is open. */
typedef struct io_array_file {
    const char *path; /* for messages */
    int descriptor;
    const io_array_extent *extents; /* of the table; NULL: no array is cut */
} io_array_file;

/*
 * Reads a box of an array, which is not coded, in few and large reads. out:
 * [n[2]][n[1]][n[0]]; NULL: its bytes are only expected (io_stretches_expect). Local.
 * Errors: STATUS_INPUT, STATUS_MEMORY.
 */
status io_array_rows_read(const io_array_file *file, const io_array_place *place,
                          const io_box *box, const io_array_wish *want, void *out);

/*
 * Gives a box of numbers in memory: the place counts from `bytes` on. NULL: the array is
 * lacking, or a ramp. `out` may be the numbers themselves, if they fit. Local. Errors:
 * STATUS_MEMORY.
 */
status io_array_rows_give(const io_array_place *place, const io_box *box,
                          const char *bytes, const io_array_wish *want, void *out);

/* Bytes of a number that a caller wants. Local. */
size_t io_array_rows_size(const io_array_wish *want);

/* Whether numbers lie as the caller wants them, and have the size that he wants. Local.
 */
bool io_array_rows_fit(const io_array_place *place, const io_box *box,
                       const io_array_wish *want);

#endif

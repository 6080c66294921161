/* Conversion of stored values to numbers. A stored value may mean "missing", or may be
 * packed with a factor and an offset. */
#ifndef IO_UNPACK_H
#define IO_UNPACK_H

#include "io/config/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The types as which stored values are read. */
typedef enum io_stored_type {
    IO_STORED_FLOAT32,
    IO_STORED_FLOAT64,
    IO_STORED_INT64,
    IO_STORED_UINT64
} io_stored_type;

/* A value of one of these types. */
typedef union io_stored {
    float f32;
    double f64;
    int64_t i64;
    uint64_t u64;
} io_stored;

enum {
    IO_UNPACKING_FILLS = 3 * IO_MOST_FILLS, /* _FillValue, missing_value, data.fill */
    IO_UNIT_SIZE = 32
};

/* The conversion of an array's stored values to numbers. Zero: float32 values,
 * unchanged. */
typedef struct io_unpacking {
    io_stored_type type;
    int nfills;
    io_stored fills[IO_UNPACKING_FILLS]; /* [nfills], of `type`: missing values */
    bool is_scaled; /* number = stored * scale + offset; else stored */
    double scale, offset;
    char unit[IO_UNIT_SIZE]; /* of the numbers, UTF-8, such as "m/s"; "": none is known */
} io_unpacking;

/*
 * Adds a fill value: stored values that equal it are missing. It is first converted to
 * the stored type, which may round it to float32. A value that the type cannot hold is
 * ignored; so are NaN, which is missing anyway, and any value beyond IO_UNPACKING_FILLS.
 * Local.
 */
void io_unpacking_add_fill(io_unpacking *unpacking, io_stored_type type, io_stored value);

/* Whether no stored value needs a conversion or means "missing". Local. */
bool io_unpacking_is_plain(const io_unpacking *unpacking);

/* A fill value as a number, for messages. Local. */
double io_unpacking_fill(const io_unpacking *unpacking, int fill);

/*
 * Converts stored values ([count] of unpacking->type) to numbers. Missing values become
 * NaN, and so do numbers that no float32 holds. `out` may be `stored` if its type is
 * float32. Local.
 */
void io_unpack_floats(const io_unpacking *unpacking, size_t count, const void *stored,
                      float *out);

/* The same in double precision; `out` is not `stored`. */
void io_unpack_doubles(const io_unpacking *unpacking, size_t count, const void *stored,
                       double *out);

#endif

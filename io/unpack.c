#include "unpack.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Fills ------------------------------------------------------------------------- */

static double number_of(io_stored_type type, io_stored value)
{
    switch (type) {
    case IO_STORED_FLOAT32:
        return (double)value.f32;
    case IO_STORED_FLOAT64:
        return value.f64;
    case IO_STORED_INT64:
        return (double)value.i64;
    default:
        return (double)value.u64;
    }
}

/* Whether `number` is an integer in [least, end). */
static bool is_whole(double number, double least, double end)
{
    return number >= least && number < end && number == trunc(number);
}

static bool fit_float32(double number, io_stored *out)
{
    out->f32 = (float)number;
    return !isinf(out->f32) || isinf(number);
}

static bool fit_int64(io_stored_type type, io_stored value, io_stored *out)
{
    const double number = number_of(type, value);
    if (type == IO_STORED_INT64) {
        *out = value;
        return true;
    }
    if (type == IO_STORED_UINT64) {
        out->i64 = (int64_t)value.u64;
        return value.u64 <= INT64_MAX;
    }
    const bool fits = is_whole(number, -0x1p63, 0x1p63);
    out->i64 = fits ? (int64_t)number : 0;
    return fits;
}

static bool fit_uint64(io_stored_type type, io_stored value, io_stored *out)
{
    const double number = number_of(type, value);
    if (type == IO_STORED_UINT64) {
        *out = value;
        return true;
    }
    if (type == IO_STORED_INT64) {
        out->u64 = (uint64_t)value.i64;
        return value.i64 >= 0;
    }
    const bool fits = is_whole(number, 0.0, 0x1p64);
    out->u64 = fits ? (uint64_t)number : 0;
    return fits;
}

/* Converts a value to another type; false if that type cannot hold it. */
static bool fit(io_stored_type type, io_stored value, io_stored_type to, io_stored *out)
{
    switch (to) {
    case IO_STORED_FLOAT32:
        return fit_float32(number_of(type, value), out);
    case IO_STORED_FLOAT64:
        out->f64 = number_of(type, value);
        return true;
    case IO_STORED_INT64:
        return fit_int64(type, value, out);
    default:
        return fit_uint64(type, value, out);
    }
}

void io_unpacking_add_fill(io_unpacking *unpacking, io_stored_type type, io_stored value)
{
    io_stored fill;
    memset(&fill, 0, sizeof fill); /* fills are compared with memcmp */
    if (isnan(number_of(type, value)) || unpacking->nfills == IO_UNPACKING_FILLS ||
        !fit(type, value, unpacking->type, &fill)) {
        return;
    }
    for (int n = 0; n < unpacking->nfills; n++) {
        if (memcmp(&unpacking->fills[n], &fill, sizeof fill) == 0) {
            return;
        }
    }
    unpacking->fills[unpacking->nfills++] = fill;
}

bool io_unpacking_is_plain(const io_unpacking *unpacking)
{
    return unpacking->nfills == 0 && !unpacking->is_scaled;
}

double io_unpacking_fill(const io_unpacking *unpacking, int fill)
{
    return number_of(unpacking->type, unpacking->fills[fill]);
}

/* ---- Values ------------------------------------------------------------------------ */

enum { BATCH = 512 }; /* values that stay in the level-1 cache between the stages */

static void take_float32(const io_unpacking *u, const float *from, size_t count,
                         double *restrict to)
{
    for (size_t n = 0; n < count; n++) {
        to[n] = (double)from[n];
    }
    for (int f = 0; f < u->nfills; f++) {
        const float fill = u->fills[f].f32;
        for (size_t n = 0; n < count; n++) {
            to[n] = from[n] == fill ? (double)NAN : to[n];
        }
    }
}

static void take_float64(const io_unpacking *u, const double *from, size_t count,
                         double *restrict to)
{
    memcpy(to, from, count * sizeof *to);
    for (int f = 0; f < u->nfills; f++) {
        const double fill = u->fills[f].f64;
        for (size_t n = 0; n < count; n++) {
            to[n] = from[n] == fill ? (double)NAN : to[n];
        }
    }
}

static void take_int64(const io_unpacking *u, const int64_t *from, size_t count,
                       double *restrict to)
{
    for (size_t n = 0; n < count; n++) {
        to[n] = (double)from[n];
    }
    for (int f = 0; f < u->nfills; f++) {
        const int64_t fill = u->fills[f].i64;
        for (size_t n = 0; n < count; n++) {
            to[n] = from[n] == fill ? (double)NAN : to[n];
        }
    }
}

static void take_uint64(const io_unpacking *u, const uint64_t *from, size_t count,
                        double *restrict to)
{
    for (size_t n = 0; n < count; n++) {
        to[n] = (double)from[n];
    }
    for (int f = 0; f < u->nfills; f++) {
        const uint64_t fill = u->fills[f].u64;
        for (size_t n = 0; n < count; n++) {
            to[n] = from[n] == fill ? (double)NAN : to[n];
        }
    }
}

static void take(const io_unpacking *u, const void *stored, size_t first, size_t count,
                 double *restrict to)
{
    switch (u->type) {
    case IO_STORED_FLOAT32:
        take_float32(u, (const float *)stored + first, count, to);
        break;
    case IO_STORED_FLOAT64:
        take_float64(u, (const double *)stored + first, count, to);
        break;
    case IO_STORED_INT64:
        take_int64(u, (const int64_t *)stored + first, count, to);
        break;
    case IO_STORED_UINT64:
        take_uint64(u, (const uint64_t *)stored + first, count, to);
        break;
    }
    for (size_t n = 0; u->is_scaled && n < count; n++) {
        to[n] = to[n] * u->scale + u->offset;
    }
}

/* Gives NaN if no float32 holds the number. */
static void round_to_float(const double *restrict from, size_t count, float *restrict to)
{
    for (size_t n = 0; n < count; n++) {
        const float value = (float)from[n];
        to[n] = fabsf(value) <= FLT_MAX ? value : NAN;
    }
}

void io_unpack_floats(const io_unpacking *unpacking, size_t count, const void *stored,
                      float *out)
{
    if (unpacking->type == IO_STORED_FLOAT32 && io_unpacking_is_plain(unpacking)) {
        const float *from = stored;
        for (size_t n = 0; n < count; n++) {
            out[n] = fabsf(from[n]) <= FLT_MAX ? from[n] : NAN;
        }
        return;
    }
    if (unpacking->type == IO_STORED_FLOAT64 && io_unpacking_is_plain(unpacking)) {
        round_to_float(stored, count, out);
        return;
    }
    double values[BATCH];
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t n = count - first < BATCH ? count - first : BATCH;
        take(unpacking, stored, first, n, values);
        round_to_float(values, n, out + first);
    }
}

void io_unpack_doubles(const io_unpacking *unpacking, size_t count, const void *stored,
                       double *out)
{
    if (count > 0) { /* else `out` may be NULL */
        take(unpacking, stored, 0, count, out);
    }
}

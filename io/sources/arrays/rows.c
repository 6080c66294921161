#include "rows.h"

#include "io/stretches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ----------------------------------------------------------------------- */

static void reverse(unsigned char *bytes, size_t size)
{
    for (size_t n = 0; n < size / 2; n++) {
        const unsigned char byte = bytes[n];
        bytes[n] = bytes[size - 1 - n];
        bytes[size - 1 - n] = byte;
    }
}

/* A whole number. */
static double number_at(const io_array_place *place, const char *at)
{
    union {
        unsigned char bytes[8];
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
    } value;
    const size_t size = io_number_size(place->type);
    memcpy(value.bytes, at, size);
    if (place->swaps) {
        reverse(value.bytes, size);
    }
    switch (place->type) {
    case IO_INT8:
        return value.i8;
    case IO_UINT8:
        return value.u8;
    case IO_INT16:
        return value.i16;
    case IO_UINT16:
        return value.u16;
    case IO_INT32:
        return value.i32;
    case IO_UINT32:
        return value.u32;
    case IO_INT64:
        return (double)value.i64;
    default:
        return (double)value.u64;
    }
}

/* The distance and the order are constants where this is called, so that the compiler
 * vectorizes the common ones. */
static inline void widen_floats(const char *from, int64_t step, bool swaps, int64_t count,
                                double *restrict out)
{
    for (int64_t n = 0; n < count; n++) {
        uint32_t word;
        float value;
        memcpy(&word, from + n * step, sizeof word);
        word = swaps ? __builtin_bswap32(word) : word;
        memcpy(&value, &word, sizeof value);
        out[n] = (double)value;
    }
}

static inline void copy_doubles(const char *from, int64_t step, bool swaps, int64_t count,
                                double *restrict out)
{
    for (int64_t n = 0; n < count; n++) {
        uint64_t word;
        memcpy(&word, from + n * step, sizeof word);
        word = swaps ? __builtin_bswap64(word) : word;
        memcpy(&out[n], &word, sizeof word);
    }
}

static void convert_floats(const io_array_place *place, const char *from, int64_t count,
                           double *out)
{
    const int64_t step = place->stride[0];
    if (step == (int64_t)sizeof(float) && place->swaps) {
        widen_floats(from, sizeof(float), true, count, out);
    } else if (step == (int64_t)sizeof(float)) {
        widen_floats(from, sizeof(float), false, count, out);
    } else {
        widen_floats(from, step, place->swaps, count, out);
    }
}

static void convert_doubles(const io_array_place *place, const char *from, int64_t count,
                            double *out)
{
    const int64_t step = place->stride[0];
    if (step == (int64_t)sizeof(double) && place->swaps) {
        copy_doubles(from, sizeof(double), true, count, out);
    } else if (step == (int64_t)sizeof(double)) {
        copy_doubles(from, sizeof(double), false, count, out);
    } else {
        copy_doubles(from, step, place->swaps, count, out);
    }
}

void io_array_numbers(const io_array_place *place, const void *stored, int64_t count,
                      double *out)
{
    if (place->type == IO_FLOAT32) {
        convert_floats(place, stored, count, out);
    } else if (place->type == IO_FLOAT64) {
        convert_doubles(place, stored, count, out);
    } else {
        for (int64_t n = 0; n < count; n++) {
            out[n] = number_at(place, (const char *)stored + n * place->stride[0]);
        }
    }
    for (int64_t n = 0; n < count && place->scale != 0.0; n++) {
        out[n] = out[n] * place->scale + place->start;
    }
}

static void fill_row(const io_array_place *place, const io_box *box, int64_t row,
                     double *out)
{
    const int64_t plane = row / box->n[1];
    const double j = (double)(box->lo[1] + row % box->n[1]);
    const double k = (double)(box->lo[2] + plane);
    for (int64_t n = 0; n < box->n[0]; n++) {
        out[n] = place->file == IO_ARRAY_LACKS
                     ? NAN
                     : place->start + (double)(box->lo[0] + n) * place->slope[0] +
                           j * place->slope[1] + k * place->slope[2];
    }
}

size_t io_array_rows_size(const io_array_wish *want)
{
    return want->origin || want->is_int || want->is_float ? sizeof(float)
                                                          : sizeof(double);
}

/* Whether float32 stays what it is, but for missing and packed values. */
static bool stays_single(const io_array_place *place, const io_array_wish *want)
{
    const bool is_place = want->origin && *want->origin == 0.0 && !want->unpack;
    return place->file >= 0 && place->type == IO_FLOAT32 && place->scale == 0.0 &&
           (want->is_float || is_place);
}

/* Gives such a row. `from` may be `out`. */
static void give_floats(const io_array_place *place, const char *from,
                        const io_unpacking *unpack, int64_t count, float *out)
{
    const int64_t step = place->stride[0];
    if (step == (int64_t)sizeof(float) && from != (const char *)out) {
        memcpy(out, from, (size_t)count * sizeof(float));
    }
    for (int64_t n = 0; n < count && step != (int64_t)sizeof(float); n++) {
        memcpy(&out[n], from + n * step, sizeof(float));
    }
    for (int64_t n = 0; n < count && place->swaps; n++) {
        uint32_t word;
        memcpy(&word, &out[n], sizeof word);
        word = __builtin_bswap32(word);
        memcpy(&out[n], &word, sizeof word);
    }
    if (unpack) {
        io_unpack_floats(unpack, (size_t)count, out, out);
    }
}

/* Gives a row of numbers as the caller wants them. unpacked: [count], scratch. */
static void give_row(const io_array_wish *want, int64_t count, double *numbers,
                     double *unpacked, void *out)
{
    if (want->unpack && want->is_float) {
        io_unpack_floats(want->unpack, (size_t)count, numbers, out);
        return;
    }
    if (want->unpack) {
        io_unpack_doubles(want->unpack, (size_t)count, numbers, unpacked);
        numbers = unpacked;
    }
    for (int64_t n = 0; n < count && want->origin; n++) {
        ((float *)out)[n] = (float)(numbers[n] - *want->origin);
    }
    for (int64_t n = 0; n < count && want->is_int; n++) {
        const bool fits = numbers[n] > -2e9 && numbers[n] < 2e9;
        const int32_t number = fits ? (int32_t)numbers[n] : 1;
        ((int32_t *)out)[n] =
            want->hidden == 0 ? number : (number & want->hidden) == 0 || !fits;
    }
    for (int64_t n = 0; n < count && want->is_float; n++) {
        ((float *)out)[n] = (float)numbers[n];
    }
    if (!want->origin && !want->is_int && !want->is_float) {
        memcpy(out, numbers, (size_t)count * sizeof *numbers);
    }
}

/* How numbers of a place become those of a field. They come as float32 or double. */
static io_unpacking find_unpacking(const io_unpacking *given, const io_array_place *place,
                                   bool is_single)
{
    io_unpacking out = *given;
    out.type = is_single ? IO_STORED_FLOAT32 : IO_STORED_FLOAT64;
    out.nfills = 0;
    for (int n = 0; n < given->nfills; n++) {
        const double fill = io_unpacking_fill(given, n);
        const bool rounds = place->type == IO_FLOAT32;
        io_unpacking_add_fill(&out, IO_STORED_FLOAT64,
                              (io_stored){.f64 = rounds ? (double)(float)fill : fill});
    }
    return out;
}

static int64_t row_offset(const io_array_place *place, const io_box *box, int64_t row)
{
    return place->offset + box->lo[0] * place->stride[0] +
           (box->lo[1] + row % box->n[1]) * place->stride[1] +
           (box->lo[2] + row / box->n[1]) * place->stride[2];
}

status io_array_rows_give(const io_array_place *place, const io_box *box,
                          const char *bytes, const io_array_wish *wish, void *out)
{
    enum { FEW = 1 << 12 };
    const int64_t count = box->n[0], all = box->n[1] * box->n[2];
    const bool is_single = stays_single(place, wish);
    const size_t size = io_array_rows_size(wish);
    io_array_wish want = *wish;
    io_unpacking unpacking;
    status s = STATUS_OK;
    if (wish->unpack) {
        unpacking = find_unpacking(wish->unpack, place, is_single);
        want.unpack = &unpacking;
    }
#pragma omp parallel if (count * all > FEW)
    {
        const size_t room = 2 * (size_t)count * sizeof(double);
        double *numbers = malloc(room);
        if (!numbers) {
#pragma omp critical(io_arrays)
            s = base_fail_memory(room, "values being read");
        }
#pragma omp for
        for (int64_t row = 0; row < all; row++) {
            char *to = (char *)out + (size_t)(row * count) * size;
            const char *from = bytes ? bytes + row_offset(place, box, row) : NULL;
            if (is_single) {
                give_floats(place, from, want.unpack, count, (float *)(void *)to);
            } else if (numbers) {
                if (from) {
                    io_array_numbers(place, from, count, numbers);
                } else {
                    fill_row(place, box, row, numbers);
                }
                give_row(&want, count, numbers, numbers + count, to);
            }
        }
        free(numbers);
    }
    return s;
}

/* ---- Bytes of a file --------------------------------------------------------------- */

/* Adds the bytes of a row, which may lie in several extents. */
static status add_row(const io_array_file *file, const io_array_place *place, int64_t at,
                      int64_t bytes, io_stretches *all)
{
    if (!place->is_cut) {
        return io_stretches_add(all, at, bytes);
    }
    status s = STATUS_OK;
    for (int64_t n = 0; n < place->code[1] && s == STATUS_OK; n++) {
        const io_array_extent *extent = &file->extents[place->code[0] + n];
        const int64_t last = extent->from + extent->length;
        const int64_t from = at > extent->from ? at : extent->from;
        const int64_t end = at + bytes < last ? at + bytes : last;
        if (from < end) {
            s = io_stretches_add(all, extent->offset + from - extent->from, end - from);
        }
    }
    return s;
}

/* Rows of a box as they are read: along axis[0], which has the smallest distance, one
 * behind the other. Values that are the same along an axis are read once. */
typedef struct stored_rows {
    int axis[3];
    int64_t n[3];        /* values along axis[0] and so on */
    int64_t span;        /* bytes from a row's first value to the end of its last */
    io_array_place view; /* where the values are in memory */
} stored_rows;

/* The distance along an axis that has several values; others come last. */
static int64_t distance(const io_array_place *place, const io_box *box, int axis)
{
    const int64_t stride = place->stride[axis];
    return box->n[axis] == 1 || stride == 0 ? INT64_MAX : stride < 0 ? -stride : stride;
}

static stored_rows plan_rows(const io_array_place *place, const io_box *box)
{
    stored_rows rows = {.axis = {0, 1, 2}, .view = *place};
    for (int n = 1; n < 3; n++) {
        for (int m = n; m > 0 && distance(place, box, rows.axis[m - 1]) >
                                     distance(place, box, rows.axis[m]);
             m--) {
            const int axis = rows.axis[m];
            rows.axis[m] = rows.axis[m - 1];
            rows.axis[m - 1] = axis;
        }
    }
    for (int n = 0; n < 3; n++) {
        const bool is_one = distance(place, box, rows.axis[n]) == INT64_MAX;
        rows.n[n] = is_one ? 1 : box->n[rows.axis[n]];
    }
    int64_t *stride = rows.view.stride;
    rows.span = (rows.n[0] - 1) * place->stride[rows.axis[0]] +
                (int64_t)io_number_size(place->type);
    stride[rows.axis[1]] = rows.n[1] > 1 ? rows.span : 0;
    stride[rows.axis[2]] = rows.n[2] > 1 ? rows.span * rows.n[1] : 0;
    rows.view.offset =
        -(box->lo[0] * stride[0] + box->lo[1] * stride[1] + box->lo[2] * stride[2]);
    return rows;
}

static status read_rows(const io_array_file *file, const io_array_place *place,
                        const io_box *box, const stored_rows *rows, void *out)
{
    io_stretches all = {0};
    const int64_t first = row_offset(place, box, 0);
    status s = STATUS_OK;
    for (int64_t n = 0; n < rows->n[1] * rows->n[2] && s == STATUS_OK; n++) {
        const int64_t at = first + n % rows->n[1] * place->stride[rows->axis[1]] +
                           n / rows->n[1] * place->stride[rows->axis[2]];
        s = add_row(file, place, at, rows->span, &all);
    }
    if (s == STATUS_OK && out) {
        const io_stretch_file of = {file->path, file->descriptor, 4, false};
        s = io_stretches_read(&all, &of, out);
    } else if (s == STATUS_OK) {
        io_stretches_expect(&all, file->descriptor);
    }
    io_stretches_free(&all);
    return s;
}

bool io_array_rows_fit(const io_array_place *place, const io_box *box,
                       const io_array_wish *want)
{
    const int64_t size = (int64_t)io_array_rows_size(want), *n = box->n;
    return (int64_t)io_number_size(place->type) == size &&
           (n[0] == 1 || place->stride[0] == size) &&
           (n[1] == 1 || place->stride[1] == size * n[0]) &&
           (n[2] == 1 || place->stride[2] == size * n[0] * n[1]);
}

status io_array_rows_read(const io_array_file *file, const io_array_place *place,
                          const io_box *box, const io_array_wish *want, void *out)
{
    const stored_rows rows = plan_rows(place, box);
    if (!out) {
        return read_rows(file, place, box, &rows, NULL);
    }
    const bool is_in_place = io_array_rows_fit(&rows.view, box, want);
    const size_t bytes = (size_t)(rows.span * rows.n[1] * rows.n[2]);
    char *stored = is_in_place ? out : malloc(bytes);
    status s = stored ? read_rows(file, place, box, &rows, stored)
                      : base_fail_memory(bytes, "values being read");
    s = s == STATUS_OK ? io_array_rows_give(&rows.view, box, stored, want, out) : s;
    if (!is_in_place) {
        free(stored);
    }
    return s;
}

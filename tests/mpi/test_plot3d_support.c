#include "test_plot3d_support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file in memory. */
typedef struct sink {
    const plot3d_form *form;
    unsigned char *bytes;
    size_t size, capacity;
    unsigned char *record; /* the record being written */
    size_t length, room;
} sink;

static void append(unsigned char **bytes, size_t *size, size_t *capacity,
                   const void *more, size_t count)
{
    if (*size + count > *capacity) {
        *capacity = 2 * (*size + count);
        *bytes = realloc(*bytes, *capacity);
        check(*bytes != NULL, "memory is short");
    }
    memcpy(*bytes + *size, more, count);
    *size += count;
}

/* Writes a number's bytes, of `size`, in the order of the form. */
static void put_bytes(sink *s, uint64_t value, int size)
{
    for (int n = 0; n < size; n++) {
        const int shift = 8 * (s->form->is_big ? size - 1 - n : n);
        const unsigned char byte = (unsigned char)(value >> shift);
        append(&s->record, &s->length, &s->room, &byte, 1);
    }
}

static void put_text(sink *s, const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    append(&s->record, &s->length, &s->room, text, (size_t)length);
}

static void put_int(sink *s, int64_t value)
{
    if (s->form->is_text) {
        put_text(s, " %lld\n", (long long)value);
    } else {
        put_bytes(s, (uint64_t)value, 4);
    }
}

static void put_real(sink *s, double value)
{
    const float single = (float)value;
    uint32_t half;
    uint64_t whole;
    memcpy(&half, &single, sizeof half);
    memcpy(&whole, &value, sizeof whole);
    if (s->form->is_text) {
        put_text(s, "%.17g, ", value);
    } else {
        put_bytes(s, s->form->real == 4 ? half : whole, s->form->real);
    }
}

/* Moves a mark into the file. */
static void put_mark(sink *s, int64_t length)
{
    for (int n = 0; n < s->form->mark; n++) {
        const int shift = 8 * (s->form->is_big ? s->form->mark - 1 - n : n);
        const unsigned char byte = (unsigned char)((uint64_t)length >> shift);
        append(&s->bytes, &s->size, &s->capacity, &byte, 1);
    }
}

/* Moves the record into the file, in parts if it is long. As in gfortran's files, the
 * mark before a part is below 0 if another follows, the mark behind if one preceded. */
static void end_record(sink *s)
{
    size_t done = 0;
    do {
        size_t part = s->length - done;
        if (s->form->part > 0 && part > (size_t)s->form->part) {
            part = (size_t)s->form->part;
        }
        const int64_t length = (int64_t)part;
        put_mark(s, done + part < s->length ? -length : length);
        append(&s->bytes, &s->size, &s->capacity, s->record + done, part);
        put_mark(s, done > 0 ? -length : length);
        done += part;
    } while (done < s->length);
    s->length = 0;
}

/* ---- The parts of a file ----------------------------------------------------------- */

static int count_values(const plot3d_form *form)
{
    return form->kind == FORM_GRID       ? (form->is_flat ? 2 : 3)
           : form->kind == FORM_FUNCTION ? FORM_FUNCTIONS
           : form->is_overflow           ? FORM_OVERFLOW
                                         : 5;
}

static void put_sizes(sink *s, int nblocks, const test_block *blocks)
{
    if (s->form->is_multi) {
        put_int(s, nblocks);
        end_record(s);
    }
    for (int b = 0; b < nblocks; b++) {
        for (int axis = 0; axis < (s->form->is_flat ? 2 : 3); axis++) {
            put_int(s, blocks[b].n[axis]);
        }
        if (s->form->kind == FORM_FUNCTION) {
            put_int(s, FORM_FUNCTIONS);
        }
    }
    if (s->form->is_overflow) {
        put_int(s, FORM_OVERFLOW);
        put_int(s, s->form->has_one_species ? 1 : FORM_SPECIES);
    }
    end_record(s);
}

/* Mach number 0.8, angle 2.5, Reynolds number 1e6, time; then those of OVERFLOW. */
static void put_reference(sink *s, double time)
{
    const double reference[4] = {0.8, 2.5, 1e6, time};
    for (int n = 0; n < 4; n++) {
        put_real(s, reference[n]);
    }
    if (s->form->is_overflow) {
        /* There are two gas constants at least. */
        for (int n = 0; n < 9 + (s->form->has_one_species ? 2 : FORM_SPECIES); n++) {
            if (n == 3) {
                put_int(s, 1);
            }
            put_real(s, 0.0);
        }
    }
    end_record(s);
}

static double value_at(const plot3d_form *form, const test_block *block, int value,
                       const int64_t at[4])
{
    double point[3];
    block_point(block, at[0], at[1], at[2], point);
    return form->kind == FORM_GRID
               ? point[value]
               : block_value(value + (form->kind == FORM_FUNCTION ? 20 : 0), at[3], at[0],
                             at[1], at[2]);
}

static void put_block(sink *s, const test_block *block, bool has_iblank, int64_t step)
{
    const int values = count_values(s->form);
    for (int value = 0; value < values + has_iblank; value++) {
        for (int64_t k = 0; k < block->n[2]; k++) {
            for (int64_t j = 0; j < block->n[1]; j++) {
                for (int64_t i = 0; i < block->n[0]; i++) {
                    if (value < values) {
                        put_real(s, value_at(s->form, block, value,
                                             (const int64_t[4]){i, j, k, step}));
                    } else {
                        put_int(s, block_iblank(block, i, j, k));
                    }
                }
            }
        }
    }
    end_record(s);
}

void plot3d_write(const char *path, const plot3d_form *form, int nblocks,
                  const test_block *blocks, int64_t step, double time)
{
    sink s = {.form = form};
    const bool has_iblank = form->kind == FORM_GRID && blocks[0].has_iblank;
    put_sizes(&s, nblocks, blocks);
    for (int b = 0; b < nblocks; b++) {
        if (form->kind == FORM_Q) {
            put_reference(&s, time);
        }
        put_block(&s, &blocks[b], has_iblank, step);
    }
    FILE *file = fopen(path, "wb");
    check(file && fwrite(s.bytes, 1, s.size, file) == s.size && fclose(file) == 0,
          "'%s' cannot be written", path);
    free(s.bytes);
    free(s.record);
}

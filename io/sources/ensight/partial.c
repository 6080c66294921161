#include "partial.h"
#include "io/gzip/unpacked.h"
#include "io/sources/arrays/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a place's code: the byte of the values, all numbers of the array, the byte of the
 * list, and how many it has with these flags. */
enum { VALUES, ALL, LIST, COUNT, IS_BINARY = 1, SWAPS = 2, FLAGS = 4 };

bool ensight_partial_begin(ensight_file *f, int64_t most, ensight_partial *out)
{
    int64_t along[3] = {0, 1, 1};
    *out = (ensight_partial){0};
    if (!ensight_file_integers(f, 1, &out->count) || out->count < 0 ||
        out->count > most) {
        return false;
    }
    along[0] = out->count;
    return ensight_file_array(f, IO_INT32, along, &out->list);
}

static int64_t byte_of(const io_array_place *place)
{
    return place->is_coded ? place->code[0] : place->offset;
}

bool ensight_partial_array(ensight_file *f, const ensight_partial *partial,
                           const int64_t n[3], io_array_place *out)
{
    const int64_t along[3] = {partial->count, 1, 1};
    io_array_place values;
    if (!ensight_file_array(f, IO_FLOAT32, along, &values)) {
        return false;
    }
    *out = io_array_place_make(IO_FLOAT32, false, 0, n, 1, 0);
    out->file = values.file;
    out->is_coded = true;
    out->code[VALUES] = byte_of(&values);
    out->code[ALL] = n[0] * n[1] * n[2];
    out->code[LIST] = byte_of(&partial->list);
    out->code[COUNT] = partial->count * FLAGS + (values.is_coded ? 0 : IS_BINARY) +
                       (values.swaps ? SWAPS : 0);
    return true;
}

/* A list or values that are read: as a type, from a byte on. */
typedef struct run {
    FILE *stream;
    const char *path;
    int64_t count, flags;
    void *stored; /* room for [count] numbers of 4 bytes */
} run;

static bool read_run(const run *r, io_number type, int64_t at, double *out)
{
    const io_array_place as = {
        .type = type, .swaps = (r->flags & SWAPS) != 0, .stride = {sizeof(float), 0, 0}};
    if (fseek(r->stream, (long)at, SEEK_SET) != 0) {
        return false;
    }
    if (!(r->flags & IS_BINARY)) {
        return io_array_text_read(r->stream, r->path, r->count, out) == STATUS_OK;
    }
    const size_t count = (size_t)r->count;
    const bool is_there = fread(r->stored, sizeof(float), count, r->stream) == count;
    io_array_numbers(&as, r->stored, is_there ? r->count : 0, out);
    return is_there;
}

/* Puts the values where the list says. */
static status scatter(const io_array_place *place, const char *path, const double *list,
                      const double *values, float *out)
{
    for (int64_t n = 0; n < place->code[ALL]; n++) {
        out[n] = NAN;
    }
    for (int64_t n = 0; n < place->code[COUNT] / FLAGS; n++) {
        if (!(list[n] >= 1.0 && list[n] <= (double)place->code[ALL])) {
            return base_fail(STATUS_INPUT,
                             "EnSight file '%s' has a value ('partial') at vertex or "
                             "cell %g of a part that has %lld: write it again",
                             path, list[n], (long long)place->code[ALL]);
        }
        out[(int64_t)list[n] - 1] = (float)values[n];
    }
    return STATUS_OK;
}

static status read_all(FILE *stream, const char *path, const io_array_place *place,
                       double *numbers, float *out)
{
    const int64_t count = place->code[COUNT] / FLAGS;
    const run r = {stream, path, count, place->code[COUNT] % FLAGS, numbers + 2 * count};
    base_fail_set_message("");
    if (read_run(&r, IO_INT32, place->code[LIST], numbers) &&
        read_run(&r, IO_FLOAT32, place->code[VALUES], numbers + count)) {
        return scatter(place, path, numbers, numbers + count, out);
    }
    return base_fail_message()[0] != '\0'
               ? STATUS_INPUT
               : base_fail(STATUS_INPUT, "file '%s' ends inside an array: write it again",
                           path);
}

status ensight_partial_decode(const char *path, const io_array_place *place,
                              void **values, int64_t *bytes)
{
    if (place->code[LIST] == 0) {
        return io_array_text_decode(path, place, values, bytes);
    }
    const int64_t count = place->code[COUNT] / FLAGS;
    const size_t size = (size_t)(3 * count + 1) * sizeof(double);
    *bytes = place->code[ALL] * (int64_t)sizeof(float);
    float *out = malloc((size_t)*bytes + 1);
    double *numbers = malloc(size);
    FILE *stream = io_unpacked_stream(path);
    status s = !out || !numbers
                   ? base_fail_memory(size + (size_t)*bytes, "an array of EnSight")
               : !stream ? base_fail(STATUS_INPUT, "file '%s' cannot be opened", path)
                         : read_all(stream, path, place, numbers, out);
    if (stream) {
        fclose(stream);
    }
    free(numbers);
    if (s != STATUS_OK) {
        free(out);
    }
    *values = s == STATUS_OK ? out : NULL;
    return s;
}

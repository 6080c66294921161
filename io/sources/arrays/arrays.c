#include "arrays.h"
#include "io/gzip/unpacked.h"

#include "base/parallel/parallel.h"
#include "io/file.h"
#include "io/source.h"
#include "io/stretches.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Arrays that stay decoded: coordinates, iblank and the inputs of most recipes. */
enum { DECODED = 8 };

typedef struct decoded {
    int32_t file; /* where, and which array, if there are values */
    int64_t code[4];
    char *values;
    int64_t bytes;
    int64_t used;
} decoded;

typedef struct arrays_state {
    const io_array_format *format;
    io_array_table table;
    int open; /* the file that is open; -1: none */
    int descriptor;
    decoded decoded[DECODED];
    int64_t uses;
} arrays_state;

/* ---- Opening ----------------------------------------------------------------------- */

static void broadcast_bytes(MPI_Comm comm, void *data, size_t size)
{
    enum { MOST_BYTES = 1 << 26 };
    for (size_t at = 0; at < size; at += MOST_BYTES) {
        const size_t part = size - at < MOST_BYTES ? size - at : MOST_BYTES;
        parallel_bcast((char *)data + at, parallel_count((int64_t)part), MPI_BYTE, 0,
                       comm);
    }
}

/* Gives all ranks a path of rank 0. Collective. */
static status share_path(MPI_Comm comm, char **path)
{
    int64_t size = *path ? (int64_t)strlen(*path) + 1 : 0;
    parallel_bcast(&size, 1, MPI_INT64_T, 0, comm);
    *path = parallel_rank(comm) == 0 ? *path : malloc((size_t)size);
    status s = *path ? STATUS_OK : base_fail_memory((size_t)size, "a path");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        broadcast_bytes(comm, *path, (size_t)size);
    }
    return s;
}

/* Gives all ranks the table of rank 0. Collective. */
static status share_table(MPI_Comm comm, int nsteps, io_array_table *table)
{
    int64_t counts[4] = {table->nfiles, table->nplaces, table->nextents,
                         table->steps ? nsteps : 0};
    parallel_bcast(counts, 4, MPI_INT64_T, 0, comm);
    status s = STATUS_OK;
    if (parallel_rank(comm) != 0) {
        const size_t bytes = ((size_t)counts[1] + 1) * sizeof *table->places;
        table->files = calloc((size_t)counts[0] + 1, sizeof *table->files);
        table->places = malloc(bytes);
        table->extents = calloc((size_t)counts[2] + 1, sizeof *table->extents);
        table->steps =
            counts[3] > 0 ? calloc((size_t)nsteps, sizeof *table->steps) : NULL;
        table->nfiles = table->files ? (int)counts[0] : 0;
        table->nplaces = counts[1];
        table->nextents = counts[2];
        s = table->files && table->places && table->extents &&
                    (table->steps || counts[3] == 0)
                ? STATUS_OK
                : base_fail_memory(bytes, "the arrays of a data set");
    }
    s = parallel_agree(comm, s);
    for (int n = 0; n < table->nfiles && s == STATUS_OK; n++) {
        s = share_path(comm, &table->files[n]);
    }
    if (s == STATUS_OK) {
        broadcast_bytes(comm, table->places,
                        (size_t)table->nplaces * sizeof *table->places);
        broadcast_bytes(comm, table->steps, (size_t)counts[3] * sizeof *table->steps);
        broadcast_bytes(comm, table->extents,
                        (size_t)table->nextents * sizeof *table->extents);
    }
    return s;
}

status io_arrays_open(io_source *source, const io_data_config *config,
                      const io_array_format *format)
{
    arrays_state *state = calloc(1, sizeof *state);
    status s = state ? STATUS_OK : base_fail_memory(sizeof *state, "the data source");
    s = parallel_agree(source->comm, s);
    source->state = state;
    source->reads_alone = true;
    if (s != STATUS_OK) {
        return s;
    }
    state->format = format;
    state->open = state->descriptor = -1;
    if (parallel_rank(source->comm) == 0) {
        s = format->describe(source->path, config, &source->catalog, &state->table);
        if (s == STATUS_OK) {
            io_array_table_fold(&state->table, &source->catalog);
        }
    }
    s = parallel_agree(source->comm, s);
    s = s == STATUS_OK ? io_catalog_broadcast(source->comm, &source->catalog) : s;
    return s == STATUS_OK
               ? share_table(source->comm, source->catalog.nsteps, &state->table)
               : s;
}

void io_arrays_close(io_source *source)
{
    arrays_state *state = source->state;
    if (!state) {
        return;
    }
    for (int n = 0; n < DECODED; n++) {
        free(state->decoded[n].values);
    }
    for (int n = 0; n < state->table.nfiles; n++) {
        free(state->table.files[n]);
    }
    if (state->descriptor >= 0) {
        close(state->descriptor);
    }
    free(state->table.files);
    free(state->table.places);
    free(state->table.steps);
    free(state->table.extents);
    free(state);
    source->state = NULL;
}

bool io_arrays_reads(const io_source *source, const char *path)
{
    const arrays_state *state = source->state;
    bool does = false;
    for (int n = 1; n < state->table.nfiles && !does; n++) {
        does = io_file_is_same(state->table.files[n], path);
    }
    return does;
}

/* ---- Stored bytes ------------------------------------------------------------------ */

/* Rows of a box as they are stored, one behind the other, each `span` bytes. */
typedef struct stored_rows {
    char *bytes;  /* [n[2]][n[1]][span] */
    int64_t span; /* from the first byte of a row's first value to the last of its last */
} stored_rows;

static int64_t row_offset(const io_array_place *place, const io_box *box, int64_t j,
                          int64_t k)
{
    return place->offset + box->lo[0] * place->stride[0] +
           (box->lo[1] + j) * place->stride[1] + (box->lo[2] + k) * place->stride[2];
}

/* Opens a file, unless it is open. O_NONBLOCK: a pipe would wait for ever. */
static status open_file(arrays_state *state, int file)
{
    struct stat about;
    if (state->open == file) {
        return STATUS_OK;
    }
    if (state->descriptor >= 0) {
        close(state->descriptor);
    }
    const char *path = state->table.files[file];
    state->open = -1;
    state->descriptor = io_unpacked_descriptor(path);
    if (state->descriptor < 0 || fstat(state->descriptor, &about) != 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    if (!S_ISREG(about.st_mode)) {
        return base_fail(STATUS_INPUT, "'%s' is no regular file", path);
    }
    state->open = file;
    return STATUS_OK;
}

/* Adds the bytes of a row, which may lie in several extents. */
static status add_row(const io_array_table *table, const io_array_place *place,
                      int64_t at, int64_t bytes, io_stretches *all)
{
    if (!place->is_cut) {
        return io_stretches_add(all, at, bytes);
    }
    status s = STATUS_OK;
    for (int64_t n = 0; n < place->code[1] && s == STATUS_OK; n++) {
        const io_array_extent *extent = &table->extents[place->code[0] + n];
        const int64_t last = extent->from + extent->length;
        const int64_t from = at > extent->from ? at : extent->from;
        const int64_t end = at + bytes < last ? at + bytes : last;
        if (from < end) {
            s = io_stretches_add(all, extent->offset + from - extent->from, end - from);
        }
    }
    return s;
}

static status read_stored(arrays_state *state, const io_array_place *place,
                          const io_box *box, const stored_rows *rows)
{
    io_stretches all = {0};
    status s = open_file(state, place->file);
    for (int64_t row = 0; row < box->n[1] * box->n[2] && s == STATUS_OK; row++) {
        s = add_row(&state->table, place,
                    row_offset(place, box, row % box->n[1], row / box->n[1]), rows->span,
                    &all);
    }
    if (s == STATUS_OK) {
        const io_stretch_file file = {state->table.files[place->file], state->descriptor,
                                      4, false};
        s = io_stretches_read(&all, &file, rows->bytes);
    }
    io_stretches_free(&all);
    return s;
}

/* Finds the decoded values of an array; decodes them in place of the oldest ones. */
static status find_decoded(arrays_state *state, const io_array_place *place,
                           const decoded **out)
{
    decoded *oldest = &state->decoded[0];
    for (int n = 0; n < DECODED; n++) {
        decoded *one = &state->decoded[n];
        if (one->values && one->file == place->file &&
            memcmp(one->code, place->code, sizeof place->code) == 0) {
            one->used = ++state->uses;
            *out = one;
            return STATUS_OK;
        }
        oldest = one->used < oldest->used ? one : oldest;
    }
    free(oldest->values);
    *oldest = (decoded){.values = NULL};
    void *values = NULL;
    const status s = state->format->decode(state->table.files[place->file], place,
                                           &values, &oldest->bytes);
    if (s == STATUS_OK) {
        oldest->file = place->file;
        memcpy(oldest->code, place->code, sizeof oldest->code);
        oldest->values = values;
        oldest->used = ++state->uses;
    }
    *out = oldest;
    return s;
}

static status copy_decoded(arrays_state *state, const io_array_place *place,
                           const io_box *box, const stored_rows *rows)
{
    const decoded *all = NULL;
    status s = find_decoded(state, place, &all);
    for (int64_t row = 0; row < box->n[1] * box->n[2] && s == STATUS_OK; row++) {
        const int64_t at = row_offset(place, box, row % box->n[1], row / box->n[1]);
        if (at < 0 || at + rows->span > all->bytes) {
            return base_fail(STATUS_INPUT,
                             "an array of '%s' has fewer values than its "
                             "block: write the file again",
                             state->table.files[place->file]);
        }
        memcpy(rows->bytes + row * rows->span, all->values + at, (size_t)rows->span);
    }
    return s;
}

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

/* What callers want of numbers. */
typedef struct wish {
    const double *origin;       /* of a coordinate as float32; else NULL */
    const io_unpacking *unpack; /* of a field; else NULL */
    bool is_int, is_float;      /* int32, or float32; else double */
    int hidden;                 /* of iblank: as that of its place */
} wish;

static size_t size_of(const wish *want)
{
    return want->origin || want->is_int || want->is_float ? sizeof(float)
                                                          : sizeof(double);
}

/* Whether float32 stays what it is, but for missing and packed values. */
static bool stays_single(const io_array_place *place, const wish *want)
{
    return place->file >= 0 && place->type == IO_FLOAT32 && place->scale == 0.0 &&
           want->is_float;
}

/* Gives such a row. `from` may be `out`. */
static void give_floats(const io_array_place *place, const char *from, const wish *want,
                        int64_t count, float *out)
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
    io_unpack_floats(want->unpack, (size_t)count, out, out);
}

/* Gives a row of numbers as the caller wants them: from value `at` of `out` on. */
static void give_row(const wish *want, int64_t count, double *numbers, int64_t at,
                     void *out)
{
    for (int64_t n = 0; n < count && want->origin; n++) {
        ((float *)out)[at + n] = (float)(numbers[n] - *want->origin);
    }
    for (int64_t n = 0; n < count && want->is_int; n++) {
        const bool fits = numbers[n] > -2e9 && numbers[n] < 2e9;
        const int32_t number = fits ? (int32_t)numbers[n] : 1;
        ((int32_t *)out)[at + n] =
            want->hidden == 0 ? number : (number & want->hidden) == 0 || !fits;
    }
    if (want->unpack && want->is_float) {
        io_unpack_floats(want->unpack, (size_t)count, numbers, (float *)out + at);
    } else if (want->unpack) {
        io_unpack_doubles(want->unpack, (size_t)count, numbers, (double *)out + at);
    } else if (!want->origin && !want->is_int) {
        memcpy((double *)out + at, numbers, (size_t)count * sizeof *numbers);
    }
}

static status give_rows(const io_array_place *place, const io_box *box,
                        const stored_rows *rows, const wish *want, void *out)
{
    enum { FEW = 1 << 12 };
    const int64_t count = box->n[0], all = box->n[1] * box->n[2];
    const bool is_single = stays_single(place, want);
    status s = STATUS_OK;
#pragma omp parallel if (count * all > FEW)
    {
        const size_t bytes = (size_t)count * sizeof(double);
        double *numbers = malloc(bytes);
        if (!numbers) {
#pragma omp critical(io_arrays)
            s = base_fail_memory(bytes, "values being read");
        }
#pragma omp for
        for (int64_t row = 0; row < all; row++) {
            if (is_single) {
                give_floats(place, rows->bytes + row * rows->span, want, count,
                            (float *)out + row * count);
                continue;
            }
            if (numbers && rows->bytes) {
                io_array_numbers(place, rows->bytes + row * rows->span, count, numbers);
            } else if (numbers) {
                fill_row(place, box, row, numbers);
            }
            if (numbers) {
                give_row(want, count, numbers, row * count, out);
            }
        }
        free(numbers);
    }
    return s;
}

/* ---- Reading ----------------------------------------------------------------------- */

static status read_place(io_source *source, const io_array_place *place,
                         const io_box *box, const wish *want, void *out)
{
    arrays_state *state = source->state;
    stored_rows rows = {.bytes = NULL};
    bool is_in_place = false; /* numbers of the size that is wanted */
    status s = STATUS_OK;
    if (place->file >= 0) {
        const int64_t size = (int64_t)io_number_size(place->type);
        rows.span = (box->n[0] - 1) * place->stride[0] + size;
        const size_t bytes = (size_t)(rows.span * box->n[1] * box->n[2]);
        is_in_place = place->stride[0] == size && size_of(want) == (size_t)size;
        rows.bytes = is_in_place ? out : malloc(bytes);
        s = !rows.bytes       ? base_fail_memory(bytes, "values being read")
            : place->is_coded ? copy_decoded(state, place, box, &rows)
                              : read_stored(state, place, box, &rows);
    }
    if (s == STATUS_OK) {
        s = give_rows(place, box, &rows, want, out);
    }
    if (!is_in_place) {
        free(rows.bytes);
    }
    return s;
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

status io_arrays_read(io_source *source, int step, int block, int array,
                      const io_box *box, void *out)
{
    const arrays_state *state = source->state;
    const io_catalog *catalog = &source->catalog;
    if (box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0) {
        return STATUS_OK;
    }
    if (array >= 0 && !io_source_has_field(source, step, array)) {
        return base_fail(STATUS_INPUT, "step %" PRId64 " of '%s' has no field '%s'",
                         catalog->steps[step].number, source->path,
                         catalog->fields[array].name);
    }
    const io_array_place place = io_array_table_find(
        &state->table, catalog, step, io_catalog_member(catalog, block), array);
    wish want = {.origin = array < IO_ARRAY_IBLANK ? source->origin : NULL,
                 .hidden = place.hidden,
                 .is_int = array == IO_ARRAY_IBLANK,
                 .is_float = array >= 0 && !source->wants_doubles};
    io_unpacking unpacking;
    if (array >= 0) {
        unpacking = find_unpacking(&catalog->unpackings[array], &place,
                                   stays_single(&place, &want));
        want.unpack = &unpacking;
    }
    return read_place(source, &place, box, &want, out);
}

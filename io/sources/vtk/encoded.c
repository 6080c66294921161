#include "encoded.h"
#include "io/gzip/unpacked.h"

#include "io/sources/arrays/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef KARMAN_HAS_LZ4
#include <lz4.h>
#endif
#ifdef KARMAN_HAS_LZMA
#include <lzma.h>
#endif

enum { FORM_BITS = 8 };

void vtk_encoded_put(const vtk_encoded *array, io_array_place *place)
{
    place->is_coded = true;
    place->code[0] = array->offset;
    place->code[1] = array->length;
    place->code[2] = array->size << FORM_BITS | array->form;
}

static vtk_encoded encoded_of(const io_array_place *place)
{
    return (vtk_encoded){place->code[0], place->code[1], place->code[2] >> FORM_BITS,
                         (int)(place->code[2] & ((1 << FORM_BITS) - 1))};
}

bool vtk_encoded_is(const io_array_place *place)
{
    return (encoded_of(place).form & VTK_XML) != 0;
}

int64_t vtk_encoded_header(const vtk_encoded *array)
{
    return array->form & VTK_WIDE ? 8 : 4;
}

/* ---- Bytes ------------------------------------------------------------------------- */

/* An array that is being read. */
typedef struct reader {
    FILE *stream;
    const char *path;
    vtk_encoded array;
    int64_t left;           /* bytes of the file */
    unsigned char group[3]; /* decoded from base64; the last `have` are still to come */
    int count, have;
} reader;

static status begin(FILE *stream, const char *path, const vtk_encoded *array, reader *out)
{
    *out =
        (reader){.stream = stream, .path = path, .array = *array, .left = array->length};
    if (fseek(stream, (long)array->offset, SEEK_SET) != 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", path,
                         strerror(errno));
    }
    return STATUS_OK;
}

static status fail(const reader *r, const char *what)
{
    if (ferror(r->stream)) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", r->path,
                         strerror(errno));
    }
    return base_fail(STATUS_INPUT,
                     "VTK file '%s' %s: write it again, or convert it with ParaView",
                     r->path, what);
}

/* The value of a letter of base64; -1: it is none. */
static int letter_value(int c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Decodes four letters; false: there are none. */
static bool read_group(reader *r)
{
    unsigned bits = 0;
    int letters = 0, padding = 0;
    while (letters < 4 && r->left > 0) {
        const int c = getc_unlocked(r->stream), value = letter_value(c);
        r->left--;
        if (c == EOF || (value < 0 && c != '=' && !isspace(c))) {
            return false;
        }
        if (!isspace(c)) {
            padding += c == '=';
            bits = bits << 6 | (unsigned)(value < 0 ? 0 : value);
            letters++;
        }
    }
    r->group[0] = (unsigned char)(bits >> 16);
    r->group[1] = (unsigned char)(bits >> 8);
    r->group[2] = (unsigned char)bits;
    r->count = r->have = padding < 3 ? 3 - padding : 0;
    return letters == 4 && r->have > 0;
}

/* Reads decoded bytes; false: there are fewer. */
static bool read_bytes(reader *r, void *out, int64_t count)
{
    unsigned char *to = out;
    if (!(r->array.form & VTK_BASE64)) {
        r->left -= count;
        return r->left >= 0 && fread(out, 1, (size_t)count, r->stream) == (size_t)count;
    }
    for (int64_t n = 0; n < count; n++) {
        if (r->have == 0 && !read_group(r)) {
            return false;
        }
        to[n] = r->group[r->count - r->have--];
    }
    return true;
}

/* The most bytes that what is left can give. */
static int64_t bytes_left(const reader *r)
{
    return r->array.form & VTK_BASE64 ? r->left / 4 * 3 + r->have : r->left;
}

/* Reads a number of a header; false: there is none, or it is out of all bounds. */
static bool read_number(reader *r, int64_t *out)
{
    const int64_t size = vtk_encoded_header(&r->array);
    unsigned char bytes[8];
    uint64_t value = 0;
    if (!read_bytes(r, bytes, size)) {
        return false;
    }
    for (int64_t n = 0; n < size; n++) {
        value = value << 8 | bytes[r->array.form & VTK_BIG ? n : size - 1 - n];
    }
    *out = (int64_t)value;
    return value < (uint64_t)1 << 62;
}

/* ---- Headers ----------------------------------------------------------------------- */

/* Blocks of a compressed array. */
typedef struct blocks {
    int64_t count, size, last; /* bytes of each decoded block, and of the last one */
    int64_t *stored;           /* [count]: bytes */
} blocks;

/* Reads the sizes of compressed blocks. The header has base64 of its own. */
static status read_stored(reader *r, blocks *out)
{
    const size_t bytes = (size_t)out->count * sizeof *out->stored + 1;
    int64_t sum = 0;
    out->stored = malloc(bytes);
    if (!out->stored) {
        return base_fail_memory(bytes, "an array that is compressed");
    }
    for (int64_t n = 0; n < out->count; n++) {
        if (!read_number(r, &out->stored[n]) || out->stored[n] > bytes_left(r) - sum) {
            return fail(r, "ends inside a compressed array");
        }
        sum += out->stored[n];
    }
    r->have = 0;
    return sum <= bytes_left(r) ? STATUS_OK : fail(r, "ends inside a compressed array");
}

/* Free out->stored after success or failure. */
static status read_blocks(reader *r, blocks *out)
{
    const int64_t size = r->array.size;
    if (!read_number(r, &out->count) || !read_number(r, &out->size) ||
        !read_number(r, &out->last)) {
        return fail(r, "ends inside a compressed array");
    }
    out->last = out->last == 0 ? out->size : out->last;
    if (out->count < 1 || out->size < 1 || out->last > out->size ||
        out->count - 1 != (size - out->last) / out->size ||
        (out->count - 1) * out->size + out->last != size) {
        return fail(r, "has a compressed array of another size than its block");
    }
    if (out->count > bytes_left(r) / vtk_encoded_header(&r->array)) {
        return fail(r, "ends inside a compressed array");
    }
    return read_stored(r, out);
}

/* Reads the number of bytes before an array that is not compressed. */
static status read_size(reader *r)
{
    int64_t size;
    if (!read_number(r, &size)) {
        return fail(r, "ends inside an array");
    }
    if (size != r->array.size) {
        return fail(r, "has an array of another size than its block");
    }
    return size <= bytes_left(r) ? STATUS_OK : fail(r, "ends inside an array");
}

status vtk_encoded_check(FILE *stream, const char *path, const vtk_encoded *array)
{
    enum { OF_ZLIB = 1100, OF_LZ4 = 256, OF_LZMA = 20000 }; /* rounded up */
    reader r;
    blocks all = {.stored = NULL};
    status s = begin(stream, path, array, &r);
    const int64_t ratio = !(array->form & VTK_PACKED) ? 8
                          : array->form & VTK_LZ4     ? OF_LZ4
                          : array->form & VTK_LZMA    ? OF_LZMA
                                                      : OF_ZLIB;
    if (s == STATUS_OK && array->size / ratio > array->length) {
        s = fail(&r, "ends inside an array");
    }
    if (s == STATUS_OK && !(array->form & VTK_TEXT)) {
        s = array->form & VTK_PACKED ? read_blocks(&r, &all) : read_size(&r);
    }
    free(all.stored);
    return s;
}

/* ---- Values ------------------------------------------------------------------------ */

/* A block that is compressed. */
typedef struct packed {
    const unsigned char *bytes;
    size_t stored, size; /* bytes of it, and of its values */
} packed;

static bool unpack_lz4(const packed *block, unsigned char *out)
{
#ifdef KARMAN_HAS_LZ4
    return block->stored < INT_MAX && block->size < INT_MAX &&
           LZ4_decompress_safe((const char *)block->bytes, (char *)out,
                               (int)block->stored, (int)block->size) == (int)block->size;
#else
    (void)block, (void)out;
    return false;
#endif
}

static bool unpack_lzma(const packed *block, unsigned char *out)
{
#ifdef KARMAN_HAS_LZMA
    uint64_t memory = UINT64_C(1) << 28;
    size_t taken = 0, given = 0;
    return lzma_stream_buffer_decode(&memory, 0, NULL, block->bytes, &taken,
                                     block->stored, out, &given,
                                     block->size) == LZMA_OK &&
           given == block->size;
#else
    (void)block, (void)out;
    return false;
#endif
}

static bool unpack_zlib(const packed *block, unsigned char *out)
{
    uLongf given = (uLongf)block->size;
    return uncompress(out, &given, block->bytes, (uLong)block->stored) == Z_OK &&
           given == block->size;
}

static bool unpack(int form, const packed *block, unsigned char *out)
{
    return form & VTK_LZ4    ? unpack_lz4(block, out)
           : form & VTK_LZMA ? unpack_lzma(block, out)
                             : unpack_zlib(block, out);
}

static status inflate_block(reader *r, int64_t stored, char *out, int64_t size)
{
    unsigned char *bytes = malloc((size_t)stored + 1);
    status s = bytes ? STATUS_OK : base_fail_memory((size_t)stored, "compressed values");
    if (s == STATUS_OK &&
        (!read_bytes(r, bytes, stored) ||
         !unpack(r->array.form, &(packed){bytes, (size_t)stored, (size_t)size},
                 (unsigned char *)out))) {
        s = fail(r, "has a compressed array that is damaged");
    }
    free(bytes);
    return s;
}

static status inflate_all(reader *r, char *out)
{
    blocks all = {.stored = NULL};
    status s = read_blocks(r, &all);
    for (int64_t n = 0; n < all.count && s == STATUS_OK; n++) {
        s = inflate_block(r, all.stored[n], out + n * all.size,
                          n + 1 < all.count ? all.size : all.last);
    }
    free(all.stored);
    return s;
}

/* Numbers in text come as doubles; as floats, if that is their type. */
static status read_text(reader *r, const io_array_place *place, double *out)
{
    const bool is_single = place->type == IO_FLOAT32;
    const int64_t count = r->array.size / (int64_t)io_number_size(place->type);
    const status s = io_array_text_read(r->stream, r->path, count, out);
    for (int64_t n = 0; n < count && s == STATUS_OK && is_single; n++) {
        const float single = (float)out[n];
        memcpy((char *)out + n * (int64_t)sizeof single, &single, sizeof single);
    }
    return s;
}

static status read_values(reader *r, const io_array_place *place, void *out)
{
    const int form = r->array.form;
    status s = form & VTK_TEXT     ? read_text(r, place, out)
               : form & VTK_PACKED ? inflate_all(r, out)
                                   : read_size(r);
    if (s == STATUS_OK && !(form & (VTK_TEXT | VTK_PACKED)) &&
        !read_bytes(r, out, r->array.size)) {
        s = fail(r, "ends inside an array");
    }
    return s;
}

status vtk_encoded_decode(const char *path, const io_array_place *place, void **values,
                          int64_t *bytes)
{
    const vtk_encoded array = encoded_of(place);
    /* Floats in text are doubles first. */
    const size_t size = (size_t)array.size * (array.form & VTK_TEXT ? 2 : 1) + 1;
    FILE *stream = io_unpacked_stream(path);
    void *out = malloc(size);
    reader r;
    status s = !stream ? base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                                   strerror(errno))
               : !out  ? base_fail_memory(size, "an array")
                       : begin(stream, path, &array, &r);
    s = s == STATUS_OK ? read_values(&r, place, out) : s;
    if (stream) {
        fclose(stream);
    }
    if (s != STATUS_OK) {
        free(out);
        out = NULL;
    }
    *values = out;
    *bytes = array.size;
    return s;
}

/* ---- Comparison -------------------------------------------------------------------- */

static status compare_decoded(const vtk_array_copy *a, const vtk_array_copy *b,
                              bool *is_same)
{
    void *first = NULL, *second = NULL;
    int64_t bytes = 0, other = 0;
    status s = vtk_encoded_decode(a->path, a->place, &first, &bytes);
    s = s == STATUS_OK ? vtk_encoded_decode(b->path, b->place, &second, &other) : s;
    *is_same =
        s == STATUS_OK && bytes == other && memcmp(first, second, (size_t)bytes) == 0;
    free(first);
    free(second);
    return s;
}

static bool read_window(FILE *stream, int64_t at, size_t size, char *out)
{
    return fseek(stream, (long)at, SEEK_SET) == 0 && fread(out, 1, size, stream) == size;
}

static status compare_plain(const vtk_array_copy *a, const vtk_array_copy *b,
                            int64_t bytes, bool *is_same)
{
    enum { WINDOW = 4096, WINDOWS = 64 };
    char first[WINDOW], second[WINDOW];
    FILE *one = io_unpacked_stream(a->path), *other = io_unpacked_stream(b->path);
    const size_t size = bytes < WINDOW ? (size_t)bytes : WINDOW;
    bool is_read = one && other;
    *is_same = true;
    for (int n = 0; n < WINDOWS && is_read && *is_same; n++) {
        const int64_t at = (bytes - (int64_t)size) / (WINDOWS - 1) * n;
        is_read = read_window(one, a->place->offset + at, size, first) &&
                  read_window(other, b->place->offset + at, size, second);
        *is_same = is_read && memcmp(first, second, size) == 0;
    }
    if (one) {
        fclose(one);
    }
    if (other) {
        fclose(other);
    }
    return is_read ? STATUS_OK
                   : base_fail(STATUS_INPUT, "file '%s' or '%s' cannot be read", a->path,
                               b->path);
}

status vtk_arrays_compare(const vtk_array_copy *a, const vtk_array_copy *b,
                          const int64_t n[3], bool *is_same)
{
    const io_array_place *first = a->place, *second = b->place;
    int64_t bytes = (int64_t)io_number_size(first->type);
    for (int axis = 0; axis < 3; axis++) {
        bytes += (n[axis] - 1) * first->stride[axis];
    }
    *is_same = false;
    if (first->type != second->type || first->swaps != second->swaps ||
        first->is_coded != second->is_coded ||
        memcmp(first->stride, second->stride, sizeof first->stride) != 0) {
        return STATUS_OK;
    }
    return first->is_coded ? compare_decoded(a, b, is_same)
                           : compare_plain(a, b, bytes, is_same);
}

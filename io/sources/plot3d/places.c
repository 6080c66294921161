#include "places.h"

#include "base/array.h"
#include "io/gzip/unpacked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The code of an array in text: the chunk in which it begins, the numbers before that
 * chunk, its first number, and how many it has. */
enum { CHUNK, PASSED, FIRST, COUNT };

/* An array: the n-th of a block; IBLANK: iblank, which comes last. */
enum { IBLANK = -1 };

/* What a two-dimensional file lacks: z, and the momentum along it, the fourth field. */
enum { MOMENTUM_Z = 3 };

/* Adds the extents of an array that a long record cuts: those with its bytes. */
static status add_extents(const plot3d_payload *payload, int64_t bytes,
                          io_array_table *table, io_array_place *place)
{
    const plot3d_extent *first = plot3d_payload_find(payload, place->offset);
    const plot3d_extent *last = plot3d_payload_find(payload, place->offset + bytes - 1);
    const int64_t count = first && last ? last - first + 1 : 0;
    const size_t size = (size_t)(table->nextents + count + 1) * sizeof *table->extents;
    io_array_extent *all = realloc(table->extents, size);
    if (!all) {
        return base_fail_memory(size, "the records of a file");
    }
    for (int64_t n = 0; n < count; n++) {
        all[table->nextents + n] =
            (io_array_extent){first[n].payload, first[n].offset, first[n].length};
    }
    place->is_cut = true;
    place->code[0] = table->nextents;
    place->code[1] = count;
    table->extents = all;
    table->nextents += count;
    return STATUS_OK;
}

static io_number type_of(const plot3d_header *header, bool is_int)
{
    return header->records == PLOT3D_TEXT ? IO_FLOAT64
           : is_int                       ? IO_INT32
           : header->real_size == 4       ? IO_FLOAT32
                                          : IO_FLOAT64;
}

/* Sets a place: that of array `value` of a block in a file. */
static status set_place(const plot3d_header *header, int block, int64_t value,
                        io_array_table *table, io_array_place *out)
{
    const plot3d_block *b = &header->blocks[block];
    const int64_t count = b->n[0] * b->n[1] * b->n[2];
    const int64_t start =
        b->start + (value == IBLANK ? b->values : value) * count * header->real_size;
    const plot3d_payload payload = {.nextents = header->nextents,
                                    .extents = header->extents};
    const plot3d_extent *extent = plot3d_payload_find(&payload, start);
    const io_number type = type_of(header, value == IBLANK);
    const int64_t bytes = count * (int64_t)io_number_size(type);
    const int32_t file = out->file;
    *out = io_array_place_make(type, false, 0, b->n, 1, 0);
    out->file = file;
    if (!extent) {
        return base_fail(STATUS_INTERNAL, "a PLOT3D array has no place in its file");
    }
    if (header->records == PLOT3D_TEXT) {
        out->is_coded = true;
        out->code[CHUNK] = extent->offset;
        out->code[PASSED] = extent->payload;
        out->code[FIRST] = start;
        out->code[COUNT] = count;
        return STATUS_OK;
    }
    out->swaps = io_arrays_swap(header->is_big);
    out->offset = extent->offset + start - extent->payload;
    if (start + bytes > extent->payload + extent->length) {
        out->offset = start;
        return add_extents(&payload, bytes, table, out);
    }
    return STATUS_OK;
}

status plot3d_places_set_grid(const plot3d_header *grid, const io_catalog *catalog,
                              io_array_table *table)
{
    status s = STATUS_OK;
    for (int64_t n = 0; n < 4 * (int64_t)grid->nblocks && s == STATUS_OK; n++) {
        const int block = (int)(n / 4), array = IO_ARRAY_X + (int)(n % 4);
        io_array_place *place = io_array_table_at(table, catalog, 0, block, array);
        if (array == IO_ARRAY_Z && grid->is_flat) {
            place->file = IO_ARRAY_RAMP;
        } else if (array != IO_ARRAY_IBLANK || grid->has_iblank) {
            place->file = 0;
            s = set_place(grid, block,
                          array == IO_ARRAY_IBLANK ? IBLANK : array - IO_ARRAY_X, table,
                          place);
        }
    }
    return s;
}

status plot3d_places_set_fields(const plot3d_series *series, int first, int step,
                                const io_catalog *catalog, io_array_table *table)
{
    plot3d_member *member = plot3d_series_at(series, catalog->steps[step].number);
    status s = member && member->file == 0
                   ? io_array_table_add_file(table, member->path, &member->file)
                   : STATUS_OK;
    const plot3d_header *header = member ? &member->header : NULL;
    const bool is_flat = header && header->kind == PLOT3D_Q && header->is_flat;
    const int64_t fields = header ? header->values + is_flat : 0;
    for (int64_t n = 0; n < fields * catalog->nblocks && s == STATUS_OK; n++) {
        const int block = (int)(n / fields), field = (int)(n % fields);
        io_array_place *place =
            io_array_table_at(table, catalog, step, block, first + field);
        place->file = is_flat && field == MOMENTUM_Z ? IO_ARRAY_RAMP : member->file;
        if (place->file != IO_ARRAY_RAMP) {
            s = set_place(header, block, field - (is_flat && field > MOMENTUM_Z), table,
                          place);
        }
    }
    return s;
}

/* ---- Text -------------------------------------------------------------------------- */

static status read_numbers(const char *path, int descriptor, const io_array_place *place,
                           double *out)
{
    plot3d_text text = {0};
    const int64_t size = lseek(descriptor, 0, SEEK_END);
    status s = plot3d_text_open(path, descriptor, size, &text);
    if (s == STATUS_OK) {
        s = plot3d_text_start(&text, place->code[CHUNK], place->code[PASSED]);
    }
    if (s == STATUS_OK) {
        s = plot3d_text_read(&text, place->code[FIRST], place->code[COUNT], out);
    }
    plot3d_text_close(&text);
    return s;
}

status plot3d_places_decode(const char *path, const io_array_place *place, void **values,
                            int64_t *bytes)
{
    const int descriptor = io_unpacked_descriptor(path);
    *bytes = place->code[COUNT] * (int64_t)sizeof(double);
    *values = descriptor >= 0 ? malloc((size_t)*bytes) : NULL;
    if (descriptor < 0) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    status s = *values ? read_numbers(path, descriptor, place, *values)
                       : base_fail_memory((size_t)*bytes, "an array in text");
    close(descriptor);
    if (s != STATUS_OK) {
        free(*values);
        *values = NULL;
    }
    return s;
}

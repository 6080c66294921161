#include "payload.h"

#include "base/array.h"
#include "bytes.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static status add_extent(plot3d_payload *payload, int64_t offset, int64_t length,
                         int64_t record)
{
    const plot3d_extent added = {payload->total, offset, length, record};
    payload->total += length;
    return base_array_add(payload->extents, payload->nextents, added,
                          "the records of a file");
}

status plot3d_payload_open(plot3d_records records, int descriptor, int64_t size,
                           plot3d_text *text, plot3d_payload *out)
{
    *out = (plot3d_payload){
        .records = records, .descriptor = descriptor, .size = size, .text = text};
    if (records == PLOT3D_TEXT) {
        out->total = text->before ? text->before[text->nchunks] : -1;
    }
    out->is_whole = records != PLOT3D_FORTRAN;
    return records == PLOT3D_PLAIN ? add_extent(out, 0, size, 0) : STATUS_OK;
}

void plot3d_payload_close(plot3d_payload *payload)
{
    free(payload->extents);
    payload->extents = NULL;
    payload->nextents = 0;
}

/* ---- Fortran's records ------------------------------------------------------------- */

/* Reads a mark; false if the file ends before. */
static bool read_mark(const plot3d_payload *payload, int64_t at, int64_t *out)
{
    unsigned char bytes[8];
    if (at + payload->mark > payload->size ||
        plot3d_bytes_read(payload->descriptor, bytes, (size_t)payload->mark, at) !=
            payload->mark) {
        return false;
    }
    *out = plot3d_bytes_int(bytes, payload->mark, payload->is_big);
    return true;
}

/* Reads the marks around an extent. *length is below 0 if the next extent belongs to the
 * same record. The closing mark is below 0 if the one before does. */
static bool read_marks(const plot3d_payload *payload, int64_t at, int64_t *length)
{
    int64_t opening, closing;
    if (!read_mark(payload, at, &opening) || opening == INT64_MIN) {
        return false;
    }
    const int64_t bytes = opening < 0 ? -opening : opening;
    const int64_t left = payload->size - at - 2 * payload->mark;
    if (bytes > left || !read_mark(payload, at + payload->mark + bytes, &closing)) {
        return false;
    }
    *length = opening;
    return closing == bytes || closing == -bytes;
}

int64_t plot3d_payload_records(const plot3d_payload *payload)
{
    return payload->nextents > 0 ? payload->extents[payload->nextents - 1].record + 1 : 0;
}

status plot3d_payload_walk(plot3d_payload *payload, int64_t most, int64_t most_extents)
{
    status s = STATUS_OK;
    int64_t at = 0, record = 0;
    if (payload->nextents > 0) {
        const plot3d_extent *last = &payload->extents[payload->nextents - 1];
        at = last->offset + last->length + payload->mark;
        record = last->record + (payload->is_continued ? 0 : 1);
    }
    while (s == STATUS_OK && !payload->is_whole && !payload->is_broken && record < most &&
           payload->nextents < most_extents) {
        int64_t length = 0;
        if (!read_marks(payload, at, &length)) {
            payload->is_broken = true;
            break;
        }
        const int64_t bytes = length < 0 ? -length : length;
        s = add_extent(payload, at + payload->mark, bytes, record);
        at += bytes + 2 * payload->mark;
        payload->is_continued = length < 0;
        record += length < 0 ? 0 : 1;
        payload->is_whole = at == payload->size;
    }
    return s;
}

/* ---- Places ------------------------------------------------------------------------ */

const plot3d_extent *plot3d_payload_find(const plot3d_payload *payload, int64_t at)
{
    int64_t lo = 0, hi = payload->nextents;
    while (hi - lo > 1) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (payload->extents[middle].payload <= at) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    const plot3d_extent *extent = payload->nextents > 0 ? &payload->extents[lo] : NULL;
    return extent && at >= extent->payload && at - extent->payload < extent->length
               ? extent
               : NULL;
}

int64_t plot3d_payload_length(const plot3d_payload *payload, int64_t record)
{
    int64_t length = 0;
    for (int64_t n = 0; n < payload->nextents && payload->extents[n].record <= record;
         n++) {
        length += payload->extents[n].record == record ? payload->extents[n].length : 0;
    }
    return length;
}

int64_t plot3d_payload_int_size(const plot3d_payload *payload)
{
    return payload->records == PLOT3D_TEXT ? 1 : 4;
}

/* Reads bytes of the payload; false if it is shorter. */
static bool read_bytes(const plot3d_payload *payload, int64_t at, int64_t count,
                       unsigned char *out)
{
    while (count > 0) {
        const plot3d_extent *extent = plot3d_payload_find(payload, at);
        if (!extent) {
            return false;
        }
        const int64_t inside = at - extent->payload;
        const int64_t left = extent->length - inside;
        const int64_t part = count < left ? count : left;
        const ssize_t got = plot3d_bytes_read(payload->descriptor, out, (size_t)part,
                                              extent->offset + inside);
        if (got <= 0) {
            return false;
        }
        out += got;
        at += got;
        count -= got;
    }
    return true;
}

static bool read_int(const plot3d_payload *payload, int64_t at, int64_t *out)
{
    unsigned char bytes[4];
    double value = 0.0;
    if (payload->records != PLOT3D_TEXT) {
        const bool is_read = read_bytes(payload, at, 4, bytes);
        *out = is_read ? plot3d_bytes_int(bytes, 4, payload->is_big) : 0;
        return is_read;
    }
    if (plot3d_text_read(payload->text, at, 1, &value) != STATUS_OK) {
        base_fail_set_message("");
        return false;
    }
    const bool is_whole = fabs(value) <= 2147483647.0 && value == floor(value);
    *out = is_whole ? (int64_t)value : 0;
    return is_whole;
}

bool plot3d_payload_ints(const plot3d_payload *payload, int64_t at, int64_t count,
                         int64_t *out)
{
    const int64_t size = plot3d_payload_int_size(payload);
    for (int64_t n = 0; n < count; n++) {
        if (!read_int(payload, at + n * size, &out[n])) {
            return false;
        }
    }
    return true;
}

bool plot3d_payload_reals(const plot3d_payload *payload, int64_t at, int64_t count,
                          int size, double *out)
{
    if (payload->records == PLOT3D_TEXT) {
        const bool is_read = plot3d_text_read(payload->text, at, count, out) == STATUS_OK;
        if (!is_read) {
            base_fail_set_message("");
        }
        return is_read;
    }
    for (int64_t n = 0; n < count; n++) {
        unsigned char bytes[8];
        if (!read_bytes(payload, at + n * size, size, bytes)) {
            return false;
        }
        out[n] = plot3d_bytes_real(bytes, size, payload->is_big);
    }
    return true;
}

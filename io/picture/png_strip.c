/*
 * Deflation of strips.
 *
 * zlib's Z_RLE finds runs of one byte and leaves the rest to Huffman codes. On filtered
 * volume renderings it takes about the time of level 1 for four fifths of its size (level
 * 6: a tenth smaller, in five times the time). As no match reaches far back, beginning a
 * new strip loses nothing.
 *
 * Two faster libraries were measured and rejected. With libdeflate a strip can only be
 * the end of a stream; finding and changing the header of its last block costs the time
 * that it saves. ISA-L's bytes depend on the processor, and it supports few kinds of
 * processors.
 */
#include "png_strip.h"

#include "png_filter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    STRIP_BYTES = 1 << 17, /* bytes of a strip, or one row: about a millisecond's work */
    RGB_BYTES = 3,    /* of the pixels that STRIP_BYTES are of; deeper ones take more */
    FLUSH_BYTES = 32, /* added by a flush; generous */
    /* Half of zlib's default: runs need no window, and the data of one call fits the
     * cache. Files grow by 0.3 %. Negative: without zlib's head and tail. */
    RAW_WINDOW = -14,
    MEMORY_LEVEL = 7
};

int64_t io_png_strip_rows(int width)
{
    const int64_t rows = STRIP_BYTES / io_png_filter_bytes(width, RGB_BYTES);
    return rows > 1 ? rows : 1;
}

int64_t io_png_strip_count(int width, int height)
{
    const int64_t rows = io_png_strip_rows(width);
    return (height + rows - 1) / rows;
}

io_png_range io_png_strip_band(int width, int height, int number, int count)
{
    const int64_t strips = io_png_strip_count(width, height);
    int64_t row[2];
    for (int n = 0; n < 2; n++) {
        row[n] = strips * (number + n) / count * io_png_strip_rows(width);
        row[n] = row[n] < height ? row[n] : height;
    }
    return (io_png_range){row[0] * width, (row[1] - row[0]) * width};
}

void io_png_strips_clear(io_png_strips *strips)
{
    free(strips->items);
    free(strips->data);
    *strips = (io_png_strips){0};
}

/* ---- One strip --------------------------------------------------------------------- */

/* State of a thread. */
typedef struct worker {
    int width, height, pixel_bytes;
    z_stream stream;
    uint8_t *lines[2]; /* filtered rows */
} worker;

static status worker_open(worker *w, int width, int height, int pixel_bytes)
{
    const size_t line = (size_t)io_png_filter_bytes(width, pixel_bytes);
    *w = (worker){.width = width,
                  .height = height,
                  .pixel_bytes = pixel_bytes,
                  .lines = {malloc(2 * line)}};
    if (!w->lines[0]) {
        return base_fail_memory(2 * line, "rows of a picture");
    }
    w->lines[1] = w->lines[0] + line;
    if (deflateInit2(&w->stream, Z_BEST_SPEED, Z_DEFLATED, RAW_WINDOW, MEMORY_LEVEL,
                     Z_RLE) != Z_OK) {
        free(w->lines[0]);
        w->lines[0] = NULL;
        return base_fail_memory(1 << 18, "compressing a picture");
    }
    return STATUS_OK;
}

static void worker_close(worker *w)
{
    if (w->lines[0]) {
        deflateEnd(&w->stream);
        free(w->lines[0]);
    }
}

static int64_t count_rows(int width, int height, int64_t number)
{
    const int64_t rows = io_png_strip_rows(width);
    const int64_t left = height - number * rows;
    return left < rows ? left : rows;
}

/* Upper limit of a strip's deflated bytes. */
static int64_t most_bytes(int width, int height, const io_png_rows *from)
{
    const int64_t raw = count_rows(width, height, from->number) *
                        io_png_filter_bytes(width, io_png_pixel_bytes(from->format));
    return raw + raw / 8 + raw / 64 + FLUSH_BYTES; /* zlib's bound for any window */
}

/* Appends a filtered row to the strip. */
static bool append(worker *w, io_png_strip *strip, const uint8_t *line, bool is_last)
{
    const uInt bytes = (uInt)io_png_filter_bytes(w->width, w->pixel_bytes);
    w->stream.next_in = (z_const Bytef *)line;
    w->stream.avail_in = bytes;
    strip->adler32 = (int64_t)adler32((uLong)strip->adler32, line, bytes);
    return deflate(&w->stream, is_last ? Z_SYNC_FLUSH : Z_NO_FLUSH) == Z_OK &&
           w->stream.avail_in == 0 && w->stream.avail_out > 0;
}

/* Deflates a strip to its place in `data`. */
static status deflate_strip(worker *w, const io_png_rows *from, io_png_strip *strip,
                            uint8_t *data)
{
    const int64_t rows = count_rows(w->width, w->height, from->number);
    const int64_t pitch = (int64_t)w->pixel_bytes * w->width;
    bool good = true;
    w->stream.next_out = data + strip->offset;
    w->stream.avail_out = (uInt)most_bytes(w->width, w->height, from);
    strip->adler32 = (int64_t)adler32(0, NULL, 0);
    for (int64_t y = 0; good && y < rows; y++) {
        const uint8_t *row = from->pixels + y * pitch;
        const uint8_t *above = y > 0 || from->number > 0 ? row - pitch : NULL;
        good = append(w, strip,
                      io_png_filter_row(w->width, w->pixel_bytes, row, above, w->lines),
                      y == rows - 1);
    }
    strip->bytes = (int64_t)w->stream.total_out;
    good = deflateReset(&w->stream) == Z_OK && good;
    return good ? STATUS_OK
                : base_fail(STATUS_INTERNAL, "zlib could not compress a picture");
}

/* ---- All of them ------------------------------------------------------------------- */

/* Numbers the strips and gives each its largest size; returns the total. */
static int64_t lay_out(int width, int height, const io_png_rows *rows,
                       const io_png_strips *strips)
{
    int64_t offset = 0;
    for (int64_t n = 0; n < strips->count; n++) {
        strips->items[n] = (io_png_strip){.number = rows[n].number, .offset = offset};
        offset += most_bytes(width, height, &rows[n]);
    }
    return offset;
}

static status deflate_all(int width, int height, const io_png_rows *rows, int threads,
                          const io_png_strips *strips)
{
    status s = STATUS_OK;
#pragma omp parallel num_threads(threads) if (threads > 1 && strips->count > 1)
    {
        worker w;
        status mine = worker_open(&w, width, height, io_png_pixel_bytes(rows[0].format));
#pragma omp for schedule(dynamic)
        for (int64_t n = 0; n < strips->count; n++) {
            if (mine == STATUS_OK) {
                mine = deflate_strip(&w, &rows[n], &strips->items[n], strips->data);
            }
        }
        worker_close(&w);
#pragma omp critical(io_png_strips)
        s = s == STATUS_OK ? mine : s;
    }
    return s;
}

/* Moves strips together and frees the rest. */
static void close_gaps(io_png_strips *strips)
{
    strips->bytes = 0;
    for (int64_t n = 0; n < strips->count; n++) {
        io_png_strip *strip = &strips->items[n];
        memmove(strips->data + strips->bytes, strips->data + strip->offset,
                (size_t)strip->bytes);
        strip->offset = strips->bytes;
        strips->bytes += strip->bytes;
    }
    uint8_t *fitting = realloc(strips->data, (size_t)strips->bytes);
    strips->data = fitting ? fitting : strips->data;
}

/* Deflates the strips; their items are allocated already. */
static status fill(int width, int height, const io_png_rows *rows, int threads,
                   io_png_strips *strips)
{
    strips->bytes = lay_out(width, height, rows, strips);
    strips->data = malloc((size_t)strips->bytes);
    if (!strips->data) {
        return base_fail_memory((size_t)strips->bytes, "a compressed picture");
    }
    status s = deflate_all(width, height, rows, threads, strips);
    if (s == STATUS_OK) {
        close_gaps(strips);
    }
    return s;
}

status io_png_strips_deflate(int width, int height, int64_t count,
                             const io_png_rows *rows, int threads, io_png_strips *strips)
{
    *strips = (io_png_strips){.count = count};
    if (count == 0) {
        return STATUS_OK;
    }
    strips->items = malloc((size_t)count * sizeof *strips->items);
    status s = strips->items ? fill(width, height, rows, threads, strips)
                             : base_fail_memory((size_t)count * sizeof *strips->items,
                                                "strips of a picture");
    if (s != STATUS_OK) {
        io_png_strips_clear(strips);
    }
    return s;
}

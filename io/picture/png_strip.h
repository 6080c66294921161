/*
 * Compression of a picture in strips, by many threads and ranks at once.
 *
 * PNG requires one zlib stream over all rows. A deflate stream may be cut at any flush
 * (RFC 1951: an empty stored block ends on a whole byte). Adler-32 sums of parts combine
 * to the sum of the whole. So strips of rows are deflated independently and written one
 * after the other; together they are the stream of the file.
 *
 * The first rows of strips depend only on the width of the picture, not on the ranks that
 * have the pixels. Hence a file's bytes do not depend on the number of ranks or threads.
 */
#ifndef IO_PICTURE_PNG_STRIP_H
#define IO_PICTURE_PNG_STRIP_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The pixels of a picture: red, green and blue, or with alpha, not premultiplied; each of
 * 8 bits, or of 16 with the higher byte first. Zero: three channels of 8 bits. */
typedef struct io_png_format {
    bool has_alpha, is_deep;
} io_png_format;

static inline int io_png_pixel_bytes(io_png_format format)
{
    return (format.has_alpha ? 4 : 3) * (format.is_deep ? 2 : 1);
}

/* ---- Strips ------------------------------------------------------------------------ */

/* Rows of each strip of a picture of this width, except the last, which has the remaining
 * rows; number of strips of a picture. Local. */
int64_t io_png_strip_rows(int width);
int64_t io_png_strip_count(int width, int height);

/* A half-open range of pixels, row-major: [pix0, pix0 + npix). */
typedef struct io_png_range {
    int64_t pix0, npix;
} io_png_range;

/* Band `number` of `count` of a picture: whole strips, equally many in each, or one more.
 * Local. */
io_png_range io_png_strip_band(int width, int height, int number, int count);

/* One deflated strip. Only int64_t, so that MPI can send it as such. */
typedef struct io_png_strip {
    int64_t number;        /* 0 is the topmost */
    int64_t offset, bytes; /* its place in the data */
    int64_t adler32;       /* of its filtered rows */
} io_png_strip;

/* Strips of a picture, ascending; zero is an empty list. */
typedef struct io_png_strips {
    int64_t count;
    io_png_strip *items; /* [count] */
    int64_t bytes;
    uint8_t *data; /* [bytes] */
} io_png_strips;

/* Frees the contents; zero afterwards. Local. */
void io_png_strips_clear(io_png_strips *strips);

/* Pixels of a strip: [rows][width] of the format, which is the same for all strips of a
 * picture. Except for strip 0, the row above lies in memory just before them. */
typedef struct io_png_rows {
    int64_t number;
    const uint8_t *pixels;
    io_png_format format;
} io_png_rows;

/*
 * Deflates `count` strips of a picture into *strips, by up to `threads` threads.
 * Allocates as much memory as the pixels take, then returns the part that compression
 * saved. Local. Errors: STATUS_MEMORY; then *strips is zero.
 */
status io_png_strips_deflate(int width, int height, int64_t count,
                             const io_png_rows *rows, int threads, io_png_strips *strips);

/* ---- A picture that lies on many ranks --------------------------------------------- */

/* Writes pixels of this rank's ranges into bytes, [npix] of the picture's format. Several
 * threads call it at once. */
typedef void io_png_pixels(const void *context, int64_t pix0, int64_t npix,
                           uint8_t *bytes);

/* A rank's part of a picture. */
typedef struct io_png_share {
    int width, height; /* of the picture; the same on all ranks */
    int count;
    const io_png_range *ranges; /* [count], ascending */
    io_png_pixels *pixels;
    const void *context;  /* of pixels */
    io_png_format format; /* the same on all ranks */
} io_png_share;

/* A picture that ranks compress together, in two calls. Between them a rank may do other
 * work on the picture, while ranks without such work compress. */
typedef struct io_png_maker io_png_maker;

/*
 * Brings the pixels of a picture, each of which is on one rank of comm, to the ranks that
 * deflate them, by up to `threads` threads. The rank that has the first pixel of a strip
 * deflates it. It receives the other pixels and the row above from the ranks that have
 * them. A rank whose earlier work failed takes part with any share and
 * passes its status as `failed`; then all ranks return it together. The share is borrowed
 * during the call. Collective. Errors: STATUS_MEMORY, STATUS_INTERNAL (ranges overlap or
 * leave gaps), or that of `failed`, the same on all ranks; then *out is NULL.
 */
status io_png_strips_begin(MPI_Comm comm, status failed, const io_png_share *share,
                           int threads, io_png_maker **out);

/*
 * Deflates; in *strips each rank gets the strips that it deflated. `failed`: the status
 * of this rank's work since io_png_strips_begin. Frees *made. Collective. Errors:
 * STATUS_MEMORY, or that of `failed`, the same on all ranks; then *strips is zero.
 */
status io_png_strips_finish(io_png_maker **made, status failed, io_png_strips *strips);

/*
 * Gathers the strips of all ranks of comm on rank 0: there *strips becomes all of them,
 * in order; elsewhere zero. Collective. Errors: STATUS_MEMORY, the same on all ranks;
 * then *strips is zero.
 */
status io_png_strips_collect(MPI_Comm comm, io_png_strips *strips);

#endif

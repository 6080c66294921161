/*
 * A picture compressed in strips, by many threads and ranks at once.
 *
 * PNG wants one zlib stream over all rows. Within it a deflate stream may be cut wherever
 * it was flushed (RFC 1951: an empty stored block ends on a whole byte), and Adler-32
 * sums of parts combine to that of the whole. So strips of rows are deflated one by one,
 * and written one after the other they are the stream of the file.
 *
 * Strips belong to the picture, not to who has its pixels: where they begin depends on
 * the width alone. Hence a file's bytes do not depend on the number of ranks or threads.
 */
#ifndef IO_PICTURE_PNG_STRIP_H
#define IO_PICTURE_PNG_STRIP_H

#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

/* ---- Strips ------------------------------------------------------------------------ */

/* Rows of each strip of a picture so wide, but for the last one, which has what is left;
 * and how many strips a picture has. Local. */
int64_t io_png_strip_rows(int width);
int64_t io_png_strip_count(int width, int height);

/* One deflated strip. Only int64_t, so that it travels as such. */
typedef struct io_png_strip {
    int64_t number;        /* 0 is the topmost */
    int64_t offset, bytes; /* where it lies in the data */
    int64_t adler32;       /* of the filtered rows that are deflated in it */
} io_png_strip;

/* Strips of a picture, ascending; zero holds none. */
typedef struct io_png_strips {
    int64_t count;
    io_png_strip *items; /* [count] */
    int64_t bytes;
    uint8_t *data; /* [bytes] */
} io_png_strips;

/* Frees what strips hold; zero afterwards. Local. */
void io_png_strips_clear(io_png_strips *strips);

/* Pixels of a strip: rgb [rows][width][3]; but for strip 0 the row above them lies before
 * it. */
typedef struct io_png_rows {
    int64_t number;
    const uint8_t *rgb;
} io_png_rows;

/*
 * Deflates `count` strips of a picture into *strips, by up to `threads` threads. Takes as
 * much memory as their pixels have, and gives back what compression saved. Local. Errors:
 * STATUS_MEMORY; then *strips is zero.
 */
status io_png_strips_deflate(int width, int height, int64_t count,
                             const io_png_rows *rows, int threads, io_png_strips *strips);

/* ---- A picture that lies on many ranks --------------------------------------------- */

/* A half-open range of pixels, row-major: [pix0, pix0 + npix). */
typedef struct io_png_range {
    int64_t pix0, npix;
} io_png_range;

/* Writes pixels of this rank's ranges into rgb [npix][3]. Called by several threads at
 * once. */
typedef void io_png_pixels(const void *context, int64_t pix0, int64_t npix, uint8_t *rgb);

/* What a rank has of a picture. */
typedef struct io_png_share {
    int width, height; /* of the picture; the same on all ranks */
    int count;
    const io_png_range *ranges; /* [count], ascending */
    io_png_pixels *pixels;
    const void *context; /* of pixels */
} io_png_share;

/*
 * Compresses a picture whose pixels lie each on one rank of comm. A strip is deflated by
 * the rank that has its first pixel, which gets the others and the row above from those
 * who have them, 3 bytes a pixel; by up to `threads` threads there. *strips becomes what
 * this rank deflated. `failed`: a rank whose earlier work failed takes part with any
 * share and passes its status; then all ranks return it together. Collective. Errors:
 * STATUS_MEMORY, STATUS_INTERNAL (ranges that overlap or leave gaps), or what `failed`
 * brings, the same on all ranks; then *strips is zero.
 */
status io_png_strips_make(MPI_Comm comm, status failed, const io_png_share *share,
                          int threads, io_png_strips *strips);

/*
 * Brings the strips of all ranks of comm to rank 0: there *strips becomes all of them, in
 * order; elsewhere zero. Collective. Errors: STATUS_MEMORY, the same on all ranks; then
 * *strips is zero.
 */
status io_png_strips_collect(MPI_Comm comm, io_png_strips *strips);

#endif

/* Pixels of a picture that lies on many ranks, and their form for moving pictures:
 * JPEG. */
#ifndef IO_PICTURE_PIXELS_H
#define IO_PICTURE_PIXELS_H

#include "png_strip.h"

#include <stddef.h>

/* Pixels of 3, 4, 6 or 8 bytes each (png_strip.h). */
typedef struct io_pixels {
    int width, height, pixel_bytes;
    const uint8_t *bytes; /* [height][width][pixel_bytes]; borrowed */
} io_pixels;

/*
 * Brings all pixels to rank 0 of comm: *pixels is malloc'ed, [height][width] of the
 * share's format; NULL on other ranks. `failed`: as for io_png_strips_begin. Collective.
 * Errors: STATUS_MEMORY, or that of `failed`, the same on all ranks; then *pixels is
 * NULL.
 */
status io_pixels_gather(MPI_Comm comm, status failed, const io_png_share *share,
                        int threads, uint8_t **pixels);

/* Whether karman was built with libjpeg. Without it io_jpeg_encode fails. */
bool io_jpeg_is_available(void);

/*
 * Makes a JPEG file of pixels. Opacity is blended with white. quality: 1 to 100. *bytes
 * is malloc'ed. Local; any thread. Errors: STATUS_MEMORY, STATUS_USAGE (not built in).
 */
status io_jpeg_encode(const io_pixels *pixels, int quality, uint8_t **bytes,
                      size_t *size);

#endif

/* Finished pixels as the bytes of a picture. */
#ifndef COMPOSITE_PIXELS_CONVERT_H
#define COMPOSITE_PIXELS_CONVERT_H

#include "base/image.h"

#include <stdbool.h>
#include <stdint.h>

/* Turns `count` finished pixels, rgba [count][4], premultiplied, into bytes
 * [count][bytes_per_pixel]: blends the background, drops alpha. Called by several threads
 * at once; the result for a pixel depends on that pixel alone. Local; cannot fail. */
typedef void composite_convert(const void *context, int64_t count, const float *rgba,
                               unsigned char *bytes);

enum { COMPOSITE_MOST_BYTES = 4 };

/* What a picture of bytes looks like. */
typedef struct composite_format {
    int bytes_per_pixel; /* 1 to COMPOSITE_MOST_BYTES */
    composite_convert *convert;
    const void *context; /* of convert */
} composite_format;

/* Writes `count` transparent pixels, converted: [count][bytes_per_pixel]. Local. */
void composite_format_fill(const composite_format *format, int64_t count,
                           unsigned char *bytes);

/*
 * Converts the pixels [pix0, pix0 + npix) of img for a message, out [npix *
 * bytes_per_pixel], and returns how many bytes it takes. All of them mean: all pixels.
 * Fewer are runs of pixels, the others being transparent: first (from the start of the
 * range) and count, two uint32, then the bytes. Local.
 */
int64_t composite_format_encode(const composite_format *format, const image *img,
                                int64_t pix0, int64_t npix, unsigned char *out);

/* Writes npix pixels that were encoded so, [npix][bytes_per_pixel]. False where the
 * payload is not as described; nothing is written outside the range. Local. */
bool composite_format_decode(const composite_format *format, const unsigned char *payload,
                             int64_t payload_bytes, int64_t npix, unsigned char *bytes);

#endif

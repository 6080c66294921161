/* Filters of PNG: a row is stored as differences, most of which are small. Of the filters
 * in the PNG specification (ISO/IEC 15948:2004, section 9) these are the ones that help
 * for rendered pictures. */
#ifndef IO_PICTURE_PNG_FILTER_H
#define IO_PICTURE_PNG_FILTER_H

#include <stdint.h>

/* Bytes of a filtered row of `width` pixels of so many bytes: the filter's number, then
 * the pixels. */
int64_t io_png_filter_bytes(int64_t width, int pixel_bytes);

/*
 * Filters a row of pixels ([width][pixel_bytes]) by the row above it (likewise; NULL for
 * the picture's first row). The first row gets Sub, any other the one of Up, Paeth and
 * Sub with the smallest sum of absolute differences. `lines`: two buffers of
 * io_png_filter_bytes each; returns the one with the result. Local.
 */
const uint8_t *io_png_filter_row(int64_t width, int pixel_bytes, const uint8_t *row,
                                 const uint8_t *above, uint8_t *const lines[2]);

#endif

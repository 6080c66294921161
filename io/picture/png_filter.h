/* The filters of PNG: a row as differences, most of which are small. Of those in the PNG
 * specification (ISO/IEC 15948:2004, section 9) the ones that pay for rendered pictures.
 */
#ifndef IO_PICTURE_PNG_FILTER_H
#define IO_PICTURE_PNG_FILTER_H

#include <stdint.h>

enum { IO_PNG_CHANNELS = 3 };

/* Bytes of a filtered row of `width` pixels: the filter's number, then the pixels. */
int64_t io_png_filter_bytes(int64_t width);

/*
 * Filters a row of `width` pixels ([width][3]) by what is above it ([width][3]; NULL for
 * the picture's first row): Up, Paeth or Sub, whichever leaves the smallest sum of
 * absolute differences; Sub in the first row. `lines`: room for two times
 * io_png_filter_bytes; returns the one that holds the result. Local.
 */
const uint8_t *io_png_filter_row(int64_t width, const uint8_t *row, const uint8_t *above,
                                 uint8_t *const lines[2]);

#endif

/* Small pictures with opacity, in memory: for pages. */
#ifndef IO_PICTURE_PNG_ALPHA_H
#define IO_PICTURE_PNG_ALPHA_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Makes a PNG file of pixels with opacity, rgba [height][width][4], not premultiplied.
 * *bytes is malloc'ed. Local. Errors: STATUS_MEMORY. */
status io_png_encode_alpha(int width, int height, const uint8_t *rgba, uint8_t **bytes,
                           size_t *size);

#endif

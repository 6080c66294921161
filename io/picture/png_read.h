/* Reading pictures. */
#ifndef IO_PICTURE_PNG_READ_H
#define IO_PICTURE_PNG_READ_H

#include "base/status.h"

#include <stdint.h>

/* Reads a PNG file of any kind as 8-bit RGB. *rgb is malloc'ed, [*height][*width][3], the
 * caller's. Local. Errors: STATUS_INPUT, STATUS_MEMORY. */
status io_png_read(const char *path, int *width, int *height, uint8_t **rgb);

#endif

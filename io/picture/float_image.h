/* Float images as HDF5: /rgba [height][width][4] and /depth [height][width], float32. */
#ifndef IO_PICTURE_FLOAT_IMAGE_H
#define IO_PICTURE_FLOAT_IMAGE_H

#include "base/image.h"
#include "base/status.h"

/* Writes to a temporary name, then renames; makes missing folders. /depth is omitted if
 * the image has none. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status io_float_image_write(const char *path, const image *img);

/* Reads such a file; all pixels are active. Local. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status io_float_image_read(const char *path, image **out);

#endif

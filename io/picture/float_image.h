/* Float images as HDF5: /rgba [height][width][4] and /depth [height][width], float32. */
#ifndef IO_PICTURE_FLOAT_IMAGE_H
#define IO_PICTURE_FLOAT_IMAGE_H

#include "base/image.h"
#include "base/status.h"

#include <stddef.h>

/* A file to write: its name and its contents, both malloc'ed. */
typedef struct io_float_file {
    char *path;
    void *bytes; /* [size] */
    size_t size;
} io_float_file;

/*
 * Makes the contents of the file in memory, so that a thread that must not call HDF5 can
 * write them. /depth is omitted if the image has none. Local. Errors: STATUS_MEMORY, with
 * *out zero.
 */
status io_float_file_make(const char *path, const image *img, io_float_file *out);

/* Writes to a temporary name, then renames; makes missing folders. Local; any thread may
 * call it. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status io_float_file_write(const io_float_file *file);

/* Frees the contents; *file becomes zero. */
void io_float_file_clear(io_float_file *file);

#endif

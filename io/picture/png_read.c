#include "png_read.h"

#include <png.h>
#include <stdlib.h>

status io_png_read(const char *path, int *width, int *height, uint8_t **rgb)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, path)) {
        return base_fail(STATUS_INPUT, "%s cannot be read: %s", path, png.message);
    }
    png.format = PNG_FORMAT_RGB;
    size_t size = PNG_IMAGE_SIZE(png);
    uint8_t *pixels = malloc(size);
    if (!pixels) {
        png_image_free(&png);
        return base_fail_memory(size, path);
    }
    if (!png_image_finish_read(&png, NULL, pixels, 0, NULL)) {
        free(pixels);
        return base_fail(STATUS_INPUT, "%s cannot be read: %s", path, png.message);
    }
    *width = (int)png.width;
    *height = (int)png.height;
    *rgb = pixels;
    return STATUS_OK;
}

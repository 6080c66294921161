#include "png_alpha.h"

#include <png.h>
#include <stdlib.h>

status io_png_encode_alpha(int width, int height, const uint8_t *rgba, uint8_t **bytes,
                           size_t *size)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = PNG_FORMAT_RGBA};
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(png);
    uint8_t *file = malloc(room);
    if (!file || !png_image_write_to_memory(&png, file, &room, 0, rgba, 0, NULL)) {
        free(file);
        return base_fail_memory(room, "a picture");
    }
    *bytes = file;
    *size = room;
    return STATUS_OK;
}

/* JPEG files with libjpeg, or libjpeg-turbo. */
#include "pixels.h"

#ifdef KARMAN_HAS_JPEG

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h> /* after stdio.h, which it needs */

/* libjpeg's own handler would end the program. */
typedef struct leaving {
    struct jpeg_error_mgr base;
    jmp_buf place;
} leaving;

static void leave(j_common_ptr info)
{
    leaving *l = (leaving *)info->err;
    longjmp(l->place, 1);
}

static void keep_quiet(j_common_ptr info)
{
    (void)info;
}

/* Pixels to encode, and the file that they become. */
typedef struct drawing {
    const io_pixels *pixels;
    int quality;
    uint8_t *row; /* [width][3] */
    unsigned char *bytes;
    unsigned long size;
} drawing;

/* Blends a row with white, if it has opacity; of 16 bits the higher byte counts. */
static void convert_row(const drawing *d, int y, uint8_t *row)
{
    const int step = d->pixels->pixel_bytes > 4 ? 2 : 1;
    const bool has_alpha = d->pixels->pixel_bytes / step == 4;
    const uint8_t *from = d->pixels->bytes + (size_t)y * (size_t)d->pixels->width *
                                                 (size_t)d->pixels->pixel_bytes;
    for (int x = 0; x < d->pixels->width; x++, from += d->pixels->pixel_bytes) {
        const int alpha = has_alpha ? from[3 * step] : 255;
        for (int c = 0; c < 3; c++) {
            row[3 * x + c] =
                (uint8_t)((from[c * step] * alpha + 255 * (255 - alpha)) / 255);
        }
    }
}

/* All code between setjmp and its return. */
static bool write_rows(struct jpeg_compress_struct *info, leaving *l, drawing *d)
{
    if (setjmp(l->place)) {
        return false;
    }
    jpeg_mem_dest(info, &d->bytes, &d->size);
    info->image_width = (JDIMENSION)d->pixels->width;
    info->image_height = (JDIMENSION)d->pixels->height;
    info->input_components = 3;
    info->in_color_space = JCS_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, d->quality, TRUE);
    jpeg_start_compress(info, TRUE);
    while (info->next_scanline < info->image_height) {
        convert_row(d, (int)info->next_scanline, d->row);
        jpeg_write_scanlines(info, &d->row, 1);
    }
    jpeg_finish_compress(info);
    return true;
}

bool io_jpeg_is_available(void)
{
    return true;
}

status io_jpeg_encode(const io_pixels *pixels, int quality, uint8_t **bytes, size_t *size)
{
    struct jpeg_compress_struct info;
    leaving l;
    drawing d = {pixels, quality, NULL, NULL, 0};
    d.row = malloc(3 * (size_t)pixels->width);
    info.err = jpeg_std_error(&l.base);
    l.base.error_exit = leave;
    l.base.output_message = keep_quiet;
    jpeg_create_compress(&info);
    const bool good = d.row && write_rows(&info, &l, &d);
    jpeg_destroy_compress(&info);
    free(d.row);
    if (!good) {
        free(d.bytes);
        return base_fail_memory(0, "a picture");
    }
    *bytes = d.bytes;
    *size = d.size;
    return STATUS_OK;
}

#else

bool io_jpeg_is_available(void)
{
    return false;
}

status io_jpeg_encode(const io_pixels *pixels, int quality, uint8_t **bytes, size_t *size)
{
    (void)pixels, (void)quality, (void)bytes, (void)size;
    return base_fail(STATUS_USAGE, "this karman was built without libjpeg");
}

#endif

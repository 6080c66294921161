#include "image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

status image_check_size(int width, int height)
{
    if (width < 1 || height < 1 || width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE ||
        (int64_t)width * height > IMAGE_MAX_PIXELS) {
        return base_fail(STATUS_USAGE, "an image of %d x %d pixels cannot be made", width,
                         height);
    }
    return STATUS_OK;
}

status image_create(int width, int height, bool with_depth, image **out)
{
    status s = image_check_size(width, height);
    if (s != STATUS_OK) {
        return s;
    }
    size_t pixels = (size_t)width * (size_t)height;
    image *img = calloc(1, sizeof *img);
    /* calloc of a large block maps zero pages: transparent parts that are never written
     * cost no memory. */
    float *rgba = calloc(pixels, 4 * sizeof *rgba);
    float *depth = with_depth ? malloc(pixels * sizeof *depth) : NULL;
    if (!img || !rgba || (with_depth && !depth)) {
        free(img);
        free(rgba);
        free(depth);
        return base_fail_memory(pixels * (with_depth ? 20 : 16), "an image");
    }
    *img = (image){.width = width, .height = height, .rgba = rgba, .depth = depth};
    for (size_t i = 0; depth && i < pixels; i++) {
        depth[i] = INFINITY;
    }
    *out = img;
    return STATUS_OK;
}

void image_destroy(image **img)
{
    if (*img) {
        free((*img)->rgba);
        free((*img)->depth);
        free(*img);
        *img = NULL;
    }
}

void image_clear(image *img)
{
    pixel_rect r = img->active;
    img->columns = NULL;
    if (pixel_rect_is_empty(r)) {
        return;
    }
    for (int y = r.y0; y < r.y1; y++) {
        size_t row = (size_t)image_at(img, r.x0, y);
        size_t count = (size_t)(r.x1 - r.x0);
        memset(img->rgba + 4 * row, 0, count * 4 * sizeof(float));
        for (size_t x = 0; img->depth && x < count; x++) {
            img->depth[row + x] = INFINITY;
        }
    }
    img->active = (pixel_rect){0, 0, 0, 0};
}

/* Aligns rows to cache lines, provided that the image is aligned. */
static pixel_rect align(pixel_rect r, int width)
{
    enum { PIXELS = 4 }; /* of a line of 64 bytes */
    const int x1 = (r.x1 + PIXELS - 1) / PIXELS * PIXELS;
    r.x0 -= r.x0 % PIXELS;
    r.x1 = x1 < width ? x1 : width;
    return r;
}

void image_crop(image *img, pixel_rect rect)
{
    const bool is_cropped = img->may_crop && !pixel_rect_is_empty(rect);
    img->kept = is_cropped ? align(rect, img->width) : (pixel_rect){0, 0, 0, 0};
}

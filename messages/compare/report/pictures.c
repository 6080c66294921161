#include "pictures.h"

#include "io/json/base64.h"
#include "io/picture/png.h"
#include "io/picture/png_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

status compare_picture_read(const char *path, compare_picture *out)
{
    return io_png_read(path, &out->width, &out->height, &out->rgb);
}

void compare_picture_clear(compare_picture *picture)
{
    free(picture->rgb);
    *picture = (compare_picture){0};
}

static int pixel_difference(const uint8_t *a, const uint8_t *b)
{
    int most = 0;
    for (int c = 0; c < 3; c++) {
        int d = abs(a[c] - b[c]);
        most = d > most ? d : most;
    }
    return most;
}

static int64_t count_pixels(const compare_picture *picture)
{
    return (int64_t)picture->width * picture->height;
}

compare_difference compare_picture_differ(const compare_picture *a,
                                          const compare_picture *b)
{
    compare_difference all = {0};
    if (a->width != b->width || a->height != b->height) {
        return (compare_difference){255, count_pixels(a)};
    }
    for (int64_t p = 0; p < count_pixels(a); p++) {
        int d = pixel_difference(&a->rgb[3 * p], &b->rgb[3 * p]);
        all.most = d > all.most ? d : all.most;
        all.pixels += d > 0;
    }
    return all;
}

status compare_picture_write_difference(const char *path, const compare_picture *a,
                                        const compare_picture *b)
{
    int64_t pixels = count_pixels(a);
    uint8_t *rgb = malloc(3 * (size_t)pixels);
    if (!rgb) {
        return base_fail_memory(3 * (size_t)pixels, "a difference of pictures");
    }
    int most = compare_picture_differ(a, b).most;
    for (int64_t p = 0; p < pixels; p++) {
        int d = pixel_difference(&a->rgb[3 * p], &b->rgb[3 * p]);
        memset(&rgb[3 * p], most ? 255 * d / most : 0, 3);
    }
    status s = io_png_write(
        &(io_png_file){.path = path, .width = a->width, .height = a->height}, rgb);
    free(rgb);
    return s;
}

/* ---- Data URIs --------------------------------------------------------------------- */

static status read_bytes(const char *path, uint8_t **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        if (file) {
            fclose(file);
        }
        return base_fail(STATUS_INPUT, "%s cannot be read: %s", path, strerror(errno));
    }
    long length = ftell(file);
    rewind(file);
    *size = length > 0 ? (size_t)length : 0;
    *bytes = malloc(*size + 1);
    bool is_whole = *bytes && fread(*bytes, 1, *size, file) == *size;
    fclose(file);
    if (!is_whole) {
        free(*bytes);
        return base_fail(STATUS_INPUT, "%s cannot be read", path);
    }
    return STATUS_OK;
}

status compare_picture_encode(const char *path, char **uri)
{
    static const char head[] = "data:image/png;base64,";
    uint8_t *bytes = NULL;
    size_t size = 0;
    status s = read_bytes(path, &bytes, &size);
    if (s != STATUS_OK) {
        return s;
    }
    size_t length = sizeof head + IO_BASE64_LENGTH(size);
    char *text = malloc(length);
    if (text) {
        memcpy(text, head, sizeof head);
        io_base64_encode(bytes, size, text + sizeof head - 1);
    }
    free(bytes);
    *uri = text;
    return text ? STATUS_OK : base_fail_memory(length, "a picture of the report");
}

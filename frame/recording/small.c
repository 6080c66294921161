#include "small.h"

#include "io/json/base64.h"
#include "io/picture/png_alpha.h"
#include "render/view/finish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void frame_small_clear(frame_small *small)
{
    free(small->rgba);
    *small = (frame_small){0};
}

/* ---- Shrinking --------------------------------------------------------------------- */

/* The pixels in memory that may show something. */
static pixel_rect find_seen(const image *img)
{
    const pixel_rect whole = {0, 0, img->width, img->height};
    return pixel_rect_intersect(img->active,
                                pixel_rect_is_empty(img->kept) ? whole : img->kept);
}

/* Adds up the pixels of `factor` rows from `y` on: sums [width][4]. */
static void add_rows(const image *img, pixel_rect seen, int y, int factor, float *sums)
{
    const int end = y + factor < seen.y1 ? y + factor : seen.y1;
    for (y = y > seen.y0 ? y : seen.y0; y < end; y++) {
        for (int x = seen.x0; x < seen.x1; x++) {
            const float *rgba = &img->rgba[4 * image_at(img, x, y)];
            for (int c = 0; c < 4; c++) {
                sums[4 * (x / factor) + c] += rgba[c];
            }
        }
    }
}

/* Pixels of a cell of `factor` that a side of `length` has from `begin` on. */
static int count_pixels(int length, int begin, int factor)
{
    return length - begin < factor ? length - begin : factor;
}

static void divide(const image *img, int width, int y, int factor, float *sums)
{
    for (int x = 0; x < width; x++) {
        const int pixels = count_pixels(img->width, x * factor, factor) *
                           count_pixels(img->height, y, factor);
        for (int c = 0; c < 4; c++) {
            sums[4 * x + c] /= (float)pixels;
        }
    }
}

status frame_small_make(const image *img, int most, bool is_light, frame_small *out)
{
    const int factor = (img->width + most - 1) / most;
    const int width = (img->width + factor - 1) / factor;
    const int height = (img->height + factor - 1) / factor;
    const size_t row = (size_t)width * 4;
    uint8_t *rgba = calloc((size_t)height, row);
    float *sums = malloc(row * sizeof *sums);
    if (!rgba || !sums) {
        free(rgba);
        free(sums);
        return base_fail_memory((size_t)height * row, "a small picture");
    }
    const pixel_rect seen = find_seen(img);
    for (int y = 0; y < height; y++) {
        memset(sums, 0, row * sizeof *sums);
        add_rows(img, seen, y * factor, factor, sums);
        divide(img, width, y * factor, factor, sums);
        if (is_light) {
            render_finish_display(width, sums);
        }
        render_finish_rgba8(width, sums, &rgba[(size_t)y * row]);
    }
    free(sums);
    *out = (frame_small){width, height, rgba};
    return STATUS_OK;
}

/* The mean of up to four pixels, by their opacity. */
static void mix(const frame_small *from, int x, int y, uint8_t rgba[4])
{
    int pixels = 0, alpha = 0, colors[3] = {0};
    for (int j = y; j < y + 2 && j < from->height; j++) {
        for (int i = x; i < x + 2 && i < from->width; i++) {
            const uint8_t *at =
                &from->rgba[4 * ((size_t)j * (size_t)from->width + (size_t)i)];
            pixels++;
            alpha += at[3];
            for (int c = 0; c < 3; c++) {
                colors[c] += at[3] * at[c];
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        rgba[c] = (uint8_t)(alpha > 0 ? (colors[c] + alpha / 2) / alpha : 0);
    }
    rgba[3] = (uint8_t)((alpha + pixels / 2) / pixels);
}

status frame_small_halve(frame_small *small)
{
    frame_small half = {(small->width + 1) / 2, (small->height + 1) / 2, NULL};
    const size_t bytes = 4 * (size_t)half.width * (size_t)half.height;
    half.rgba = malloc(bytes);
    if (!half.rgba) {
        return base_fail_memory(bytes, "a small picture");
    }
    for (int y = 0; y < half.height; y++) {
        for (int x = 0; x < half.width; x++) {
            const size_t at = (size_t)y * (size_t)half.width + (size_t)x;
            mix(small, 2 * x, 2 * y, &half.rgba[4 * at]);
        }
    }
    frame_small_clear(small);
    *small = half;
    return STATUS_OK;
}

/* ---- For a page -------------------------------------------------------------------- */

char *frame_small_encode(const frame_small *small)
{
    static const char head[] = "data:image/png;base64,";
    uint8_t *bytes = NULL;
    size_t size = 0;
    char *text = NULL;
    if (io_png_encode_alpha(small->width, small->height, small->rgba, &bytes, &size) ==
        STATUS_OK) {
        text = malloc(sizeof head + IO_BASE64_LENGTH(size));
    }
    if (text) {
        memcpy(text, head, sizeof head);
        io_base64_encode(bytes, size, text + sizeof head - 1);
    }
    free(bytes);
    return text;
}

json_t *frame_small_describe(int width, int height, const float background[3],
                             json_t *images)
{
    const float clear[4] = {0};
    uint8_t rgb[3];
    char color[16];
    render_finish_rgb8(1, clear, background, rgb);
    snprintf(color, sizeof color, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    return json_pack("{s:i, s:i, s:s, s:O}", "width", width, "height", height,
                     "background", color, "images", images);
}

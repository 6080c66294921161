#include "single_color.h"

#include "base/parallel/parallel.h"
#include "frame/layers/annotations.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * A pixel that differs from the background by at most ALIKE counts as background. A
 * single colour may vary by up to SHADES, as in a fog that fills the picture. A fiftieth
 * of the pixels at either end, as at its smooth edges, does not count.
 */
enum { ALIKE = 2, SHADES = 20, CHUNK = 4096, MOST_PIXEL_BYTES = 8 };

/* Numbers of visible pixels by the value of each channel. */
typedef struct colors {
    int64_t count[3][256];
} colors;

static bool is_background(const uint8_t *rgb, const int background[3])
{
    bool is_alike = true;
    for (int c = 0; c < 3; c++) {
        is_alike = is_alike && abs(rgb[c] - background[c]) <= ALIKE;
    }
    return is_alike;
}

/* Marks pixels with annotations: these change black or white. */
static void mark_annotated(const frame_picture *picture, int64_t pix0, int64_t count,
                           bool *is_annotated)
{
    uint8_t black[3 * CHUNK], white[3 * CHUNK];
    memset(black, 0, 3 * (size_t)count);
    memset(white, 255, 3 * (size_t)count);
    const io_png_range range = {pix0, count};
    frame_annotations_blend(picture->annotations, (io_png_format){0}, range, black);
    frame_annotations_blend(picture->annotations, (io_png_format){0}, range, white);
    for (int64_t n = 0; n < count; n++) {
        is_annotated[n] = false;
        for (int64_t c = 3 * n; c < 3 * n + 3; c++) {
            is_annotated[n] = is_annotated[n] || black[c] != 0 || white[c] != 255;
        }
    }
}

static void add_pixels(int64_t count, const uint8_t *rgb, const bool *is_annotated,
                       const int background[3], colors *seen)
{
    for (int64_t n = 0; n < count; n++, rgb += 3) {
        for (int c = 0; c < 3 && !is_annotated[n] && !is_background(rgb, background);
             c++) {
            seen->count[c][rgb[c]]++;
        }
    }
}

/* The higher bytes of the colours of pixels, rgb [count][3]. */
static void take_colors(io_png_format format, int64_t count, const uint8_t *pixels,
                        uint8_t *rgb)
{
    const int step = format.is_deep ? 2 : 1, size = io_png_pixel_bytes(format);
    for (int64_t n = 0; n < count; n++) {
        for (int c = 0; c < 3; c++) {
            rgb[3 * n + c] = pixels[n * size + (int64_t)step * c];
        }
    }
}

static void add_share(const frame_picture *picture, const io_png_share *share,
                      const int background[3], colors *seen)
{
    uint8_t pixels[MOST_PIXEL_BYTES * CHUNK], rgb[3 * CHUNK];
    bool is_annotated[CHUNK];
    for (int n = 0; n < share->count; n++) {
        const io_png_range *range = &share->ranges[n];
        for (int64_t done = 0; done < range->npix; done += CHUNK) {
            const int64_t left = range->npix - done;
            const int64_t count = left < CHUNK ? left : CHUNK;
            share->pixels(share->context, range->pix0 + done, count, pixels);
            take_colors(share->format, count, pixels, rgb);
            mark_annotated(picture, range->pix0 + done, count, is_annotated);
            add_pixels(count, rgb, is_annotated, background, seen);
        }
    }
}

/* The value with `wanted` pixels at or below it. */
static int find_value(const int64_t count[256], int64_t wanted)
{
    int value = 0;
    for (int64_t below = count[0]; below < wanted && value < 255; below += count[value]) {
        value++;
    }
    return value;
}

/* Whether nearly all pixels have similar values: all but a fiftieth of `all` at either
 * end. */
static bool is_one_value(const int64_t count[256], int64_t all)
{
    const int64_t left_out = all / 50;
    return find_value(count, all - left_out) - find_value(count, left_out + 1) <= SHADES;
}

bool frame_picture_is_plain(const frame_picture *picture, const io_png_share *share)
{
    float background[3];
    colors seen = {{{0}}}, sum;
    int behind[3];
    int64_t all = 0;
    io_config_background(picture->scene->config, background);
    for (int c = 0; c < 3; c++) {
        behind[c] = (int)lroundf(255.0f * background[c]);
    }
    add_share(picture, share, behind, &seen);
    parallel_allreduce(seen.count, sum.count, 3 * 256, MPI_INT64_T, MPI_SUM,
                       picture->scene->comm);
    for (int value = 0; value < 256; value++) {
        all += sum.count[0][value];
    }
    bool is_plain = 100 * all >= (int64_t)share->width * share->height;
    for (int c = 0; c < 3; c++) {
        is_plain = is_plain && is_one_value(sum.count[c], all);
    }
    return is_plain;
}

/*
 * The rectangle of an image that shows a part of space, seen at an angle, is a third
 * empty or more: pixels that others would read for nothing. Row by row there is little of
 * that.
 */
#include "columns.h"

#include "composite/shares.h"

#include <math.h>
#include <string.h>

static bool shows(const image *img, int64_t pixel)
{
    uint64_t halves[2];
    memcpy(halves, img->rgba + 4 * pixel, sizeof halves);
    return (halves[0] | halves[1]) != 0 || (img->depth && img->depth[pixel] != INFINITY);
}

enum { BLOCK = 4 };

/* Whether one of BLOCK pixels does; quicker than one by one. */
static bool block_shows(const image *img, int64_t pixel)
{
    uint64_t halves[2 * BLOCK];
    uint64_t all = 0;
    bool has_depth = false;
    memcpy(halves, img->rgba + 4 * pixel, sizeof halves);
    for (int i = 0; i < 2 * BLOCK; i++) {
        all |= halves[i];
    }
    for (int i = 0; img->depth && i < BLOCK; i++) {
        has_depth |= img->depth[pixel + i] != INFINITY;
    }
    return all != 0 || has_depth;
}

static composite_columns find_in_row(const image *img, int y)
{
    int begin = img->active.x0, end = img->active.x1;
    while (begin + BLOCK <= end && !block_shows(img, image_at(img, begin, y))) {
        begin += BLOCK;
    }
    while (begin < end && !shows(img, image_at(img, begin, y))) {
        begin++;
    }
    while (begin + BLOCK <= end && !block_shows(img, image_at(img, end - BLOCK, y))) {
        end -= BLOCK;
    }
    while (begin < end && !shows(img, image_at(img, end - 1, y))) {
        end--;
    }
    return (composite_columns){(uint16_t)begin, (uint16_t)end};
}

/* Returns whether that is what was there. */
static bool replace(composite_columns found, composite_columns *out)
{
    const bool is_same = found.begin == out->begin && found.end == out->end;
    *out = found;
    return is_same;
}

/* Takes those of the image. */
static bool take(const image *img, composite_columns *out)
{
    const int y0 = img->active.y0;
    const size_t bytes = (size_t)(img->active.y1 - y0) * sizeof *out;
    const bool is_same = memcmp(out + y0, img->columns + y0, bytes) == 0;
    if (!is_same) {
        memcpy(out + y0, img->columns + y0, bytes);
    }
    return is_same;
}

bool composite_columns_find(const image *img, int threads, composite_columns *out)
{
    const int y0 = img->active.y0, y1 = img->active.y1;
    bool is_same = true;
    if (y0 >= y1) {
        return true;
    }
    if (img->columns) {
        return take(img, out);
    }
    if (threads == 1) { /* a team of one takes longer than small images */
        for (int y = y0; y < y1; y++) {
            is_same &= replace(find_in_row(img, y), &out[y]);
        }
        return is_same;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) reduction(&& : is_same)
    for (int y = y0; y < y1; y++) {
        const bool is_row_same = replace(find_in_row(img, y), &out[y]);
        is_same = is_same && is_row_same;
    }
    return is_same;
}

static void convert_row(const image *img, int y, composite_columns columns,
                        const composite_format *format, unsigned char *bytes)
{
    const int64_t pixel = (int64_t)y * img->width + columns.begin;
    if (columns.begin < columns.end) {
        format->convert(format->context, columns.end - columns.begin,
                        img->rgba + 4 * image_at(img, columns.begin, y),
                        bytes + pixel * format->bytes_per_pixel);
    }
}

/* Not row by row together with composite_columns_find, which took twice as long. */
void composite_columns_convert(const image *img, int threads,
                               const composite_columns *columns,
                               const composite_format *format, unsigned char *bytes)
{
    if (threads == 1) {
        for (int y = img->active.y0; y < img->active.y1; y++) {
            convert_row(img, y, columns[y], format, bytes);
        }
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int y = img->active.y0; y < img->active.y1; y++) {
        convert_row(img, y, columns[y], format, bytes);
    }
}

/* A row counts where its middle is. */
void composite_columns_add(int64_t shown[COMPOSITE_BANDS], const image *img,
                           const composite_columns *columns)
{
    const int64_t pixels = image_pixel_count(img);
    int band = 0;
    if (pixel_rect_is_empty(img->active)) {
        return;
    }
    for (int y = img->active.y0; y < img->active.y1; y++) {
        const int64_t middle = (int64_t)y * img->width + img->width / 2;
        while (band + 1 < COMPOSITE_BANDS &&
               composite_share_begin(pixels, COMPOSITE_BANDS, band + 1) <= middle) {
            band++;
        }
        shown[band] += columns[y].end - columns[y].begin;
    }
}

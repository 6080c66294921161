/*
 * The rectangle of an image that shows a part of space, seen at an angle, is a third
 * empty or more: pixels that others would read for nothing. Row by row there is little of
 * that.
 */
#include "columns.h"

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

void composite_columns_find(const image *img, int threads, composite_columns *out)
{
    const int y0 = img->active.y0, y1 = img->active.y1;
    if (y0 >= y1) {
        return;
    }
    if (img->columns) {
        memcpy(out + y0, img->columns + y0, (size_t)(y1 - y0) * sizeof *out);
        return;
    }
    if (threads == 1) { /* a team of one takes longer than small images */
        for (int y = y0; y < y1; y++) {
            out[y] = find_in_row(img, y);
        }
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int y = y0; y < y1; y++) {
        out[y] = find_in_row(img, y);
    }
}

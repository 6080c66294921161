#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t count_pixels(const app_samples_part *part)
{
    int64_t sum = 0;
    for (int n = 0; n < part->count; n++) {
        sum += part->ranges[n].npix;
    }
    return sum;
}

/* Begins a picture: all sums are zero. */
static status begin(app_samples *samples, const app_samples_part *part)
{
    const int64_t count = count_pixels(part);
    const size_t bytes = ((size_t)count + 1) * 4 * sizeof *samples->rgba;
    samples->npixels = count;
    samples->active = (pixel_rect){0, 0, 0, 0};
    if (count > samples->capacity || !samples->rgba) {
        app_samples_clear(samples);
        samples->rgba = malloc(bytes);
        samples->depth = part->img->depth ? malloc(bytes / 4) : NULL;
        samples->capacity = count;
    }
    if (!samples->rgba || (part->img->depth && !samples->depth)) {
        app_samples_clear(samples);
        return base_fail_memory(bytes, "the samples of a picture");
    }
    memset(samples->rgba, 0, bytes);
    for (int64_t n = 0; samples->depth && n < count; n++) {
        samples->depth[n] = INFINITY;
    }
    return STATUS_OK;
}

/* The pixels of a range in rows that may show something. */
static io_png_range shown_part(const image *img, io_png_range range)
{
    const pixel_rect shown = img->active;
    const int64_t top = pixel_rect_is_empty(shown) ? 0 : (int64_t)shown.y0 * img->width;
    const int64_t end = pixel_rect_is_empty(shown) ? 0 : (int64_t)shown.y1 * img->width;
    const int64_t first = range.pix0 > top ? range.pix0 : top;
    const int64_t behind = range.pix0 + range.npix < end ? range.pix0 + range.npix : end;
    return (io_png_range){first, first < behind ? behind - first : 0};
}

/* Adds pixels; `at`: the sums of the first one. */
static void add(const image *img, io_png_range pixels, int64_t at, app_samples *samples)
{
    const float *rgba = img->rgba + 4 * pixels.pix0;
    float *sums = samples->rgba + 4 * at;
    for (int64_t n = 0; n < 4 * pixels.npix; n++) {
        sums[n] += rgba[n];
    }
    for (int64_t n = 0; samples->depth && n < pixels.npix; n++) {
        samples->depth[at + n] =
            fminf(samples->depth[at + n], img->depth[pixels.pix0 + n]);
    }
}

/* Makes the image the mean. */
static void write(const app_samples *samples, io_png_range range, int64_t at, image *img)
{
    const float share = 1.0f / (float)samples->count;
    for (int64_t n = 0; n < 4 * range.npix; n++) {
        img->rgba[4 * range.pix0 + n] = share * samples->rgba[4 * at + n];
    }
    if (samples->depth) {
        memcpy(img->depth + range.pix0, samples->depth + at,
               (size_t)range.npix * sizeof *samples->depth);
    }
}

status app_samples_take(app_samples *samples, const app_samples_part *part)
{
    if (samples->count == 1) {
        return STATUS_OK;
    }
    status s = samples->number == 0 ? begin(samples, part) : STATUS_OK;
    if (s == STATUS_OK && count_pixels(part) != samples->npixels) {
        s = base_fail(STATUS_INTERNAL,
                      "a rank has other pixels in sample %d of a picture than before",
                      samples->number);
    }
    if (s != STATUS_OK) {
        return s;
    }
    image *img = part->img;
    int64_t at = 0;
    for (int n = 0; n < part->count; n++) {
        const io_png_range shown = shown_part(img, part->ranges[n]);
        add(img, shown, at + shown.pix0 - part->ranges[n].pix0, samples);
        at += part->ranges[n].npix;
    }
    pixel_rect_grow(&samples->active, img->active);
    if (app_samples_is_last(samples)) {
        at = 0;
        for (int n = 0; n < part->count; n++) {
            write(samples, part->ranges[n], at, img);
            at += part->ranges[n].npix;
        }
        img->active = samples->active;
        img->columns = NULL;
    }
    return STATUS_OK;
}

void app_samples_clear(app_samples *samples)
{
    free(samples->rgba);
    free(samples->depth);
    samples->rgba = samples->depth = NULL;
    samples->capacity = 0;
}

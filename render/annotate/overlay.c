#include "overlay.h"

#include "base/array.h"
#include "base/status.h"

#include <stdlib.h>

status annotate_overlay_create(int width, int height, annotate_overlay **out)
{
    annotate_overlay *overlay = calloc(1, sizeof *overlay);
    if (!overlay) {
        return base_fail_memory(sizeof *overlay, "an overlay");
    }
    overlay->width = width;
    overlay->height = height;
    *out = overlay;
    return STATUS_OK;
}

void annotate_overlay_destroy(annotate_overlay **overlay)
{
    if (*overlay) {
        free((*overlay)->spans);
        free((*overlay)->pixels);
        free(*overlay);
        *overlay = NULL;
    }
}

void annotate_overlay_clear(annotate_overlay *overlay)
{
    overlay->nspans = 0;
    overlay->npixels = 0;
}

/* ---- Filling ---- */

static status reserve_span(annotate_overlay *overlay)
{
    overlay_span *spans = base_array_reserve(overlay->spans, &overlay->span_capacity,
                                             overlay->nspans + 1, sizeof *spans);
    if (!spans) {
        return base_fail_memory((size_t)overlay->nspans * sizeof *spans, "an overlay");
    }
    overlay->spans = spans;
    return STATUS_OK;
}

static status reserve_pixels(annotate_overlay *overlay, int count)
{
    const size_t needed = overlay->npixels + (size_t)count;
    uint8_t *pixels =
        base_array_reserve(overlay->pixels, &overlay->pixel_capacity, (int64_t)needed, 4);
    if (!pixels) {
        return base_fail_memory(4 * needed, "an overlay");
    }
    overlay->pixels = pixels;
    return STATUS_OK;
}

static status add_span(annotate_overlay *overlay, int64_t pix0, int count,
                       const uint32_t *argb)
{
    status s = reserve_span(overlay);
    if (s == STATUS_OK) {
        s = reserve_pixels(overlay, count);
    }
    if (s != STATUS_OK) {
        return s;
    }
    overlay->spans[overlay->nspans++] = (overlay_span){pix0, count, overlay->npixels};
    uint8_t *out = overlay->pixels + 4 * overlay->npixels;
    for (int i = 0; i < count; i++) {
        out[4 * i + 0] = (uint8_t)(argb[i] >> 16);
        out[4 * i + 1] = (uint8_t)(argb[i] >> 8);
        out[4 * i + 2] = (uint8_t)argb[i];
        out[4 * i + 3] = (uint8_t)(argb[i] >> 24);
    }
    overlay->npixels += (size_t)count;
    return STATUS_OK;
}

/* The first pixel from `first` on that is not transparent. Most pixels are, so it pays to
 * test several at once. */
static int skip_transparent(int first, int width, const uint32_t *argb)
{
    enum { STEP = 16 };
    for (; first + STEP <= width; first += STEP) {
        uint32_t any = 0;
        for (int n = 0; n < STEP; n++) {
            any |= argb[first + n];
        }
        if (any != 0) {
            break;
        }
    }
    while (first < width && argb[first] == 0) {
        first++;
    }
    return first;
}

status annotate_overlay_add_row(annotate_overlay *overlay, int row, const uint32_t *argb)
{
    const int64_t pix0 = (int64_t)row * overlay->width;
    status s = STATUS_OK;
    for (int first = 0; first < overlay->width && s == STATUS_OK;) {
        first = skip_transparent(first, overlay->width, argb);
        int end = first;
        while (end < overlay->width && argb[end] != 0) {
            end++;
        }
        if (end > first) {
            s = add_span(overlay, pix0 + first, end - first, argb + first);
        }
        first = end;
    }
    return s;
}

/* ---- Blending ---- */

/* a * b / 255, rounded to the nearest integer; exact for bytes. */
static inline unsigned multiply(unsigned a, unsigned b)
{
    const unsigned t = a * b + 128;
    return (t + (t >> 8)) >> 8;
}

static void blend_rgb(const uint8_t *over, uint8_t *rgb)
{
    const unsigned through = 255u - over[3];
    for (int c = 0; c < 3; c++) {
        const unsigned sum = over[c] + multiply(rgb[c], through);
        rgb[c] = (uint8_t)(sum < 255 ? sum : 255);
    }
}

static void blend_rgba(const uint8_t *over, uint8_t *rgba)
{
    const unsigned kept = rgba[3] * (255u - over[3]); /* in units of 1 / 255^2, like the
                                                         sum below */
    const unsigned alpha = 255u * over[3] + kept;
    if (alpha == 0) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        const unsigned light = 255u * 255u * over[c] + kept * rgba[c];
        const unsigned color = (light + alpha / 2) / alpha;
        rgba[c] = (uint8_t)(color < 255 ? color : 255);
    }
    rgba[3] = (uint8_t)((alpha + 127) / 255);
}

/* A channel of 16 bits in 0..1, and back. */
static double read_two_bytes(const uint8_t *bytes)
{
    return (256 * bytes[0] + bytes[1]) / 65535.0;
}

static void put_two_bytes(double value, uint8_t *bytes)
{
    const unsigned rounded = value < 1.0 ? (unsigned)(65535.0 * value + 0.5) : 65535;
    bytes[0] = (uint8_t)(rounded >> 8);
    bytes[1] = (uint8_t)rounded;
}

static void blend_rgb16(const uint8_t *over, uint8_t *rgb)
{
    for (int c = 0; c < 3; c++) {
        const double through = 1.0 - over[3] / 255.0;
        put_two_bytes(over[c] / 255.0 + through * read_two_bytes(rgb + 2 * c),
                      rgb + 2 * c);
    }
}

static void blend_rgba16(const uint8_t *over, uint8_t *rgba)
{
    const double kept = read_two_bytes(rgba + 6) * (1.0 - over[3] / 255.0);
    const double alpha = over[3] / 255.0 + kept;
    for (int c = 0; c < 3 && alpha > 0.0; c++) {
        const double light = over[c] / 255.0 + kept * read_two_bytes(rgba + 2 * c);
        put_two_bytes(light / alpha, rgba + 2 * c);
    }
    put_two_bytes(alpha, rgba + 6);
}

/* The first span that ends beyond a pixel. */
static int find_span(const annotate_overlay *overlay, int64_t pix0)
{
    int lo = 0, hi = overlay->nspans;
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (overlay->spans[middle].pix0 + overlay->spans[middle].npix > pix0) {
            hi = middle;
        } else {
            lo = middle + 1;
        }
    }
    return lo;
}

/* Blends by `blend` over pixels of so many bytes. */
static void blend_range(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                        void (*blend)(const uint8_t *, uint8_t *), int pixel_bytes,
                        uint8_t *pixels)
{
    const int64_t end = pix0 + npix;
    for (int n = find_span(overlay, pix0); n < overlay->nspans; n++) {
        const overlay_span *span = &overlay->spans[n];
        if (span->pix0 >= end) {
            break;
        }
        const int64_t span_end = span->pix0 + span->npix;
        const int64_t from = span->pix0 > pix0 ? span->pix0 : pix0;
        const int64_t to = span_end < end ? span_end : end;
        const uint8_t *over = overlay->pixels + 4 * span->first;
        for (int64_t p = from; p < to; p++) {
            blend(over + 4 * (p - span->pix0), pixels + pixel_bytes * (p - pix0));
        }
    }
}

void annotate_blend_rgb8(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                         uint8_t *rgb)
{
    blend_range(overlay, pix0, npix, blend_rgb, 3, rgb);
}

void annotate_blend_rgba8(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                          uint8_t *rgba)
{
    blend_range(overlay, pix0, npix, blend_rgba, 4, rgba);
}

void annotate_blend_rgb16(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                          uint8_t *rgb)
{
    blend_range(overlay, pix0, npix, blend_rgb16, 6, rgb);
}

void annotate_blend_rgba16(const annotate_overlay *overlay, int64_t pix0, int64_t npix,
                           uint8_t *rgba)
{
    blend_range(overlay, pix0, npix, blend_rgba16, 8, rgba);
}

/*
 * Leaving out transparent pixels: each rank covers only part of the picture, and what it
 * does not cover is most of the bytes. Run lengths as in J. Ahrens, J. Painter,
 * "Efficient sort-last rendering using compression-based image compositing", 1998; the
 * rectangle spares the search for active pixels outside it, and with that the memory of
 * pages that nobody ever wrote.
 */
#include "composite/encode.h"

#include "composite/blend.h"

#include <math.h>
#include <string.h>

enum {
    HEADER_WORDS = 2 /* of a run: first, count */
};

/* Walks the pixels [next, end) of an image that lie in its active rectangle. */
typedef struct walk {
    const image *img;
    int64_t next, end;
} walk;

/* The next pixels [*begin, *end) that lie in one piece; false after the last. */
static bool next_span(walk *at, int64_t *begin, int64_t *end)
{
    const pixel_rect active = at->img->active;
    const int64_t width = at->img->width;
    if (pixel_rect_is_empty(active)) {
        return false;
    }
    int64_t y = at->next / width;
    int64_t x = at->next % width;
    if (y < active.y0) {
        y = active.y0;
        x = active.x0;
    } else if (x >= active.x1) {
        y++;
        x = active.x0;
    } else if (x < active.x0) {
        x = active.x0;
    }
    /* Rows that fill the picture's width follow each other without a gap. */
    const bool full = active.x0 == 0 && active.x1 == width;
    int64_t stop = full ? active.y1 * width : y * width + active.x1;
    *begin = y * width + x;
    *end = stop < at->end ? stop : at->end;
    at->next = *end;
    return y < active.y1 && *begin < *end;
}

static bool is_transparent(const image *img, int64_t pixel)
{
    uint64_t bits[2];
    memcpy(bits, img->rgba + 4 * pixel, sizeof bits);
    return (bits[0] | bits[1]) == 0 && (!img->depth || img->depth[pixel] == INFINITY);
}

/* Walks the runs of active pixels. */
typedef struct run_walk {
    walk spans;
    int64_t next, end; /* what is left of the present span */
} run_walk;

static run_walk start_runs(const image *img, int64_t pix0, int64_t npix)
{
    return (run_walk){.spans = {img, pix0, pix0 + npix}};
}

/* The next run of active pixels; false after the last. */
static bool next_run(run_walk *at, int64_t *first, int64_t *count)
{
    const image *img = at->spans.img;
    for (;;) {
        while (at->next < at->end && is_transparent(img, at->next)) {
            at->next++;
        }
        if (at->next < at->end) {
            break;
        }
        if (!next_span(&at->spans, &at->next, &at->end)) {
            at->next = at->end = 0;
            return false;
        }
    }
    *first = at->next;
    while (at->next < at->end && !is_transparent(img, at->next)) {
        at->next++;
    }
    *count = at->next - *first;
    return true;
}

static int64_t pixel_words(const image *img)
{
    return img->depth ? 5 : 4;
}

int64_t composite_raw_bytes(const image *img, int64_t npix)
{
    return npix * pixel_words(img) * (int64_t)sizeof(float);
}

int64_t composite_encoded_limit(const image *img, int64_t npix)
{
    return npix * pixel_words(img) * 3 / 4 * (int64_t)sizeof(float);
}

/* Words of the encoded payload. */
static int64_t count_words(const image *img, int64_t pix0, int64_t npix)
{
    run_walk runs = start_runs(img, pix0, npix);
    int64_t words = 0;
    int64_t first;
    int64_t count;
    while (next_run(&runs, &first, &count)) {
        words += HEADER_WORDS + count * pixel_words(img);
    }
    return words;
}

/* Writes one run; returns the end of what it wrote. */
static float *write_run(const image *img, int64_t pix0, int64_t first, int64_t count,
                        float *out)
{
    const uint32_t header[HEADER_WORDS] = {(uint32_t)(first - pix0), (uint32_t)count};
    memcpy(out, header, sizeof header);
    out += HEADER_WORDS;
    memcpy(out, img->rgba + 4 * first, (size_t)count * 4 * sizeof *out);
    out += 4 * count;
    if (img->depth) {
        memcpy(out, img->depth + first, (size_t)count * sizeof *out);
        out += count;
    }
    return out;
}

bool composite_encode(const image *img, int64_t pix0, int64_t npix, float *out,
                      int64_t *bytes)
{
    /* Counting first reads the pixels twice, the second time from the cache; it spares
     * copying dense images for nothing. */
    const int64_t wanted = count_words(img, pix0, npix) * (int64_t)sizeof(float);
    if (wanted > composite_encoded_limit(img, npix)) {
        return false;
    }
    run_walk runs = start_runs(img, pix0, npix);
    int64_t first;
    int64_t count;
    while (next_run(&runs, &first, &count)) {
        out = write_run(img, pix0, first, count, out);
    }
    *bytes = wanted;
    return true;
}

/* Makes the active rectangle hold a range of pixels. */
static void grow_active(image *img, int64_t first, int64_t count)
{
    const int width = img->width;
    const int64_t last = first + count - 1;
    const bool one_row = first / width == last / width;
    pixel_rect r = {.x0 = one_row ? (int)(first % width) : 0,
                    .y0 = (int)(first / width),
                    .x1 = one_row ? (int)(last % width) + 1 : width,
                    .y1 = (int)(last / width) + 1};
    pixel_rect *active = &img->active;
    if (pixel_rect_is_empty(*active)) {
        *active = r;
        return;
    }
    active->x0 = r.x0 < active->x0 ? r.x0 : active->x0;
    active->y0 = r.y0 < active->y0 ? r.y0 : active->y0;
    active->x1 = r.x1 > active->x1 ? r.x1 : active->x1;
    active->y1 = r.y1 > active->y1 ? r.y1 : active->y1;
}

/* Merges a row of pixels; depth is NULL where the image has none. */
static void merge_run(composite_operator op, bool in_front, const float *rgba,
                      const float *depth, int64_t first, int64_t count, image *img)
{
    float *image_rgba = img->rgba + 4 * first;
    grow_active(img, first, count);
    if (op == COMPOSITE_NEAREST) {
        composite_blend_nearest(count, in_front, rgba, depth, image_rgba,
                                img->depth + first);
        return;
    }
    if (in_front) {
        composite_blend_front(count, rgba, image_rgba);
    } else {
        composite_blend_back(count, rgba, image_rgba);
    }
    if (img->depth) {
        composite_blend_depth(count, depth, img->depth + first);
    }
}

int64_t composite_merge(composite_operator op, bool in_front, const float *payload,
                        int64_t bytes, int64_t pix0, int64_t npix, image *img)
{
    if (bytes == composite_raw_bytes(img, npix)) {
        merge_run(op, in_front, payload, payload + 4 * npix, pix0, npix, img);
        return npix;
    }
    const float *end = payload + bytes / (int64_t)sizeof *payload;
    int64_t blended = 0;
    while (payload < end) {
        uint32_t header[HEADER_WORDS];
        memcpy(header, payload, sizeof header);
        const int64_t count = header[1];
        const float *rgba = payload + HEADER_WORDS;
        merge_run(op, in_front, rgba, rgba + 4 * count, pix0 + header[0], count, img);
        payload = rgba + count * pixel_words(img);
        blended += count;
    }
    return blended;
}

void composite_erase(int64_t pix0, int64_t npix, image *img)
{
    walk spans = {img, pix0, pix0 + npix};
    int64_t begin;
    int64_t end;
    while (next_span(&spans, &begin, &end)) {
        memset(img->rgba + 4 * begin, 0, (size_t)(end - begin) * 4 * sizeof *img->rgba);
        for (int64_t i = begin; img->depth && i < end; i++) {
            img->depth[i] = INFINITY;
        }
    }
}

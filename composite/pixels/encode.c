/*
 * Leaving out transparent pixels: each rank covers only part of the picture, and what it
 * does not cover is most of the bytes. Run lengths as in J. Ahrens, J. Painter,
 * "Efficient sort-last rendering using compression-based image compositing", 1998; the
 * rectangle spares the search for active pixels outside it, and with that the memory of
 * pages that nobody ever wrote.
 */
#include "encode.h"

#include "blend.h"
#include "runs.h"

#include <math.h>
#include <string.h>

enum {
    HEADER_WORDS = 2 /* of a run: first, count */
};

/* ---- Encoding ---------------------------------------------------------------------- */

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

enum {
    SAMPLES = 20,
    DENSE_SAMPLES = 19,            /* so many of them active: it will not pay */
    FEWEST_SAMPLED = 100 * SAMPLES /* pixels; fewer are as quickly counted */
};

static bool is_active(const image *img, int64_t pixel)
{
    const pixel_rect r = img->active;
    const int x = (int)((uint32_t)pixel % (uint32_t)img->width);
    const int y = (int)((uint32_t)pixel / (uint32_t)img->width);
    if (x < r.x0 || x >= r.x1 || y < r.y0 || y >= r.y1) {
        return false;
    }
    uint64_t bits[2];
    memcpy(bits, img->rgba + 4 * pixel, sizeof bits);
    return (bits[0] | bits[1]) != 0 || (img->depth && img->depth[pixel] != INFINITY);
}

/*
 * Whether a range is so dense that counting its runs would only cost time: the pixels are
 * about to be copied, and once more through memory is once too often. Samples are
 * scattered by multiples of the golden ratio, which fall into no step with the rows of a
 * picture. By chance a range that encoding could make shorter is taken for dense and sent
 * raw: one in forty where three quarters of it are active, one in 50 000 at a half.
 */
static bool looks_dense(const image *img, int64_t pix0, int64_t npix)
{
    const uint64_t golden = 2654435769u; /* 2^32 / 1.618... */
    int64_t at[SAMPLES];
    int misses = 0;
    /* All are asked for before the first is looked at: each is far from the others in
     * memory, and they should arrive together. */
    for (uint64_t n = 0; n < SAMPLES; n++) {
        const uint64_t fraction = (n * golden) & UINT32_MAX;
        at[n] = pix0 + (int64_t)(fraction * (uint64_t)npix >> 32);
        __builtin_prefetch(img->rgba + 4 * at[n]);
    }
    for (int n = 0; n < SAMPLES && misses <= SAMPLES - DENSE_SAMPLES; n++) {
        misses += !is_active(img, at[n]);
    }
    return misses <= SAMPLES - DENSE_SAMPLES;
}

/* Words of the runs of a span; of more than `most`, only so many that there are more. */
static int64_t count_span(const image *img, int64_t begin, int64_t end, int64_t most)
{
    int64_t words = 0;
    uint64_t before = 0; /* whether the last pixel of the block before is active */
    for (int64_t i = begin; i < end && words <= most; i += BLEND_ACTIVE_MOST) {
        const int64_t left = end - i;
        const uint64_t bits = composite_runs_active(
            img, i, left < BLEND_ACTIVE_MOST ? left : BLEND_ACTIVE_MOST);
        const uint64_t starts = bits & ~(bits << 1 | before);
        words += __builtin_popcountll(starts) * HEADER_WORDS;
        words += __builtin_popcountll(bits) * pixel_words(img);
        before = bits >> (BLEND_ACTIVE_MOST - 1);
    }
    return words;
}

/* Words of the encoded payload; of more than `most`, only so many that there are more. */
static int64_t count_words(const image *img, int64_t pix0, int64_t npix, int64_t most)
{
    composite_spans spans = {img->width, img->active, pix0, pix0 + npix};
    int64_t words = 0;
    int64_t begin;
    int64_t end;
    while (words <= most && composite_spans_next(&spans, &begin, &end)) {
        words += count_span(img, begin, end, most - words);
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
    const int64_t word = (int64_t)sizeof(float);
    const int64_t most = composite_encoded_limit(img, npix) / word;
    if (npix >= FEWEST_SAMPLED && looks_dense(img, pix0, npix)) {
        return false;
    }
    /* Counting first reads the pixels twice, the second time from the cache; it spares
     * copying images for nothing. */
    const int64_t words = count_words(img, pix0, npix, most);
    if (words > most) {
        return false;
    }
    composite_runs runs = composite_runs_start(img, pix0, npix);
    int64_t first;
    int64_t count;
    while (composite_runs_next(&runs, &first, &count)) {
        out = write_run(img, pix0, first, count, out);
    }
    *bytes = words * word;
    return true;
}

/* ---- Merging ----------------------------------------------------------------------- */

static int smaller_int(int a, int b)
{
    return a < b ? a : b;
}

static int larger_int(int a, int b)
{
    return a > b ? a : b;
}

/* Makes the active rectangle hold a range of pixels. Most are a part of one row: then one
 * division, of 32 bits, says where. */
static void grow_active(image *img, int64_t first, int64_t count)
{
    const uint32_t width = (uint32_t)img->width;
    const uint32_t y = (uint32_t)first / width;
    const uint32_t x = (uint32_t)first % width;
    const uint32_t end = x + (uint32_t)count; /* from the beginning of that row */
    pixel_rect r = {(int)x, (int)y, (int)end, (int)y + 1};
    if (end > width) {
        r.x0 = 0;
        r.x1 = img->width;
        r.y1 = (int)(y + (end - 1) / width) + 1;
    }
    pixel_rect *active = &img->active;
    if (pixel_rect_is_empty(*active)) {
        *active = r;
        return;
    }
    active->x0 = smaller_int(r.x0, active->x0);
    active->y0 = smaller_int(r.y0, active->y0);
    active->x1 = larger_int(r.x1, active->x1);
    active->y1 = larger_int(r.y1, active->y1);
}

/* Merges a row of `count` pixels from `first` on; its depth is read where the image has
 * one. */
static void merge_run(composite_operator op, bool in_front, blend_source run,
                      int64_t first, int64_t count, image *img)
{
    float *image_rgba = img->rgba + 4 * first;
    grow_active(img, first, count);
    if (op == COMPOSITE_NEAREST) {
        composite_blend_nearest(count, in_front, run, image_rgba, img->depth + first);
        return;
    }
    if (in_front) {
        composite_blend_front(count, run.rgba, image_rgba);
    } else {
        composite_blend_back(count, run.rgba, image_rgba);
    }
    if (img->depth) {
        composite_blend_depth(count, run.depth, img->depth + first);
    }
}

/* The rest of an encoded payload. */
typedef struct run_reader {
    const float *next, *end;
    int64_t pixel; /* runs ascend: none begins before this pixel of the range */
} run_reader;

/* The next run of a range of npix pixels. False where the payload ends too early or the
 * run lies elsewhere. */
static bool read_run(run_reader *from, int64_t npix, int64_t words_per_pixel,
                     int64_t *first, int64_t *count, const float **rgba)
{
    uint32_t header[HEADER_WORDS];
    if (from->end - from->next < HEADER_WORDS) {
        return false;
    }
    memcpy(header, from->next, sizeof header);
    *rgba = from->next + HEADER_WORDS;
    *first = header[0];
    *count = header[1];
    if (*first < from->pixel || *count < 1 || *count > npix - *first ||
        *count > (from->end - *rgba) / words_per_pixel) {
        return false;
    }
    from->next = *rgba + *count * words_per_pixel;
    from->pixel = *first + *count;
    return true;
}

/* The planes of `count` pixels that follow each other in a payload. */
static blend_source planes_of(const float *rgba, int64_t count)
{
    return (blend_source){rgba, rgba + 4 * count};
}

int64_t composite_merge(composite_operator op, const composite_payload *payload,
                        image *img)
{
    const int64_t npix = payload->npix;
    const int64_t bytes = payload->bytes;
    const int64_t raw = composite_raw_bytes(img, npix);
    const bool in_front = payload->in_front;
    if (bytes == raw && npix > 0) {
        merge_run(op, in_front, planes_of(payload->words, npix), payload->pix0, npix,
                  img);
        return npix;
    }
    if (bytes < 0 || bytes > raw || bytes % (int64_t)sizeof(float) != 0) {
        return -1;
    }
    run_reader from = {payload->words, payload->words + bytes / (int64_t)sizeof(float),
                       0};
    int64_t blended = 0;
    while (from.next < from.end) {
        int64_t first;
        int64_t count;
        const float *rgba;
        if (!read_run(&from, npix, pixel_words(img), &first, &count, &rgba)) {
            return -1;
        }
        merge_run(op, in_front, planes_of(rgba, count), payload->pix0 + first, count,
                  img);
        blended += count;
    }
    return blended;
}

/* ---- Erasing ----------------------------------------------------------------------- */

void composite_erase(int64_t pix0, int64_t npix, image *img)
{
    composite_spans spans = {img->width, img->active, pix0, pix0 + npix};
    int64_t begin;
    int64_t end;
    while (composite_spans_next(&spans, &begin, &end)) {
        memset(img->rgba + 4 * begin, 0, (size_t)(end - begin) * 4 * sizeof *img->rgba);
        for (int64_t i = begin; img->depth && i < end; i++) {
            img->depth[i] = INFINITY;
        }
    }
}

#include "samples.h"

#include "halo.h"

#include "base/parallel/parallel.h"
#include "base/system.h"
#include "render/view/edges.h"

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

/* Allocates for so many pixels. The sums come first, then the other arrays. */
static status reserve(app_samples *samples, const image *img, int64_t count)
{
    const size_t pixels = (size_t)count + 1;
    if (samples->rgba && count <= samples->capacity) {
        return STATUS_OK;
    }
    app_samples_clear(samples);
    const size_t all = 4U + (img->depth ? 1U : 0U) + (samples->are_adaptive ? 5U : 0U);
    const size_t bytes = pixels * all * sizeof(float);
    samples->rgba = base_allocate_pages(bytes);
    if (!samples->rgba) {
        return base_fail_memory(bytes, "the samples of a picture");
    }
    samples->capacity = count;
    samples->bytes = bytes;
    float *next = samples->rgba + 4 * pixels;
    if (img->depth) {
        samples->depth = next;
        next += pixels;
    }
    if (samples->are_adaptive) {
        samples->base = next;
        samples->weights = next + 4 * pixels;
    }
    return STATUS_OK;
}

/* Keeps the ranges of adaptive samples, for app_samples_refine. */
static status keep_ranges(app_samples *samples, const app_samples_part *part)
{
    const size_t bytes = (size_t)part->count * sizeof *samples->ranges;
    free(samples->ranges);
    samples->nranges = part->count;
    samples->ranges = malloc(bytes + 1);
    if (!samples->ranges) {
        samples->nranges = 0;
        return base_fail_memory(bytes, "the samples of a picture");
    }
    if (part->count > 0) {
        memcpy(samples->ranges, part->ranges, bytes);
    }
    return STATUS_OK;
}

/* Begins a picture: all sums are zero. */
static status begin(app_samples *samples, const app_samples_part *part)
{
    const int64_t count = count_pixels(part);
    samples->npixels = count;
    samples->active = (pixel_rect){0, 0, 0, 0};
    status s = reserve(samples, part->img, count);
    s = s == STATUS_OK && samples->are_adaptive ? keep_ranges(samples, part) : s;
    if (s != STATUS_OK) {
        return s;
    }
    memset(samples->rgba, 0, (size_t)count * 4 * sizeof *samples->rgba);
    for (int64_t n = 0; samples->depth && n < count; n++) {
        samples->depth[n] = INFINITY;
    }
    return STATUS_OK;
}

/* The weight of the current one of the further adaptive samples: 1, but for the last. */
static float find_weight(const app_samples *samples)
{
    return (float)fmin(1.0, samples->wanted + 1.0 - samples->number);
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

/* Adds the colours of `count` pixels. */
static void add_colors(const float *rgba, int64_t count, float weight, float *sums)
{
    for (int64_t n = 0; n < 4 * count; n++) {
        sums[n] += weight * rgba[n];
    }
}

/* Adds the pixels of the mask in a range; `at`: the sums of the first one. */
static void add_edges(const app_samples *samples, const image *img, io_png_range range,
                      int64_t at)
{
    const int64_t pitch = (img->width + 7) / 8;
    const float weight = find_weight(samples);
    const int64_t end = range.pix0 + range.npix;
    for (int64_t pixel = range.pix0; pixel < end;) {
        const int x = (int)(pixel % img->width);
        const unsigned byte = samples->mask[pixel / img->width * pitch + x / 8];
        const unsigned bits = byte >> x % 8;
        if (bits & 1u) {
            add_colors(img->rgba + 4 * pixel, 1, weight,
                       samples->rgba + 4 * (at + pixel - range.pix0));
        }
        /* Without a bit goes on to the next byte, or to the next row. */
        const int rest = 8 - x % 8 < img->width - x ? 8 - x % 8 : img->width - x;
        pixel += bits ? 1 : rest;
    }
}

/* Adds pixels; `at`: the sums of the first one. */
static void add(const image *img, io_png_range pixels, int64_t at, app_samples *samples)
{
    if (!samples->are_adaptive) {
        add_colors(img->rgba + 4 * pixels.pix0, pixels.npix, 1.0f,
                   samples->rgba + 4 * at);
    } else if (samples->number > 0) {
        add_edges(samples, img, pixels, at);
    }
    /* Not of edges alone: a pixel just beyond them has the depth of one sample. */
    const bool adds_depth =
        samples->depth && (!samples->are_adaptive || !samples->number);
    for (int64_t n = 0; adds_depth && n < pixels.npix; n++) {
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
}

/* Makes the pixels of a range the first sample, and at edges the mean of the others. */
static void mix(const app_samples *samples, io_png_range range, int64_t at, image *img)
{
    const float share = 1.0f / (float)samples->wanted;
    for (int64_t n = 0; n < range.npix; n++) {
        const float weight = samples->weights[at + n];
        const float *first = samples->base + 4 * (at + n);
        const float *sums = samples->rgba + 4 * (at + n);
        float *out = img->rgba + 4 * (range.pix0 + n);
        for (int c = 0; c < 4; c++) {
            out[c] = weight > 0.0f ? first[c] + weight * (share * sums[c] - first[c])
                                   : first[c];
        }
    }
}

/* Keeps the first sample. */
static void keep_base(app_samples *samples, const app_samples_part *part)
{
    int64_t at = 0;
    for (int n = 0; n < part->count; n++) {
        const io_png_range *range = &part->ranges[n];
        memcpy(samples->base + 4 * at, part->img->rgba + 4 * range->pix0,
               (size_t)range->npix * 4 * sizeof *samples->base);
        at += range->npix;
    }
}

static void write_all(const app_samples *samples, const app_samples_part *part)
{
    int64_t at = 0;
    for (int n = 0; n < part->count; n++) {
        const io_png_range *range = &part->ranges[n];
        if (samples->are_adaptive) {
            mix(samples, *range, at, part->img);
        } else {
            write(samples, *range, at, part->img);
        }
        if (samples->depth) {
            memcpy(part->img->depth + range->pix0, samples->depth + at,
                   (size_t)range->npix * sizeof *samples->depth);
        }
        at += range->npix;
    }
    part->img->active = samples->active;
    part->img->columns = NULL;
}

status app_samples_take(app_samples *samples, const app_samples_part *part)
{
    if (!app_samples_are_several(samples)) {
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
    if (samples->are_adaptive && samples->number == 0) {
        keep_base(samples, part);
    } else if (app_samples_is_last(samples)) {
        write_all(samples, part);
    }
    return STATUS_OK;
}

/* ---- Adaptive samples -------------------------------------------------------------- */

/* If edges are many: further samples of all pixels together, as many times the pixels
 * that show something, but at least so many, which take no noticeable time; the fewest
 * and the most of a pixel at an edge. */
static const double BUDGET = 0.9, FREE = 32768.0;
enum { FEWEST = 4, MOST = 33 };

/* The order of the lattice's samples. Each next one is the one with which they show edges
 * best so far, so that fewer than all do well, too. */
static const int order[MOST] = {13, 25, 3,  24, 14, 11, 22, 28, 12, 2,  29,
                                6,  21, 10, 27, 1,  18, 26, 7,  15, 30, 5,
                                16, 20, 4,  31, 8,  23, 17, 9,  32, 19, 0};

void app_samples_aim(const app_samples *samples, render_camera *camera)
{
    double shift[2] = {0.0, 0.0};
    const int number = samples->number;
    if (!samples->are_adaptive) {
        render_sample_shift(samples->filter, number, samples->count, shift);
    } else if (number > 0) {
        render_sample_shift(samples->filter, order[number - 1], MOST, shift);
        camera->mask = samples->mask;
    }
    render_camera_shift(camera, shift);
}

/* Counts of pixels; those of edges and visible ones are broken numbers. */
typedef struct edge_sums {
    double edges, visible, masked;
} edge_sums;

/* Finds weights and mask of this rank's pixels. */
static edge_sums find_edges(app_samples *samples, const image *img, int threads)
{
    edge_sums sum = {0.0, 0.0, 0.0};
    int64_t at = 0;
    for (int n = 0; n < samples->nranges; n++) {
        const io_png_range *range = &samples->ranges[n];
        float *weights = samples->weights + at;
        const render_edge_counts found =
            render_edges_find(img, range->pix0, range->npix, threads, weights);
        sum.edges += found.edges;
        sum.visible += found.visible;
        sum.masked += (double)render_mask_add(img->width, range->pix0, range->npix,
                                              weights, samples->mask);
        at += range->npix;
    }
    return sum;
}

/* So many further samples, by the sums of all ranks, which are exact. */
static double find_wanted(const edge_sums *sum)
{
    const double budget = fmax(BUDGET * sum->visible, FREE);
    return sum->masked > 0.0 ? fmin(fmax(budget / fmax(sum->edges, 1e-9), FEWEST), MOST)
                             : 0.0;
}

status app_samples_refine(app_samples *samples, MPI_Comm comm, image *img, int threads,
                          status failed)
{
    const int64_t bytes = render_mask_bytes(img->width, img->height);
    app_halo halo;
    status s = failed;
    if (!samples->mask) {
        samples->mask = malloc((size_t)bytes);
    }
    if (s == STATUS_OK && !samples->mask) {
        s = base_fail_memory((size_t)bytes, "the samples of a picture");
    }
    s = app_halo_bring(comm, img, samples->nranges, samples->ranges, s, &halo);
    if (s != STATUS_OK) {
        return s;
    }
    memset(samples->mask, 0, (size_t)bytes);
    app_halo_put(&halo, img);
    const edge_sums mine = find_edges(samples, img, threads);
    app_halo_take_back(&halo, img);
    app_halo_clear(&halo);
    edge_sums all;
    parallel_allreduce(&mine, &all, 3, MPI_DOUBLE, MPI_SUM, comm);
    samples->wanted = find_wanted(&all);
    if (samples->wanted > 0.0) {
        parallel_allreduce(MPI_IN_PLACE, samples->mask, parallel_count(bytes), MPI_BYTE,
                           MPI_BOR, comm);
    }
    samples->count = 1 + (int)ceil(samples->wanted);
    return STATUS_OK;
}

void app_samples_clear(app_samples *samples)
{
    base_free_pages(samples->rgba, samples->bytes);
    free(samples->mask);
    free(samples->ranges);
    samples->rgba = samples->depth = samples->base = samples->weights = NULL;
    samples->mask = NULL;
    samples->ranges = NULL;
    samples->nranges = 0;
    samples->capacity = 0;
    samples->bytes = 0;
}

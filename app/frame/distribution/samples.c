#include "samples.h"

#include "halo.h"

#include "base/array.h"
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

/* Allocates for so many pixels: colours, then depths. */
static status reserve(app_samples *samples, const image *img, int64_t count)
{
    const size_t pixels = (size_t)count + 1;
    if (samples->rgba && count <= samples->capacity) {
        return STATUS_OK;
    }
    app_samples_clear(samples);
    const size_t bytes = pixels * (img->depth ? 5 : 4) * sizeof(float);
    samples->rgba = base_allocate_pages(bytes);
    if (!samples->rgba) {
        return base_fail_memory(bytes, "the samples of a picture");
    }
    samples->capacity = count;
    samples->bytes = bytes;
    samples->depth = img->depth ? samples->rgba + 4 * pixels : NULL;
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

/* Begins a picture. */
static status begin(app_samples *samples, const app_samples_part *part)
{
    const int64_t count = count_pixels(part);
    samples->npixels = count;
    samples->active = (pixel_rect){0, 0, 0, 0};
    status s = reserve(samples, part->img, count);
    if (s != STATUS_OK || samples->are_adaptive) {
        return s == STATUS_OK ? keep_ranges(samples, part) : s;
    }
    memset(samples->rgba, 0, (size_t)count * 4 * sizeof *samples->rgba);
    for (int64_t n = 0; samples->depth && n < count; n++) {
        samples->depth[n] = INFINITY;
    }
    return STATUS_OK;
}

/* The pixels in rows that may show something. */
static io_png_range shown_rows(const image *img)
{
    const pixel_rect shown = img->active;
    return pixel_rect_is_empty(shown)
               ? (io_png_range){0, 0}
               : (io_png_range){(int64_t)shown.y0 * img->width,
                                (int64_t)(shown.y1 - shown.y0) * img->width};
}

/* The pixels of a range in rows that may show something. */
static io_png_range shown_part(const image *img, io_png_range range)
{
    const io_png_range rows = shown_rows(img);
    const int64_t end = rows.pix0 + rows.npix;
    const int64_t first = range.pix0 > rows.pix0 ? range.pix0 : rows.pix0;
    const int64_t behind = range.pix0 + range.npix < end ? range.pix0 + range.npix : end;
    return (io_png_range){first, first < behind ? behind - first : 0};
}

/* ---- All samples of all pixels ----------------------------------------------------- */

/* Adds pixels; `at`: the sums of the first one. */
static void add(const image *img, io_png_range pixels, int64_t at, app_samples *samples)
{
    for (int64_t n = 0; n < 4 * pixels.npix; n++) {
        samples->rgba[4 * at + n] += img->rgba[4 * pixels.pix0 + n];
    }
    for (int64_t n = 0; samples->depth && n < pixels.npix; n++) {
        samples->depth[at + n] =
            fminf(samples->depth[at + n], img->depth[pixels.pix0 + n]);
    }
}

static void add_all(app_samples *samples, const app_samples_part *part)
{
    int64_t at = 0;
    for (int n = 0; n < part->count; n++) {
        const io_png_range shown = shown_part(part->img, part->ranges[n]);
        add(part->img, shown, at + shown.pix0 - part->ranges[n].pix0, samples);
        at += part->ranges[n].npix;
    }
}

/* Makes sums the mean. */
static void divide(app_samples *samples)
{
    const float share = 1.0f / (float)samples->count;
    for (int64_t n = 0; n < 4 * samples->npixels; n++) {
        samples->rgba[n] *= share;
    }
}

/* ---- Further samples at edges ------------------------------------------------------ */

/* Keeps the first sample. Depths are not those of further ones: a pixel just beyond edges
 * has that of one sample, too. */
static void keep_first(app_samples *samples, const app_samples_part *part)
{
    const image *img = part->img;
    int64_t at = 0;
    for (int n = 0; n < part->count; n++) {
        const io_png_range *range = &part->ranges[n];
        memcpy(samples->rgba + 4 * at, img->rgba + 4 * range->pix0,
               (size_t)range->npix * 4 * sizeof *samples->rgba);
        if (samples->depth) {
            memcpy(samples->depth + at, img->depth + range->pix0,
                   (size_t)range->npix * sizeof *samples->depth);
        }
        at += range->npix;
    }
}

/* The weight of the current one of the further adaptive samples: 1, but for the last. */
static float find_weight(const app_samples *samples)
{
    return (float)fmin(1.0, samples->wanted + 1.0 - samples->number);
}

/* Adds the pixels at edges. */
static void add_edges(const app_samples *samples, const image *img)
{
    const io_png_range rows = shown_rows(img);
    const float weight = find_weight(samples);
    for (int64_t n = 0; n < samples->nedges; n++) {
        app_samples_edge *edge = &samples->edges[n];
        const float *rgba = img->rgba + 4 * edge->pixel;
        const int64_t from_top = edge->pixel - rows.pix0;
        for (int c = 0; c < 4 && from_top >= 0 && from_top < rows.npix; c++) {
            edge->sums[c] += weight * rgba[c];
        }
    }
}

/* Mixes the first sample, which the image has, with the mean of the others at edges. */
static void mix_edges(const app_samples *samples, image *img)
{
    const float share = 1.0f / (float)samples->wanted;
    for (int64_t n = 0; n < samples->nedges; n++) {
        const app_samples_edge *edge = &samples->edges[n];
        float *rgba = img->rgba + 4 * edge->pixel;
        for (int c = 0; c < 4; c++) {
            rgba[c] += edge->weight * (share * edge->sums[c] - rgba[c]);
        }
    }
}

/* ---- Both -------------------------------------------------------------------------- */

/* Gives the image what is kept. */
static void write_all(const app_samples *samples, const app_samples_part *part)
{
    image *img = part->img;
    int64_t at = 0;
    for (int n = 0; n < part->count; n++) {
        const io_png_range *range = &part->ranges[n];
        memcpy(img->rgba + 4 * range->pix0, samples->rgba + 4 * at,
               (size_t)range->npix * 4 * sizeof *samples->rgba);
        if (samples->depth) {
            memcpy(img->depth + range->pix0, samples->depth + at,
                   (size_t)range->npix * sizeof *samples->depth);
        }
        at += range->npix;
    }
    img->active = samples->active;
    img->columns = NULL;
}

/* Makes the image the mean. */
static void finish(app_samples *samples, const app_samples_part *part)
{
    if (samples->are_adaptive) {
        write_all(samples, part);
        mix_edges(samples, part->img);
    } else {
        divide(samples);
        write_all(samples, part);
    }
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
    pixel_rect_grow(&samples->active, part->img->active);
    if (!samples->are_adaptive) {
        add_all(samples, part);
    } else if (samples->number == 0) {
        keep_first(samples, part);
        return STATUS_OK;
    } else {
        add_edges(samples, part->img);
    }
    if (app_samples_is_last(samples)) {
        finish(samples, part);
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

/* Counts of pixels; those of edges and visible ones may be fractions. */
typedef struct edge_sums {
    double edges, visible, masked;
} edge_sums;

/* Appends the pixels with a weight; weights: [npix], of these pixels. Returns false
 * without memory. */
static bool append_edges(app_samples *samples, io_png_range pixels, int64_t count,
                         const float *weights)
{
    const int64_t all = samples->nedges + count;
    app_samples_edge *edges =
        count > 0 ? base_array_reserve(samples->edges, &samples->edges_capacity, all,
                                       sizeof *edges)
                  : samples->edges;
    if (count > 0 && !edges) {
        return false;
    }
    samples->edges = edges;
    for (int64_t n = 0; n < pixels.npix && samples->nedges < all; n++) {
        if (weights[n] > 0.0f) {
            samples->edges[samples->nedges++] =
                (app_samples_edge){.pixel = pixels.pix0 + n, .weight = weights[n]};
        }
    }
    return true;
}

/* Finds the edges among some of this rank's pixels. */
static bool find_some(app_samples *samples, const image *img, io_png_range pixels,
                      int threads, float *weights, edge_sums *sum)
{
    const render_edge_counts found =
        render_edges_find(img, pixels.pix0, pixels.npix, threads, weights);
    const int64_t masked =
        render_mask_add(img->width, pixels.pix0, pixels.npix, weights, samples->mask);
    sum->edges += found.edges;
    sum->visible += found.visible;
    sum->masked += (double)masked;
    return append_edges(samples, pixels, masked, weights);
}

/* Finds edges and mask of this rank's pixels, some at a time: few of them are at edges.
 */
static status find_edges(app_samples *samples, const image *img, int threads,
                         edge_sums *sum)
{
    enum { SOME = 1 << 16 };
    const size_t bytes = SOME * sizeof(float);
    float *weights = malloc(bytes);
    bool has_memory = weights != NULL;
    samples->nedges = 0;
    for (int r = 0; r < samples->nranges; r++) {
        const io_png_range *range = &samples->ranges[r];
        for (int64_t n = 0; n < range->npix && has_memory; n += SOME) {
            const int64_t rest = range->npix - n;
            const io_png_range some = {range->pix0 + n, rest < SOME ? rest : SOME};
            has_memory = find_some(samples, img, some, threads, weights, sum);
        }
    }
    free(weights);
    return has_memory ? STATUS_OK : base_fail_memory(bytes, "the samples of a picture");
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
    edge_sums mine = {0.0, 0.0, 0.0}, all;
    s = parallel_agree(comm, find_edges(samples, img, threads, &mine));
    app_halo_take_back(&halo, img);
    app_halo_clear(&halo);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_allreduce(&mine, &all, 3, MPI_DOUBLE, MPI_SUM, comm);
    samples->wanted = find_wanted(&all);
    if (samples->wanted > 0.0) {
        parallel_allreduce(MPI_IN_PLACE, samples->mask, parallel_count(bytes), MPI_BYTE,
                           MPI_BOR, comm);
    }
    samples->count = 1 + (int)ceil(samples->wanted);
    free(samples->before);
    samples->before = NULL;
    samples->set.count = 0;
    return STATUS_OK;
}

/* ---- Several samples drawn together ------------------------------------------------ */

/* Numbers the pixels of the mask. */
static status number_mask(app_samples *samples, int width, int height)
{
    const size_t bytes =
        (size_t)render_mask_bytes(width, height) * sizeof *samples->before;
    samples->before = malloc(bytes);
    if (!samples->before) {
        return base_fail_memory(bytes, "the samples of a picture");
    }
    samples->set.before = samples->before;
    samples->set.npixels =
        render_mask_number(width, height, samples->mask, samples->before);
    return STATUS_OK;
}

/* Allocates the colours of the set, which are zero. */
static status reserve_set(app_samples *samples)
{
    render_sample_set *set = &samples->set;
    const size_t bytes = (size_t)set->count * (size_t)set->npixels * 4 * sizeof(float);
    if (bytes > samples->set_bytes) {
        base_free_pages(set->rgba, samples->set_bytes);
        set->rgba = base_allocate_pages(bytes);
        samples->set_bytes = set->rgba ? bytes : 0;
    }
    if (!set->rgba) {
        set->count = 0;
        return base_fail_memory(bytes, "the samples of a picture");
    }
    memset(set->rgba, 0, bytes);
    return STATUS_OK;
}

status app_samples_begin_set(app_samples *samples, int width, int height)
{
    render_sample_set *set = &samples->set;
    status s = samples->before ? STATUS_OK : number_mask(samples, width, height);
    if (s != STATUS_OK) {
        return s;
    }
    const int64_t most = (int64_t)width * height / set->npixels;
    const int rest = samples->count - samples->number;
    set->count = rest < most ? rest : (int)most;
    samples->set_number = samples->number;
    for (int n = 0; n < set->count; n++) {
        render_sample_shift(samples->filter, order[samples->number + n - 1], MOST,
                            set->shifts[n]);
    }
    return reserve_set(samples);
}

/* Visits the pixels of the mask that show something in a sample, and puts them into the
 * image, if there is one; rgba: of the sample. Returns the rectangle around them. */
static pixel_rect visit_set(const app_samples *samples, int width, int height,
                            const float *rgba, image *img)
{
    const int64_t pitch = render_mask_bytes(width, 1);
    pixel_rect seen = {0, 0, 0, 0};
    for (int64_t at = 0; at < pitch * height; at++) {
        const float *color = rgba + 4 * (int64_t)samples->before[at];
        for (unsigned bits = samples->mask[at]; bits != 0; bits &= bits - 1, color += 4) {
            const int x = (int)(at % pitch * 8) + __builtin_ctz(bits);
            const int y = (int)(at / pitch);
            if (color[0] == 0.0f && color[1] == 0.0f && color[2] == 0.0f &&
                color[3] == 0.0f) {
                continue;
            }
            pixel_rect_grow(&seen, (pixel_rect){x, y, x + 1, y + 1});
            if (img) {
                memcpy(img->rgba + 4 * image_at(img, x, y), color, 4 * sizeof *color);
            }
        }
    }
    return seen;
}

void app_samples_put(const app_samples *samples, image *img)
{
    const render_sample_set *set = &samples->set;
    const float *rgba =
        set->rgba + 4 * set->npixels * (samples->number - samples->set_number);
    const pixel_rect shown = visit_set(samples, img->width, img->height, rgba, NULL);
    image_crop(img, shown);
    img->active = visit_set(samples, img->width, img->height, rgba, img);
}

void app_samples_clear(app_samples *samples)
{
    base_free_pages(samples->rgba, samples->bytes);
    free(samples->mask);
    free(samples->ranges);
    free(samples->edges);
    free(samples->before);
    base_free_pages(samples->set.rgba, samples->set_bytes);
    samples->rgba = samples->depth = NULL;
    samples->mask = NULL;
    samples->ranges = NULL;
    samples->edges = NULL;
    samples->before = NULL;
    samples->set.rgba = NULL;
    samples->set.count = 0;
    samples->set_bytes = 0;
    samples->nranges = 0;
    samples->nedges = samples->edges_capacity = 0;
    samples->capacity = 0;
    samples->bytes = 0;
}

#include "samples.h"

#include "halo.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "render/view/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t count_pixels(const frame_samples_part *part)
{
    int64_t sum = 0;
    for (int n = 0; n < part->count; n++) {
        sum += part->ranges[n].npix;
    }
    return sum;
}

/* Allocates for so many pixels: colours, then depths. */
static status reserve(frame_samples *samples, const image *img, int64_t count)
{
    const size_t pixels = (size_t)count + 1;
    if (samples->rgba && count <= samples->capacity) {
        return STATUS_OK;
    }
    frame_samples_clear(samples);
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

/* Keeps the ranges of adaptive samples, for frame_samples_refine. */
static status keep_ranges(frame_samples *samples, const frame_samples_part *part)
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
static status begin(frame_samples *samples, const frame_samples_part *part)
{
    const int64_t count = count_pixels(part);
    samples->npixels = count;
    samples->active = (pixel_rect){0, 0, 0, 0};
    if (samples->are_adaptive) {
        return keep_ranges(samples, part);
    }
    status s = reserve(samples, part->img, count);
    if (s != STATUS_OK) {
        return s;
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
static void add(const image *img, io_png_range pixels, int64_t at, frame_samples *samples)
{
    for (int64_t n = 0; n < 4 * pixels.npix; n++) {
        samples->rgba[4 * at + n] += img->rgba[4 * pixels.pix0 + n];
    }
    for (int64_t n = 0; samples->depth && n < pixels.npix; n++) {
        samples->depth[at + n] =
            fminf(samples->depth[at + n], img->depth[pixels.pix0 + n]);
    }
}

static void add_all(frame_samples *samples, const frame_samples_part *part)
{
    int64_t at = 0;
    for (int n = 0; n < part->count; n++) {
        const io_png_range shown = shown_part(part->img, part->ranges[n]);
        add(part->img, shown, at + shown.pix0 - part->ranges[n].pix0, samples);
        at += part->ranges[n].npix;
    }
}

/* Makes sums the mean. */
static void divide(frame_samples *samples)
{
    const float share = 1.0f / (float)samples->count;
    for (int64_t n = 0; n < 4 * samples->npixels; n++) {
        samples->rgba[n] *= share;
    }
}

/* Gives the image what is kept. */
static void write_all(const frame_samples *samples, const frame_samples_part *part)
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

status frame_samples_take(frame_samples *samples, const frame_samples_part *part)
{
    if (!frame_samples_are_several(samples)) {
        return STATUS_OK;
    }
    status s = samples->number == 0 ? begin(samples, part) : STATUS_OK;
    if (s == STATUS_OK && count_pixels(part) != samples->npixels) {
        s = base_fail(STATUS_INTERNAL,
                      "a rank has other pixels in sample %d of a picture than before",
                      samples->number);
    }
    if (s != STATUS_OK || samples->are_adaptive) {
        return s;
    }
    pixel_rect_grow(&samples->active, part->img->active);
    add_all(samples, part);
    if (frame_samples_is_last(samples)) {
        divide(samples);
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

void frame_samples_aim(const frame_samples *samples, render_camera *camera)
{
    double shift[2] = {0.0, 0.0};
    if (!samples->are_adaptive) {
        render_sample_shift(samples->filter, samples->number, samples->count, shift);
    }
    render_camera_shift(camera, shift);
}

/* Counts of pixels; those of edges and visible ones may be fractions. */
typedef struct edge_sums {
    double edges, visible, masked;
} edge_sums;

/* Appends the pixels with a weight; weights: [npix], of these pixels. Returns false
 * without memory. */
static bool append_edges(frame_samples *samples, io_png_range pixels, int64_t count,
                         const float *weights)
{
    const int64_t all = samples->nedges + count;
    frame_samples_edge *edges =
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
                (frame_samples_edge){.pixel = pixels.pix0 + n, .weight = weights[n]};
        }
    }
    return true;
}

/* Finds the edges among some of this rank's pixels. */
static bool find_some(frame_samples *samples, const image *img, io_png_range pixels,
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
static status find_edges(frame_samples *samples, const image *img, int threads,
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

status frame_samples_refine(frame_samples *samples, MPI_Comm comm, image *img,
                            int threads, status failed)
{
    const int64_t bytes = render_mask_bytes(img->width, img->height);
    frame_halo halo;
    status s = failed;
    if (!samples->mask) {
        samples->mask = malloc((size_t)bytes);
    }
    if (s == STATUS_OK && !samples->mask) {
        s = base_fail_memory((size_t)bytes, "the samples of a picture");
    }
    s = frame_halo_bring(comm, img, samples->nranges, samples->ranges, s, &halo);
    if (s != STATUS_OK) {
        return s;
    }
    memset(samples->mask, 0, (size_t)bytes);
    frame_halo_put(&halo, img);
    edge_sums mine = {0.0, 0.0, 0.0}, all;
    s = parallel_agree(comm, find_edges(samples, img, threads, &mine));
    frame_halo_take_back(&halo, img);
    frame_halo_clear(&halo);
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

/* ---- Sets -------------------------------------------------------------------------- */

/* Numbers the pixels of the mask. */
static status number_mask(frame_samples *samples, int width, int height)
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

status frame_samples_begin_set(frame_samples *samples, image *img)
{
    render_sample_set *set = &samples->set;
    status s =
        samples->before ? STATUS_OK : number_mask(samples, img->width, img->height);
    if (s != STATUS_OK) {
        return s;
    }
    const int64_t most = image_pixel_count(img) / set->npixels;
    const int rest = samples->count - samples->number;
    set->count = rest < most ? rest : (int)most;
    set->rgba = img->rgba;
    for (int n = 0; n < set->count; n++) {
        render_sample_shift(samples->filter, order[samples->number + n - 1], MOST,
                            set->shifts[n]);
    }
    return STATUS_OK;
}

/* The number of pixels of the mask in rows before this one. */
static int64_t count_before(const frame_samples *samples, int width, int height, int row)
{
    return row < height ? samples->before[render_mask_bytes(width, 1) * row]
                        : samples->set.npixels;
}

pixel_rect frame_samples_set_bounds(const frame_samples *samples, const image *img,
                                    pixel_rect bounds)
{
    const int64_t width = img->width, count = samples->set.count;
    const pixel_rect all = {0, 0, img->width, img->height};
    const pixel_rect in = pixel_rect_intersect(all, bounds);
    const int64_t first = count * count_before(samples, img->width, img->height, in.y0);
    const int64_t end = count * count_before(samples, img->width, img->height, in.y1);
    return first < end ? (pixel_rect){0, (int)(first / width), img->width,
                                      (int)((end + width - 1) / width)}
                       : (pixel_rect){0, 0, 0, 0};
}

void frame_samples_pack(const frame_samples *samples, int number, const image *img)
{
    const render_sample_set *set = &samples->set;
    const int64_t pitch = render_mask_bytes(img->width, 1);
    float *color = set->rgba + 4 * (int64_t)number;
    for (int64_t at = 0; at < pitch * img->height; at++) {
        if (samples->mask[at] == 0) {
            continue;
        }
        const float *row = img->rgba + 4 * (at / pitch * img->width + at % pitch * 8);
        for (unsigned bits = samples->mask[at]; bits != 0; bits &= bits - 1) {
            memcpy(color, row + 4 * __builtin_ctz(bits), 4 * sizeof *color);
            color += 4 * (int64_t)set->count;
        }
    }
}

/* Adds up the samples of a set that are pixels of a range of its image.
 * sums: [set.npixels][4]. */
static void add_range(const frame_samples *samples, io_png_range range, int threads,
                      float *sums)
{
    const render_sample_set *set = &samples->set;
    const int64_t count = set->count, end = range.pix0 + range.npix;
    const int64_t behind = (end + count - 1) / count;
    float weights[MOST]; /* 1, but for the last sample of the picture */
    for (int n = 0; n < set->count; n++) {
        weights[n] = (float)fmin(1.0, samples->wanted + 1.0 - (samples->number + n));
    }
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t n = range.pix0 / count;
         n < (behind < set->npixels ? behind : set->npixels); n++) {
        const int64_t first = range.pix0 > n * count ? range.pix0 : n * count;
        const int64_t last = end < (n + 1) * count ? end : (n + 1) * count;
        for (int64_t at = first; at < last; at++) {
            for (int c = 0; c < 4; c++) {
                sums[4 * n + c] += weights[at - n * count] * set->rgba[4 * at + c];
            }
        }
    }
}

/* Adds the sums of all ranks, of which one alone has a part that is not zero, or some
 * have parts of a pixel. */
static void share_sums(MPI_Comm comm, int64_t count, float *sums)
{
    enum { AT_ONCE = 1 << 28 };
    for (int64_t first = 0; first < count; first += AT_ONCE) {
        const int64_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        parallel_allreduce(MPI_IN_PLACE, sums + first, parallel_count(some), MPI_FLOAT,
                           MPI_SUM, comm);
    }
}

status frame_samples_add_set(frame_samples *samples, MPI_Comm comm,
                             const frame_samples_part *part, int threads, status failed)
{
    const int64_t count = 4 * samples->set.npixels;
    const size_t bytes = ((size_t)count + 1) * sizeof(float);
    float *sums = calloc(bytes, 1);
    status s = failed == STATUS_OK && !sums
                   ? base_fail_memory(bytes, "the samples of a picture")
                   : failed;
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        for (int n = 0; n < part->count; n++) {
            add_range(samples, part->ranges[n], threads, sums);
        }
        share_sums(comm, count, sums);
        for (int64_t n = 0; n < samples->nedges; n++) {
            frame_samples_edge *edge = &samples->edges[n];
            const int width = part->img->width;
            const float *sum =
                sums + 4 * render_mask_index(width, samples->mask, samples->before,
                                             (int)(edge->pixel % width),
                                             (int)(edge->pixel / width));
            for (int c = 0; c < 4; c++) {
                edge->sums[c] += sum[c];
            }
        }
    }
    free(sums);
    return s;
}

pixel_rect frame_samples_mix(const frame_samples *samples, image *img)
{
    const float share = 1.0f / (float)samples->wanted;
    pixel_rect mixed = {0, 0, 0, 0};
    for (int64_t n = 0; n < samples->nedges; n++) {
        const frame_samples_edge *edge = &samples->edges[n];
        const int x = (int)(edge->pixel % img->width),
                  y = (int)(edge->pixel / img->width);
        float *rgba = img->rgba + 4 * edge->pixel;
        for (int c = 0; c < 4; c++) {
            rgba[c] += edge->weight * (share * edge->sums[c] - rgba[c]);
        }
        pixel_rect_grow(&mixed, (pixel_rect){x, y, x + 1, y + 1});
    }
    pixel_rect_grow(&img->active, mixed);
    img->columns = NULL;
    return mixed;
}

void frame_samples_clear(frame_samples *samples)
{
    base_free_pages(samples->rgba, samples->bytes);
    free(samples->mask);
    free(samples->ranges);
    free(samples->edges);
    free(samples->before);
    image_destroy(&samples->alone);
    samples->rgba = samples->depth = NULL;
    samples->mask = NULL;
    samples->ranges = NULL;
    samples->edges = NULL;
    samples->before = NULL;
    samples->set.count = 0;
    samples->nranges = 0;
    samples->nedges = samples->edges_capacity = 0;
    samples->capacity = 0;
    samples->bytes = 0;
}

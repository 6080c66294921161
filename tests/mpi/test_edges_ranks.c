/* Adaptive samples: ranks that have parts of a picture find the edges of the whole, to
 * the bit, however it is divided. */
#include "test_io_support.h"

#include "frame/distribution/samples.h"
#include "render/view/edges.h"
#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANGES = 128 };

/* A picture, and this rank's part of it. */
typedef struct divided {
    image *whole, *mine;
    io_png_range ranges[MOST_RANGES];
    int count;
} divided;

/* Smooth but for some steps; the same on all ranks. */
static image *make_whole(uint64_t *random)
{
    image *img;
    if (image_create(1 + random_below(random, 40), 1 + random_below(random, 60), false,
                     &img) != STATUS_OK) {
        abort();
    }
    const int step = 1 + random_below(random, 9);
    for (int y = 0; y < img->height; y++) {
        for (int x = 0; x < img->width; x++) {
            const bool is_high = (x / step + y / (step + 1)) % 3 == 0;
            for (int c = 0; c < 4; c++) {
                img->rgba[4 * ((int64_t)y * img->width + x) + c] =
                    0.002f * (float)(x * c + y) + (is_high ? 0.05f * (float)c : 0.0f);
            }
        }
    }
    img->active = (pixel_rect){0, 0, img->width, img->height};
    return img;
}

/* Pieces of random lengths, which ranks take in turn. */
static void divide_by_pieces(divided *d, int rank, int ranks, uint64_t *random)
{
    const int64_t pixels = image_pixel_count(d->whole);
    const int most = 1 + (int)(2 * pixels / 60);
    int turn = 0;
    for (int64_t first = 0; first < pixels; turn++) {
        const int64_t npix = 1 + random_below(random, most);
        const int64_t some = npix < pixels - first ? npix : pixels - first;
        if (turn % ranks == rank && d->count < MOST_RANGES) {
            d->ranges[d->count++] = (io_png_range){first, some};
        } else if (turn % ranks == rank) {
            abort();
        }
        first += some;
    }
}

/* Rectangles side by side, in rows. */
static void divide_by_columns(divided *d, int rank, int ranks)
{
    const int width = d->whole->width;
    const int x0 = width * rank / ranks;
    const int x1 = width * (rank + 1) / ranks;
    for (int y = 0; y < d->whole->height && x0 < x1; y++) {
        d->ranges[d->count++] = (io_png_range){(int64_t)y * width + x0, x1 - x0};
    }
}

/* The rank's image has its own pixels; all else is rubbish. */
static void take_part(divided *d)
{
    const image *whole = d->whole;
    if (image_create(whole->width, whole->height, false, &d->mine) != STATUS_OK) {
        abort();
    }
    for (int64_t n = 0; n < 4 * image_pixel_count(whole); n++) {
        d->mine->rgba[n] = (float)(n % 7);
    }
    for (int n = 0; n < d->count; n++) {
        memcpy(d->mine->rgba + 4 * d->ranges[n].pix0, whole->rgba + 4 * d->ranges[n].pix0,
               (size_t)d->ranges[n].npix * 4 * sizeof(float));
    }
    d->mine->active = whole->active;
}

/* Compares the mask, the weights of the rank's pixels, and the number of samples with
 * those of the whole picture. */
static void compare(const divided *d, const frame_samples *samples, int number)
{
    const image *whole = d->whole;
    const int64_t pixels = image_pixel_count(whole);
    const int64_t bytes = render_mask_bytes(whole->width, whole->height);
    float *weights = malloc((size_t)pixels * sizeof *weights);
    uint8_t *mask = calloc((size_t)bytes, 1);
    if (!weights || !mask) {
        abort();
    }
    const render_edge_counts counts = render_edges_find(whole, 0, pixels, 1, weights);
    const int64_t count = render_mask_add(whole->width, 0, pixels, weights, mask);
    check(count == 0 || memcmp(mask, samples->mask, (size_t)bytes) == 0,
          "case %d: the mask is another one", number);
    int64_t at = 0;
    for (int n = 0; n < d->count; n++) {
        const io_png_range *range = &d->ranges[n];
        for (int64_t pixel = range->pix0; pixel < range->pix0 + range->npix; pixel++) {
            if (weights[pixel] > 0.0f) {
                check(at < samples->nedges && samples->edges[at].pixel == pixel &&
                          samples->edges[at].weight == weights[pixel],
                      "case %d: edge %lld is not pixel %lld of weight %g", number,
                      (long long)at, (long long)pixel, (double)weights[pixel]);
                at++;
            }
        }
    }
    check(at == samples->nedges, "case %d: %lld edges, not %lld", number,
          (long long)samples->nedges, (long long)at);
    const double wanted =
        count > 0
            ? fmin(fmax(fmax(0.9 * counts.visible, 32768.0) / counts.edges, 4.0), 33.0)
            : 0.0;
    check(samples->wanted == wanted, "case %d: %.17g samples, not %.17g", number,
          samples->wanted, wanted);
    free(weights);
    free(mask);
}

static void try_case(int number)
{
    const int rank = parallel_rank(MPI_COMM_WORLD), ranks = parallel_size(MPI_COMM_WORLD);
    uint64_t random = random_start(9100, (uint64_t)number);
    divided d = {.whole = make_whole(&random)};
    if (number % 3 == 0) {
        divide_by_columns(&d, rank, ranks);
    } else if (number % 3 == 1) {
        divide_by_pieces(&d, rank, ranks, &random);
    } else if (rank == 0) {
        d.ranges[d.count++] = (io_png_range){0, image_pixel_count(d.whole)};
    }
    take_part(&d);
    frame_samples samples = {.are_adaptive = true, .count = 1};
    const frame_samples_part part = {.img = d.mine, .count = d.count, .ranges = d.ranges};
    status s = frame_samples_take(&samples, &part);
    image *before = d.mine;
    take_part(&d);
    s = frame_samples_refine(&samples, MPI_COMM_WORLD, d.mine, 1 + number % 2, s);
    check(s == STATUS_OK, "case %d: %s", number, base_fail_message());
    check(memcmp(before->rgba, d.mine->rgba,
                 (size_t)image_pixel_count(before) * 4 * sizeof(float)) == 0,
          "case %d: the image has changed", number);
    compare(&d, &samples, number);
    frame_samples_clear(&samples);
    image_destroy(&before);
    image_destroy(&d.mine);
    image_destroy(&d.whole);
}

static void parts_have_the_edges_of_the_whole(void)
{
    for (int number = 0; number < 120; number++) {
        try_case(number);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    run_test("parts have the edges of the whole", parts_have_the_edges_of_the_whole);
    const int failures = finish_tests();
    MPI_Finalize();
    return failures;
}

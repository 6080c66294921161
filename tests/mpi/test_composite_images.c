/* Images whose blend is exact, and their serial blend, which other results are compared
 * with. */
#include "test_composite.h"

#include "base/parallel/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Drawing ----------------------------------------------------------------------- */

static pixel_rect random_rect(const test_frame *frame, uint64_t *random)
{
    pixel_rect r = {0, 0, frame->width, frame->height};
    if (frame->percent < 100) {
        r.x0 = random_below(random, frame->width);
        r.x1 = r.x0 + random_below(random, frame->width - r.x0 + 1);
        r.y0 = random_below(random, frame->height);
        r.y1 = r.y0 + random_below(random, frame->height - r.y0 + 1);
    }
    return r;
}

static void set_pixel(const test_frame *frame, image *img, int64_t pixel,
                      uint64_t *random)
{
    const float alpha = 0.5f * (float)random_below(random, 3);
    float *rgba = img->rgba + 4 * pixel;
    for (int c = 0; c < 3; c++) {
        rgba[c] = alpha * 0.25f * (float)random_below(random, 5);
    }
    rgba[3] = alpha;
    for (int c = 0; c < 4 && frame->rounds; c++) {
        rgba[c] *= 0.7131f;
    }
    if (img->depth) {
        img->depth[pixel] = (float)(1 + random_below(random, 4));
    }
}

static image *draw(const test_frame *frame, int rank)
{
    uint64_t random = random_start(frame->seed, (uint64_t)rank);
    image *img;
    if (image_create(frame->width, frame->height, frame->with_depth, &img) != STATUS_OK) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    img->active = random_rect(frame, &random);
    for (int y = img->active.y0; y < img->active.y1; y++) {
        for (int x = img->active.x0; x < img->active.x1; x++) {
            if (random_below(&random, 100) < frame->percent) {
                set_pixel(frame, img, (int64_t)y * img->width + x, &random);
            }
        }
    }
    return img;
}

/* Seed 0 leaves ranks in their order, so that those of a node are neighbours. */
static void shuffle(uint32_t seed, int size, int *order)
{
    uint64_t random = random_start(seed, UINT64_MAX);
    for (int i = 0; i < size; i++) {
        const int j = seed == 0 ? i : random_below(&random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

/* ---- Blending ---------------------------------------------------------------------- */

static void blend_pixel(composite_operator op, const image *back, int64_t pixel,
                        image *front)
{
    float *f = front->rgba + 4 * pixel;
    const float *b = back->rgba + 4 * pixel;
    if (op == COMPOSITE_NEAREST) {
        if (back->depth[pixel] < front->depth[pixel]) {
            memcpy(f, b, 4 * sizeof *f);
            front->depth[pixel] = back->depth[pixel];
        }
        return;
    }
    const float rest = 1.0f - f[3];
    for (int c = 0; c < 4; c++) {
        f[c] += rest * b[c];
    }
    if (front->depth) {
        front->depth[pixel] = fminf(front->depth[pixel], back->depth[pixel]);
    }
}

static void blend_others(const test_frame *frame, int size, const int *order,
                         image *front)
{
    for (int position = 1; position < size; position++) {
        image *back = draw(frame, order[position]);
        for (int64_t i = 0; i < image_pixel_count(front); i++) {
            blend_pixel(frame->op, back, i, front);
        }
        image_destroy(&back);
    }
}

test_picture test_picture_create(const test_frame *frame)
{
    const int rank = parallel_rank(MPI_COMM_WORLD);
    const int size = parallel_size(MPI_COMM_WORLD);
    test_picture picture = {.frame = *frame};
    shuffle(frame->order, size, picture.order);
    picture.drawn = draw(frame, rank);
    picture.expected = draw(frame, picture.order[0]);
    image *expected = picture.expected;
    if (rank == 0) {
        blend_others(frame, size, picture.order, expected);
    }
    const int pixels = (int)image_pixel_count(expected);
    parallel_bcast(expected->rgba, 4 * pixels, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (expected->depth) {
        parallel_bcast(expected->depth, pixels, MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    return picture;
}

void test_picture_destroy(test_picture *picture)
{
    image_destroy(&picture->drawn);
    image_destroy(&picture->expected);
}

/* ---- Comparing --------------------------------------------------------------------- */

static bool same_bits(const float *a, const float *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool same_pixel(const image *a, const image *b, int64_t pixel)
{
    return same_bits(a->rgba + 4 * pixel, b->rgba + 4 * pixel, 4) &&
           (!a->depth || same_bits(a->depth + pixel, b->depth + pixel, 1));
}

bool test_same_pixels(const image *expected, const image *actual, int64_t pix0,
                      int64_t npix)
{
    for (int64_t i = pix0; i < pix0 + npix; i++) {
        if (!same_pixel(expected, actual, i)) {
            const float *e = expected->rgba + 4 * i;
            const float *a = actual->rgba + 4 * i;
            fprintf(stderr,
                    "pixel %lld: expected %g %g %g %g, depth %g; actual %g %g %g %g, "
                    "depth %g\n",
                    (long long)i, (double)e[0], (double)e[1], (double)e[2], (double)e[3],
                    expected->depth ? (double)expected->depth[i] : 0.0, (double)a[0],
                    (double)a[1], (double)a[2], (double)a[3],
                    actual->depth ? (double)actual->depth[i] : 0.0);
            return false;
        }
    }
    return true;
}

bool test_active_holds_all(const image *img)
{
    const pixel_rect r = img->active;
    for (int64_t i = 0; i < image_pixel_count(img); i++) {
        const float *p = img->rgba + 4 * i;
        const bool is_transparent = p[0] == 0.0f && p[1] == 0.0f && p[2] == 0.0f &&
                                    p[3] == 0.0f &&
                                    (!img->depth || img->depth[i] == INFINITY);
        const int x = (int)(i % img->width);
        const int y = (int)(i / img->width);
        if (!is_transparent && (x < r.x0 || x >= r.x1 || y < r.y0 || y >= r.y1)) {
            fprintf(stderr, "pixel %lld is outside of [%d, %d) x [%d, %d)\n",
                    (long long)i, r.x0, r.x1, r.y0, r.y1);
            return false;
        }
    }
    return true;
}

/* ---- Bytes ------------------------------------------------------------------------- */

static const float background[4] = {3.0f / 64, 5.0f / 64, 7.0f / 64, 9.0f / 64};

static void convert(const void *context, int64_t count, const float *rgba,
                    unsigned char *bytes)
{
    const int size = *(const int *)context;
    for (int64_t i = 0; i < count; i++) {
        const float *p = rgba + 4 * i;
        int values[4];
        for (int c = 0; c < 4; c++) {
            values[c] = (int)((p[c] + (1.0f - p[3]) * background[c]) * 2048.0f);
        }
        if (size == 1) {
            values[0] += 5 * values[1] + 25 * values[2] + 125 * values[3];
        }
        for (int b = 0; b < size; b++) {
            bytes[i * size + b] = (unsigned char)(values[b] & 255);
        }
    }
}

composite_format test_format(int bytes_per_pixel)
{
    static const int sizes[] = {0, 1, 2, 3, 4};
    const bool is_right = bytes_per_pixel >= 0 && bytes_per_pixel <= 4;
    return (composite_format){.bytes_per_pixel = bytes_per_pixel,
                              .convert = convert,
                              .context = &sizes[is_right ? bytes_per_pixel : 0]};
}

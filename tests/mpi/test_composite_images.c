/* Images whose blend is exact, and the serial blend that others are compared with. */
#include "test_composite.h"

#include "base/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t test_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static uint32_t start_random(uint32_t seed, int rank)
{
    uint32_t state = seed * 2654435761u + (uint32_t)rank * 40503u + 1u;
    test_random(&state);
    return state ? state : 1u;
}

static int random_below(uint32_t *state, int n)
{
    return (int)(test_random(state) % (uint32_t)n);
}

static pixel_rect random_rect(const test_frame *frame, uint32_t *random)
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

static void set_pixel(image *img, int64_t pixel, uint32_t *random)
{
    float alpha = 0.5f * (float)random_below(random, 3);
    for (int c = 0; c < 3; c++) {
        img->rgba[4 * pixel + c] = alpha * 0.25f * (float)random_below(random, 5);
    }
    img->rgba[4 * pixel + 3] = alpha;
    if (img->depth) {
        img->depth[pixel] = (float)(1 + random_below(random, 4));
    }
}

image *test_image_create(const test_frame *frame, int rank)
{
    uint32_t random = start_random(frame->seed, rank);
    image *img;
    if (image_create(frame->width, frame->height, frame->with_depth, &img) != STATUS_OK) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    img->active = random_rect(frame, &random);
    for (int y = img->active.y0; y < img->active.y1; y++) {
        for (int x = img->active.x0; x < img->active.x1; x++) {
            if (random_below(&random, 100) < frame->percent) {
                set_pixel(img, (int64_t)y * img->width + x, &random);
            }
        }
    }
    return img;
}

void test_order(const test_frame *frame, int size, int *order)
{
    uint32_t random = start_random(frame->seed, -1);
    for (int i = 0; i < size; i++) {
        int j = random_below(&random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

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
    float rest = 1.0f - f[3];
    for (int c = 0; c < 4; c++) {
        f[c] += rest * b[c];
    }
    if (front->depth) {
        front->depth[pixel] = fminf(front->depth[pixel], back->depth[pixel]);
    }
}

image *test_blend_serially(const test_frame *frame, int size, const int *order)
{
    image *front = test_image_create(frame, order[0]);
    for (int position = 1; position < size; position++) {
        image *back = test_image_create(frame, order[position]);
        for (int64_t i = 0; i < image_pixel_count(front); i++) {
            blend_pixel(frame->op, back, i, front);
        }
        image_destroy(&back);
    }
    return front;
}

bool test_all_agree(bool mine, const char *what, const test_frame *frame)
{
    int yes = mine;
    int all;
    parallel_allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!mine) {
        fprintf(stderr,
                "rank %d of %d: %s (seed %u, %d x %d, %d %%, depth %d, operator %d)\n",
                parallel_rank(MPI_COMM_WORLD), parallel_size(MPI_COMM_WORLD), what,
                frame->seed, frame->width, frame->height, frame->percent,
                frame->with_depth, (int)frame->op);
    }
    return all == 1;
}

/* The kernels that merge pixels. */
#include "composite/pixels/blend.h"
#include "composite/pixels/blend_kernels.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 257 };

/* Premultiplied pixels with alpha in {0, 1/2, 1} and colours in quarters of it: they
 * blend without rounding. */
static void fill_exact(uint32_t seed, float *rgba)
{
    uint64_t random = random_start(seed, 0);
    for (int i = 0; i < PIXELS; i++) {
        float alpha = 0.5f * (float)(random_word(&random) % 3);
        for (int c = 0; c < 3; c++) {
            rgba[4 * i + c] = alpha * 0.25f * (float)(random_word(&random) % 5);
        }
        rgba[4 * i + 3] = alpha;
    }
}

static void fill_any(uint32_t seed, float *rgba)
{
    uint64_t random = random_start(seed, 0);
    for (int i = 0; i < 4 * PIXELS; i++) {
        rgba[i] = (float)(random_word(&random) % 100000) / 100000.0f;
    }
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void expect_same(uint32_t seed, const float *expected, const float *actual)
{
    for (int i = 0; i < 4 * PIXELS; i++) {
        if (float_bits(expected[i]) != float_bits(actual[i])) {
            fail_msg("seed %u, pixel %d, channel %d: expected %.9g, actual %.9g", seed,
                     i / 4, i % 4, (double)expected[i], (double)actual[i]);
        }
    }
}

static void over_is_front_plus_what_it_lets_through(void **state)
{
    (void)state;
    float front[4] = {0.25f, 0.0f, 0.5f, 0.5f};
    float image[4] = {0.5f, 1.0f, 0.0f, 1.0f};
    const float expected[4] = {0.5f, 0.5f, 0.5f, 1.0f};
    composite_blend_front(1, front, image);
    assert_memory_equal(image, expected, sizeof expected);
}

static void both_directions_give_the_same_bits(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        float front[4 * PIXELS], back[4 * PIXELS], scalar[4 * PIXELS];
        fill_any(seed, front);
        fill_any(seed + 1000, back);
        for (int i = 0; i < 4 * PIXELS; i++) {
            float rest = 1.0f - front[i / 4 * 4 + 3];
            float through = rest * back[i];
            scalar[i] = front[i] + through;
        }
        float in_place_of_front[4 * PIXELS];
        memcpy(in_place_of_front, front, sizeof front);
        composite_blend_back(PIXELS, back, in_place_of_front);
        composite_blend_front(PIXELS, front, back);
        expect_same(seed, scalar, in_place_of_front);
        expect_same(seed, scalar, back);
    }
}

static void a_transparent_pixel_changes_nothing_on_either_side(void **state)
{
    (void)state;
    float zero[4 * PIXELS] = {0};
    float image[4 * PIXELS], before[4 * PIXELS];
    fill_any(7, image);
    memcpy(before, image, sizeof image);
    composite_blend_front(PIXELS, zero, image);
    expect_same(7, before, image);
    composite_blend_back(PIXELS, zero, image);
    expect_same(7, before, image);
}

static void an_opaque_front_hides_what_is_behind(void **state)
{
    (void)state;
    float image[4] = {0.1f, 0.2f, 0.3f, 1.0f};
    const float before[4] = {0.1f, 0.2f, 0.3f, 1.0f};
    composite_blend_back(1, (float[]){0.5f, 0.6f, 0.7f, 0.8f}, image);
    assert_memory_equal(image, before, sizeof before);
}

static void grouping_does_not_matter_where_nothing_rounds(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        float a[4 * PIXELS], b[4 * PIXELS], c[4 * PIXELS], left[4 * PIXELS];
        fill_exact(seed, a);
        fill_exact(seed + 100, b);
        fill_exact(seed + 200, c);
        memcpy(left, a, sizeof a);
        composite_blend_back(PIXELS, b, left);
        composite_blend_back(PIXELS, c, left);
        composite_blend_front(PIXELS, b, c);
        composite_blend_front(PIXELS, a, c);
        expect_same(seed, left, c);
    }
}

static void the_smaller_depth_is_kept(void **state)
{
    (void)state;
    float image[4] = {1.0f, 5.0f, INFINITY, INFINITY};
    const float expected[4] = {1.0f, 3.0f, 2.0f, INFINITY};
    composite_blend_depth(4, (float[]){4.0f, 3.0f, 2.0f, INFINITY}, image);
    assert_memory_equal(image, expected, sizeof expected);
}

static void the_nearest_pixel_is_kept_whole(void **state)
{
    (void)state;
    float rgba[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    float depth[2] = {2.0f, 4.0f};
    const float other[8] = {0.5f, 0.25f, 0, 1, 0.5f, 0.25f, 0, 1};
    const float expected[8] = {1, 1, 1, 1, 0.5f, 0.25f, 0, 1};
    composite_blend_nearest(2, true, (blend_source){other, (float[]){3.0f, 3.0f}}, rgba,
                            depth);
    assert_memory_equal(rgba, expected, sizeof expected);
    assert_true(depth[0] == 2.0f && depth[1] == 3.0f);
}

static void of_two_equal_depths_the_one_in_front_is_kept(void **state)
{
    (void)state;
    const float mine[4] = {1, 1, 1, 1};
    const float other[4] = {0.5f, 0.5f, 0.5f, 0.5f};
    float rgba[4];
    float depth = 3.0f;
    memcpy(rgba, mine, sizeof mine);
    const blend_source at_3 = {other, &(float){3.0f}};
    composite_blend_nearest(1, false, at_3, rgba, &depth);
    assert_memory_equal(rgba, mine, sizeof mine);
    composite_blend_nearest(1, true, at_3, rgba, &depth);
    assert_memory_equal(rgba, other, sizeof other);
}

/* ---- All kernels against plain C --------------------------------------------------- */

enum { MOST = 70, SHIFTS = 4, PLANE = 4 * MOST + SHIFTS + 16 };

/* Two images and their result, with room to begin at any float. */
typedef struct planes {
    float front[PLANE], back[PLANE], out[PLANE];
    float front_depth[PLANE], back_depth[PLANE], out_depth[PLANE];
} planes;

static const float special[] = {0.0f,      -0.0f,  1.0f,   -1.0f,     INFINITY,
                                -INFINITY, NAN,    1e-40f, -1e-40f,   0.5f,
                                3e38f,     -3e38f, 1e-38f, 0.3333333f};

static float any_float(uint64_t *state)
{
    uint32_t kind = random_word(state) % 3;
    uint32_t bits = random_word(state);
    float value;
    memcpy(&value, &bits, sizeof value);
    return kind == 0   ? special[bits % (sizeof special / sizeof special[0])]
           : kind == 1 ? value
                       : (float)(bits % 100000) / 100000.0f;
}

static void fill_planes(uint32_t seed, planes *p)
{
    uint64_t state = random_start(seed, 0);
    float *values = (float *)(void *)p;
    for (size_t i = 0; i < sizeof *p / sizeof *values; i++) {
        values[i] = any_float(&state);
    }
    /* Equal depths, which orders must agree on. */
    for (int i = 0; i < PLANE; i += 3) {
        p->back_depth[i] = p->front_depth[i];
    }
}

/* The same bits everywhere, also where nothing was to be written. A NaN may be any. */
static void expect_same_plane(const char *what, const char *kernel, uint32_t seed,
                              const float *expected, const float *actual)
{
    for (int i = 0; i < PLANE; i++) {
        bool nans = expected[i] != expected[i] && actual[i] != actual[i];
        if (!nans && float_bits(expected[i]) != float_bits(actual[i])) {
            fail_msg("%s, %s, seed %u, float %d: expected %.9g, actual %.9g", kernel,
                     what, seed, i, (double)expected[i], (double)actual[i]);
        }
    }
}

static void expect_same_planes(const char *what, const char *kernel, uint32_t seed,
                               const planes *expected, const planes *actual)
{
    expect_same_plane(what, kernel, seed, expected->front, actual->front);
    expect_same_plane(what, kernel, seed, expected->back, actual->back);
    expect_same_plane(what, kernel, seed, expected->out, actual->out);
    expect_same_plane(what, kernel, seed, expected->front_depth, actual->front_depth);
    expect_same_plane(what, kernel, seed, expected->back_depth, actual->back_depth);
    expect_same_plane(what, kernel, seed, expected->out_depth, actual->out_depth);
}

typedef enum place { IN_FRONT, IN_BACK, IN_THIRD, PLACES } place;

static void run_over(const blend_kernel *k, int count, int shift, place where, planes *p)
{
    float *outs[PLACES] = {p->front + shift, p->back + shift, p->out + 2 * shift};
    k->over(count, p->front + shift, p->back + shift, outs[where]);
}

static void run_depth(const blend_kernel *k, int count, int shift, place where, planes *p)
{
    float *outs[PLACES] = {p->front_depth + shift, p->back_depth + shift, p->out_depth};
    k->depth(count, p->front_depth + shift, p->back_depth + shift, outs[where]);
}

static void run_nearest(const blend_kernel *k, int count, int shift, place where,
                        planes *p)
{
    float *outs[PLACES] = {p->front + shift, p->back, p->out + shift};
    float *depths[PLACES] = {p->front_depth, p->back_depth + shift, p->out_depth};
    k->nearest(count, (blend_source){p->front + shift, p->front_depth},
               (blend_source){p->back, p->back_depth + shift}, outs[where],
               depths[where]);
}

/* All counts, beginnings and places for the result. */
static void compare_with_plain(const char *what, const blend_kernel *kernel,
                               void (*run)(const blend_kernel *, int, int, place,
                                           planes *))
{
    planes before, expected, actual;
    for (int count = 0; count <= MOST; count++) {
        const uint32_t seed = 1 + (uint32_t)count;
        fill_planes(seed, &before);
        for (int shift = 0; shift <= SHIFTS; shift++) {
            for (int where = 0; where < PLACES; where++) {
                expected = before;
                actual = before;
                run(&composite_blend_plain, count, shift, (place)where, &expected);
                run(kernel, count, shift, (place)where, &actual);
                expect_same_planes(what, kernel->name, seed, &expected, &actual);
            }
        }
    }
}

static void every_kernel_blends_like_plain_c(void **state)
{
    (void)state;
    for (const blend_kernel *const *at = composite_blend_kernels(); *at; at++) {
        compare_with_plain("over", *at, run_over);
    }
}

static void every_kernel_compares_depths_like_plain_c(void **state)
{
    (void)state;
    for (const blend_kernel *const *at = composite_blend_kernels(); *at; at++) {
        compare_with_plain("depth", *at, run_depth);
        compare_with_plain("nearest", *at, run_nearest);
    }
}

/* A pixel of which at most one float is not a zero, one bit of it, -0 included. */
static void fill_sparse(uint64_t *seed, float *rgba, float *depth)
{
    memset(rgba, 0, (size_t)MOST * 4 * sizeof *rgba);
    for (int i = 0; i < MOST; i++) {
        if (random_word(seed) % 2) {
            const uint32_t bit = 1u << random_word(seed) % 32;
            memcpy(rgba + 4 * i + random_word(seed) % 4, &bit, sizeof bit);
        }
        depth[i] = random_word(seed) % 2 ? INFINITY : any_float(seed);
    }
}

static void every_kernel_finds_the_active_pixels(void **state)
{
    (void)state;
    float rgba[4 * MOST], depth[MOST];
    uint64_t seed = random_start(5, 0);
    for (const blend_kernel *const *at = composite_blend_kernels(); *at; at++) {
        for (int n = 0; n < 40 * (BLEND_ACTIVE_MOST + 1); n++) {
            const int count = n % (BLEND_ACTIVE_MOST + 1), from = n % 5;
            fill_sparse(&seed, rgba, depth);
            const float *d = n % 2 ? depth + from : NULL;
            uint64_t expected = 0;
            for (int i = 0; i < count; i++) {
                const float zero[4] = {0};
                bool clear = !memcmp(rgba + 4 * (i + from), zero, sizeof zero) &&
                             (!d || d[i] == INFINITY);
                expected |= (uint64_t)!clear << i;
            }
            uint64_t actual = (*at)->active(count, rgba + 4 * from, d);
            if (actual != expected) {
                fail_msg("%s, case %d, %d pixels: expected %llx, actual %llx",
                         (*at)->name, n, count, (unsigned long long)expected,
                         (unsigned long long)actual);
            }
        }
    }
}

static void a_third_place_gets_the_same_as_the_second(void **state)
{
    (void)state;
    /* Long enough for the way past the caches, and not a whole number of vectors. */
    enum { LONG = (1 << 18) + 5 };
    float *memory = malloc(3 * 4 * LONG * sizeof *memory);
    assert_non_null(memory);
    float *front = memory, *back = front + 4 * LONG, *out = back + 4 * LONG;
    uint64_t seed = random_start(9, 0);
    for (int i = 0; i < 8 * LONG; i++) {
        memory[i] = (float)(random_word(&seed) % 1000) / 1000.0f;
    }
    composite_blend_into(LONG, front, back, out);
    composite_blend_front(LONG, front, back);
    assert_memory_equal(out, back, 4 * LONG * sizeof *out);
    free(memory);
}

static void the_nearest_of_two_into_a_third_place_is_the_same(void **state)
{
    (void)state;
    const float front[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const float back[8] = {0.5f, 0.25f, 0, 1, 0.5f, 0.25f, 0, 1};
    const float expected[8] = {1, 1, 1, 1, 0.5f, 0.25f, 0, 1};
    const float front_depth[2] = {3.0f, 4.0f}, back_depth[2] = {3.0f, 3.0f};
    float rgba[8], depth[2], least[2];
    composite_blend_nearest_into(2, (blend_source){front, front_depth},
                                 (blend_source){back, back_depth}, rgba, depth);
    composite_blend_depth_into(2, front_depth, back_depth, least);
    assert_memory_equal(rgba, expected, sizeof expected);
    assert_memory_equal(depth, back_depth, sizeof depth);
    assert_memory_equal(least, back_depth, sizeof least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_is_front_plus_what_it_lets_through),
        cmocka_unit_test(both_directions_give_the_same_bits),
        cmocka_unit_test(a_transparent_pixel_changes_nothing_on_either_side),
        cmocka_unit_test(an_opaque_front_hides_what_is_behind),
        cmocka_unit_test(grouping_does_not_matter_where_nothing_rounds),
        cmocka_unit_test(the_smaller_depth_is_kept),
        cmocka_unit_test(the_nearest_pixel_is_kept_whole),
        cmocka_unit_test(of_two_equal_depths_the_one_in_front_is_kept),
        cmocka_unit_test(every_kernel_blends_like_plain_c),
        cmocka_unit_test(every_kernel_compares_depths_like_plain_c),
        cmocka_unit_test(every_kernel_finds_the_active_pixels),
        cmocka_unit_test(a_third_place_gets_the_same_as_the_second),
        cmocka_unit_test(the_nearest_of_two_into_a_third_place_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

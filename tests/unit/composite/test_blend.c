/* The kernels that merge pixels. */
#include "composite/blend.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs what is above it. */
#include <cmocka.h>
#include <string.h>

enum { PIXELS = 257 };

/* A small generator, so that a seed gives the same numbers everywhere (G. Marsaglia
 * 2003). */
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Premultiplied pixels with alpha in {0, 1/2, 1} and colours in quarters of it: they
 * blend without rounding. */
static void fill_exact(uint32_t seed, float *rgba)
{
    for (int i = 0; i < PIXELS; i++) {
        float alpha = 0.5f * (float)(next_random(&seed) % 3);
        for (int c = 0; c < 3; c++) {
            rgba[4 * i + c] = alpha * 0.25f * (float)(next_random(&seed) % 5);
        }
        rgba[4 * i + 3] = alpha;
    }
}

static void fill_any(uint32_t seed, float *rgba)
{
    for (int i = 0; i < 4 * PIXELS; i++) {
        rgba[i] = (float)(next_random(&seed) % 100000) / 100000.0f;
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
    composite_blend_nearest(2, true, other, (float[]){3.0f, 3.0f}, rgba, depth);
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
    composite_blend_nearest(1, false, other, &(float){3.0f}, rgba, &depth);
    assert_memory_equal(rgba, mine, sizeof mine);
    composite_blend_nearest(1, true, other, &(float){3.0f}, rgba, &depth);
    assert_memory_equal(rgba, other, sizeof other);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

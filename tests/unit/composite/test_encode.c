/* Payloads: encoding, merging, erasing. */
#include "composite/pixels/encode.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const float GUARD = -77.0f;

static image *make_image(int width, int height, bool with_depth)
{
    image *img = NULL;
    assert_int_equal(image_create(width, height, with_depth, &img), STATUS_OK);
    return img;
}

static void set_pixel(image *img, int64_t pixel, float value)
{
    for (int c = 0; c < 4; c++) {
        img->rgba[4 * pixel + c] = value * (float)(c + 1) / 4.0f;
    }
    if (img->depth) {
        img->depth[pixel] = value;
    }
}

/* Sets about `percent` % of the pixels of a random rectangle. */
static void fill_random(image *img, int percent, uint64_t *seed)
{
    pixel_rect *r = &img->active;
    r->x0 = random_below(seed, img->width);
    r->x1 = r->x0 + 1 + random_below(seed, img->width - r->x0);
    r->y0 = random_below(seed, img->height);
    r->y1 = r->y0 + 1 + random_below(seed, img->height - r->y0);
    for (int y = r->y0; y < r->y1; y++) {
        for (int x = r->x0; x < r->x1; x++) {
            if (random_below(seed, 100) < percent) {
                set_pixel(img, (int64_t)y * img->width + x,
                          (float)(1 + random_below(seed, 99)) / 100.0f);
            }
        }
    }
}

/* A buffer of the raw size, so that it holds any payload, with a guard after the limit.
 */
static float *make_payload(const image *img, int64_t npix)
{
    float *payload = malloc((size_t)composite_raw_bytes(img, npix) + sizeof GUARD);
    assert_non_null(payload);
    payload[composite_encoded_limit(img, npix) / 4] = GUARD;
    return payload;
}

/* The payload as the executor would send it; the caller frees it. */
static float *encode_or_copy(const image *img, int64_t pix0, int64_t npix, int64_t *bytes)
{
    float *payload = make_payload(img, npix);
    if (composite_encode(img, pix0, npix, payload, bytes)) {
        assert_true(*bytes <= composite_encoded_limit(img, npix));
        assert_true(payload[composite_encoded_limit(img, npix) / 4] == GUARD);
        return payload;
    }
    *bytes = composite_raw_bytes(img, npix);
    memcpy(payload, img->rgba + 4 * pix0, (size_t)npix * 4 * sizeof(float));
    if (img->depth) {
        memcpy(payload + 4 * npix, img->depth + pix0, (size_t)npix * sizeof(float));
    }
    return payload;
}

static void expect_copy(uint32_t seed, const image *expected, const image *actual,
                        int64_t pix0, int64_t npix)
{
    for (int64_t i = 0; i < image_pixel_count(expected); i++) {
        const float zero[4] = {0};
        bool inside = i >= pix0 && i < pix0 + npix;
        const float *want = inside ? expected->rgba + 4 * i : zero;
        bool same = true;
        for (int c = 0; c < 4; c++) {
            same = same && want[c] == actual->rgba[4 * i + c];
        }
        if (same && expected->depth) {
            same = actual->depth[i] == (inside ? expected->depth[i] : INFINITY);
        }
        if (!same) {
            fail_msg("seed %u, pixel %lld of [%lld, %lld): expected alpha %g, actual %g",
                     seed, (long long)i, (long long)pix0, (long long)(pix0 + npix),
                     (double)want[3], (double)actual->rgba[4 * i + 3]);
        }
    }
}

static void expect_active_holds_all(uint32_t seed, const image *img)
{
    for (int64_t i = 0; i < image_pixel_count(img); i++) {
        int x = (int)(i % img->width);
        int y = (int)(i / img->width);
        bool inside = x >= img->active.x0 && x < img->active.x1 && y >= img->active.y0 &&
                      y < img->active.y1;
        if (!inside && img->rgba[4 * i + 3] != 0.0f) {
            fail_msg("seed %u: pixel (%d, %d) is set outside the active rectangle", seed,
                     x, y);
        }
    }
}

static void round_trip(uint32_t seed)
{
    uint64_t random = random_start(seed, 0);
    int width = 1 + random_below(&random, 40);
    int height = 1 + random_below(&random, 30);
    bool with_depth = random_below(&random, 2) == 1;
    image *from = make_image(width, height, with_depth);
    image *to = make_image(width, height, with_depth);
    fill_random(from, random_below(&random, 101), &random);
    int64_t pix0 = random_below(&random, width * height);
    int64_t npix = 1 + random_below(&random, width * height - (int)pix0);
    int64_t bytes;
    float *payload = encode_or_copy(from, pix0, npix, &bytes);
    composite_merge(COMPOSITE_OVER,
                    &(composite_payload){payload, bytes, pix0, npix, seed % 2 == 0}, to);
    expect_copy(seed, from, to, pix0, npix);
    expect_active_holds_all(seed, to);
    free(payload);
    image_destroy(&from);
    image_destroy(&to);
}

static void any_range_of_any_image_survives_the_round_trip(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 2000; seed++) {
        round_trip(seed);
    }
}

static void a_range_without_active_pixels_is_an_empty_payload(void **state)
{
    (void)state;
    image *img = make_image(8, 8, true);
    int64_t bytes = -1;
    float none[1];
    assert_true(composite_encode(img, 3, 50, none, &bytes));
    assert_int_equal(bytes, 0);
    /* Also where the rectangle promises more than there is. */
    img->active = (pixel_rect){0, 0, 8, 8};
    bytes = -1;
    assert_true(composite_encode(img, 3, 50, none, &bytes));
    assert_int_equal(bytes, 0);
    assert_int_equal(
        composite_merge(COMPOSITE_OVER, &(composite_payload){none, 0, 3, 50, true}, img),
        0);
    image_destroy(&img);
}

static void a_dense_range_is_not_encoded(void **state)
{
    (void)state;
    image *img = make_image(8, 8, false);
    img->active = (pixel_rect){0, 0, 8, 8};
    for (int64_t i = 0; i < 64; i++) {
        set_pixel(img, i, 0.5f);
    }
    int64_t bytes = -1;
    float untouched = GUARD;
    assert_false(composite_encode(img, 0, 64, &untouched, &bytes));
    assert_int_equal(bytes, -1);
    assert_true(untouched == GUARD);
    image_destroy(&img);
}

static void a_run_costs_its_pixels_and_eight_bytes(void **state)
{
    (void)state;
    image *img = make_image(10, 10, false);
    img->active = (pixel_rect){2, 4, 6, 5};
    for (int64_t i = 42; i < 46; i++) {
        set_pixel(img, i, 0.5f);
    }
    int64_t bytes;
    float *payload = make_payload(img, 100);
    assert_true(composite_encode(img, 0, 100, payload, &bytes));
    assert_int_equal(bytes, 8 + 4 * 16);
    image *to = make_image(10, 10, false);
    assert_int_equal(composite_merge(COMPOSITE_OVER,
                                     &(composite_payload){payload, bytes, 0, 100, true},
                                     to),
                     4);
    assert_true(to->active.x0 == 2 && to->active.y0 == 4 && to->active.x1 == 6 &&
                to->active.y1 == 5);
    free(payload);
    image_destroy(&to);
    image_destroy(&img);
}

static void runs_go_on_across_rows_that_fill_the_picture(void **state)
{
    (void)state;
    image *img = make_image(5, 6, false);
    img->active = (pixel_rect){0, 1, 5, 4};
    for (int64_t i = 5; i < 20; i++) {
        set_pixel(img, i, 0.5f);
    }
    int64_t bytes;
    float *payload = make_payload(img, 30);
    assert_true(composite_encode(img, 0, 30, payload, &bytes));
    assert_int_equal(bytes, 8 + 15 * 16);
    free(payload);
    image_destroy(&img);
}

static void nothing_outside_the_active_rectangle_is_read(void **state)
{
    (void)state;
    image *img = make_image(6, 6, true);
    img->active = (pixel_rect){2, 2, 4, 4};
    for (int64_t i = 0; i < 36; i++) {
        set_pixel(img, i, NAN);
    }
    for (int y = 2; y < 4; y++) {
        set_pixel(img, y * 6 + 2, 0.5f);
        set_pixel(img, y * 6 + 3, 0.5f);
    }
    int64_t bytes;
    float *payload = make_payload(img, 36);
    assert_true(composite_encode(img, 0, 36, payload, &bytes));
    assert_int_equal(bytes, 2 * (8 + 2 * 20));
    free(payload);
    image_destroy(&img);
}

static void a_depth_without_colour_is_an_active_pixel(void **state)
{
    (void)state;
    image *img = make_image(9, 1, true);
    img->active = (pixel_rect){0, 0, 9, 1};
    img->depth[4] = 2.0f;
    int64_t bytes;
    float *payload = make_payload(img, 9);
    assert_true(composite_encode(img, 0, 9, payload, &bytes));
    assert_int_equal(bytes, 8 + 20);
    image *to = make_image(9, 1, true);
    composite_merge(COMPOSITE_OVER, &(composite_payload){payload, bytes, 0, 9, false},
                    to);
    assert_true(to->depth[4] == 2.0f && to->depth[3] == INFINITY);
    free(payload);
    image_destroy(&to);
    image_destroy(&img);
}

static void erasing_makes_a_range_transparent_and_no_more(void **state)
{
    (void)state;
    image *img = make_image(7, 5, true);
    img->active = (pixel_rect){1, 1, 6, 4};
    for (int y = 1; y < 4; y++) {
        for (int x = 1; x < 6; x++) {
            set_pixel(img, y * 7 + x, 0.5f);
        }
    }
    composite_erase(10, 13, img);
    for (int64_t i = 0; i < 35; i++) {
        bool was_set = i % 7 >= 1 && i % 7 < 6 && i / 7 >= 1 && i / 7 < 4;
        bool set = was_set && (i < 10 || i >= 23);
        assert_true((img->rgba[4 * i + 3] != 0.0f) == set);
        assert_true((img->depth[i] != INFINITY) == set);
    }
    image_destroy(&img);
}

/* ---- Large ranges, which are sampled ------------------------------------------------
 */

enum { SIDE = 128, LARGE = SIDE * SIDE };

static void a_large_dense_range_is_not_encoded(void **state)
{
    (void)state;
    image *img = make_image(SIDE, SIDE, true);
    img->active = (pixel_rect){0, 0, SIDE, SIDE};
    for (int64_t i = 0; i < LARGE; i++) {
        set_pixel(img, i, 0.5f);
    }
    int64_t bytes = -1;
    float untouched = GUARD;
    assert_false(composite_encode(img, 0, LARGE, &untouched, &bytes));
    assert_int_equal(bytes, -1);
    assert_true(untouched == GUARD);
    image_destroy(&img);
}

/* `percent` % of the rows, the lower ones, are active. */
static void check_rows_shrink(int percent)
{
    image *from = make_image(SIDE, SIDE, percent % 2 == 0);
    image *to = make_image(SIDE, SIDE, percent % 2 == 0);
    const int64_t first = (int64_t)SIDE * (SIDE * (100 - percent) / 100);
    from->active = (pixel_rect){0, 0, SIDE, SIDE};
    for (int64_t i = first; i < LARGE; i++) {
        set_pixel(from, i, 0.25f);
    }
    int64_t bytes;
    float *payload = make_payload(from, LARGE);
    assert_true(composite_encode(from, 0, LARGE, payload, &bytes));
    assert_int_equal(bytes,
                     LARGE > first ? 8 + composite_raw_bytes(from, LARGE - first) : 0);
    assert_int_equal(composite_merge(COMPOSITE_OVER,
                                     &(composite_payload){payload, bytes, 0, LARGE, true},
                                     to),
                     LARGE - first);
    expect_copy((uint32_t)percent, from, to, 0, LARGE);
    free(payload);
    image_destroy(&from);
    image_destroy(&to);
}

static void large_ranges_with_a_clear_part_shrink(void **state)
{
    (void)state;
    for (int percent = 0; percent <= 70; percent++) {
        check_rows_shrink(percent);
    }
}

static void large_ranges_of_all_densities_survive_the_round_trip(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        uint64_t random = random_start(seed, 0);
        image *from = make_image(SIDE, SIDE, seed % 2 == 0);
        image *to = make_image(SIDE, SIDE, seed % 2 == 0);
        fill_random(from, random_below(&random, 101), &random);
        int64_t pix0 = random_below(&random, SIDE);
        int64_t npix = LARGE - pix0 - random_below(&random, SIDE);
        int64_t bytes;
        float *payload = encode_or_copy(from, pix0, npix, &bytes);
        composite_merge(COMPOSITE_OVER,
                        &(composite_payload){payload, bytes, pix0, npix, false}, to);
        expect_copy(seed, from, to, pix0, npix);
        expect_active_holds_all(seed, to);
        free(payload);
        image_destroy(&from);
        image_destroy(&to);
    }
}

/* ---- Payloads from elsewhere ---------------------------------------------------------
 */

enum { FIRST = 10, RANGE = 30, ALL = 64 };

/* Merges a payload of words into [FIRST, FIRST + RANGE) of a picture of 8 x 8. Pixels
 * outside of that range stay for any payload. */
static int64_t merge_words(const uint32_t *words, int64_t bytes, bool with_depth)
{
    image *img = make_image(8, 8, with_depth);
    /* Of just this size, so that a sanitizer sees reading behind its end. */
    float *payload = malloc(bytes > 0 ? (size_t)bytes : 1);
    assert_non_null(payload);
    if (bytes > 0) {
        memcpy(payload, words, (size_t)bytes);
    }
    int64_t blended = composite_merge(
        COMPOSITE_OVER, &(composite_payload){payload, bytes, FIRST, RANGE, true}, img);
    for (int64_t i = 0; i < ALL; i++) {
        const float zero[4] = {0};
        if (i < FIRST || i >= FIRST + RANGE) {
            assert_memory_equal(img->rgba + 4 * i, zero, sizeof zero);
            assert_true(!with_depth || img->depth[i] == INFINITY);
        }
    }
    free(payload);
    image_destroy(&img);
    return blended;
}

static void malformed_payloads_are_refused(void **state)
{
    (void)state;
    const uint32_t one = 0x3f800000;
    const uint32_t good[] = {3, 1, one, one, one, one};
    assert_int_equal(merge_words(good, sizeof good, false), 1);
    const uint32_t last[] = {RANGE - 1, 1, one, one, one, one};
    assert_int_equal(merge_words(last, sizeof last, false), 1);
    const uint32_t outside[] = {RANGE, 1, one, one, one, one};
    assert_int_equal(merge_words(outside, sizeof outside, false), -1);
    const uint32_t far_outside[] = {0xffffffff, 1, one, one, one, one};
    assert_int_equal(merge_words(far_outside, sizeof far_outside, false), -1);
    const uint32_t empty[] = {3, 0, one, one, one, one};
    assert_int_equal(merge_words(empty, sizeof empty, false), -1);
    const uint32_t cut_off[] = {3, 2, one, one, one, one};
    assert_int_equal(merge_words(cut_off, sizeof cut_off, false), -1);
    const uint32_t huge[] = {0, 0xffffffff, one, one, one, one};
    assert_int_equal(merge_words(huge, sizeof huge, false), -1);
    const uint32_t backward[] = {3, 1, one, one, one, one, 3, 1, one, one, one, one};
    assert_int_equal(merge_words(backward, sizeof backward, false), -1);
    assert_int_equal(merge_words(good, 4, false), -1);
    assert_int_equal(merge_words(good, sizeof good - 1, false), -1);
    assert_int_equal(merge_words(good, sizeof good, true), -1);
    assert_int_equal(merge_words(good, -4, false), -1);
    uint32_t long_one[RANGE * 4 + 1] = {0};
    assert_int_equal(merge_words(long_one, sizeof long_one, false), -1);
}

static void random_payloads_touch_nothing_outside_their_range(void **state)
{
    (void)state;
    uint64_t random = random_start(3, 0);
    int refused = 0;
    for (int n = 0; n < 20000; n++) {
        uint32_t words[RANGE * 5];
        int count = random_below(&random, RANGE * 5);
        for (int i = 0; i < count; i++) {
            uint32_t any = random_word(&random);
            words[i] = any >> 31 ? any : any % 7;
        }
        refused += merge_words(words, 4 * (int64_t)count, n % 2 == 0) < 0;
    }
    assert_in_range(refused, 10000, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_range_of_any_image_survives_the_round_trip),
        cmocka_unit_test(a_range_without_active_pixels_is_an_empty_payload),
        cmocka_unit_test(a_dense_range_is_not_encoded),
        cmocka_unit_test(a_run_costs_its_pixels_and_eight_bytes),
        cmocka_unit_test(runs_go_on_across_rows_that_fill_the_picture),
        cmocka_unit_test(nothing_outside_the_active_rectangle_is_read),
        cmocka_unit_test(a_depth_without_colour_is_an_active_pixel),
        cmocka_unit_test(erasing_makes_a_range_transparent_and_no_more),
        cmocka_unit_test(a_large_dense_range_is_not_encoded),
        cmocka_unit_test(large_ranges_with_a_clear_part_shrink),
        cmocka_unit_test(large_ranges_of_all_densities_survive_the_round_trip),
        cmocka_unit_test(malformed_payloads_are_refused),
        cmocka_unit_test(random_payloads_touch_nothing_outside_their_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

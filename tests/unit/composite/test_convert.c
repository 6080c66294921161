/* Finished pixels as bytes: filling, and payloads without the transparent ones. */
#include "composite/pixels/convert.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the headers above it. */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 0xa5, GUARDS = 16, HEADER = 8 };

/* Byte b of a pixel: 10 (b + 1) for a transparent one, so that none is zero. */
static void convert(const void *context, int64_t count, const float *rgba,
                    unsigned char *bytes)
{
    const int size = *(const int *)context;
    for (int64_t i = 0; i < count; i++) {
        for (int b = 0; b < size; b++) {
            bytes[i * size + b] =
                (unsigned char)((int)(rgba[4 * i + b] * 100.0f) + 10 * (b + 1));
        }
    }
}

static composite_format make_format(int bytes_per_pixel)
{
    static const int sizes[] = {0, 1, 2, 3, 4};
    return (composite_format){bytes_per_pixel, convert, &sizes[bytes_per_pixel]};
}

/* Bytes with guards before and behind; the caller frees it. */
static unsigned char *make_guarded(int64_t bytes)
{
    unsigned char *memory = malloc((size_t)bytes + 2 * GUARDS);
    assert_non_null(memory);
    memset(memory, GUARD, (size_t)bytes + 2 * GUARDS);
    return memory;
}

static void expect_guards(const unsigned char *memory, int64_t bytes)
{
    for (int i = 0; i < GUARDS; i++) {
        assert_int_equal(memory[i], GUARD);
        assert_int_equal(memory[GUARDS + bytes + i], GUARD);
    }
}

static image *make_image(int width, int height, bool with_depth)
{
    image *img = NULL;
    assert_int_equal(image_create(width, height, with_depth, &img), STATUS_OK);
    img->active = (pixel_rect){0, 0, width, height};
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

/* ---- Filling ----------------------------------------------------------------------- */

static void filling_writes_transparent_pixels_and_no_others(void **state)
{
    (void)state;
    for (int size = 1; size <= COMPOSITE_MOST_BYTES; size++) {
        const composite_format format = make_format(size);
        for (int64_t count = 0; count < 70; count++) {
            unsigned char *memory = make_guarded(count * size);
            composite_format_fill(&format, count, memory + GUARDS);
            for (int64_t i = 0; i < count * size; i++) {
                assert_int_equal(memory[GUARDS + i], 10 * (i % size + 1));
            }
            expect_guards(memory, count * size);
            free(memory);
        }
    }
}

/* ---- There and back ---------------------------------------------------------------- */

/* An image whose active pixels lie in a random rectangle. */
static image *make_random(uint64_t *random, int percent)
{
    image *img = make_image(1 + random_below(random, 40), 1 + random_below(random, 30),
                            random_below(random, 2) == 1);
    pixel_rect *r = &img->active;
    if (percent < 100) {
        r->x0 = random_below(random, img->width);
        r->x1 = r->x0 + random_below(random, img->width - r->x0 + 1);
        r->y0 = random_below(random, img->height);
        r->y1 = r->y0 + random_below(random, img->height - r->y0 + 1);
    }
    for (int y = r->y0; y < r->y1; y++) {
        for (int x = r->x0; x < r->x1; x++) {
            if (random_below(random, 100) < percent) {
                set_pixel(img, (int64_t)y * img->width + x,
                          (float)(1 + random_below(random, 99)) / 100.0f);
            }
        }
    }
    return img;
}

/* Encodes and decodes pixels of an image; returns the bytes of the payload. */
static int64_t expect_round_trip(const composite_format *format, const image *img,
                                 int64_t pix0, int64_t npix)
{
    const int64_t raw = npix * format->bytes_per_pixel;
    unsigned char *payload = make_guarded(raw);
    unsigned char *expected = make_guarded(raw);
    unsigned char *actual = make_guarded(raw);
    const int64_t bytes =
        composite_format_encode(format, img, pix0, npix, payload + GUARDS);
    assert_in_range(bytes, 0, raw);
    expect_guards(payload, raw);
    format->convert(format->context, npix, img->rgba + 4 * pix0, expected + GUARDS);
    assert_true(
        composite_format_decode(format, payload + GUARDS, bytes, npix, actual + GUARDS));
    assert_memory_equal(expected, actual, (size_t)raw + 2 * GUARDS);
    free(payload);
    free(expected);
    free(actual);
    return bytes;
}

static void any_range_comes_back_as_it_was(void **state)
{
    (void)state;
    static const int percents[] = {0, 2, 10, 30, 60, 95, 100};
    for (uint32_t seed = 1; seed <= 700; seed++) {
        uint64_t random = random_start(seed, 0);
        const composite_format format =
            make_format(1 + random_below(&random, COMPOSITE_MOST_BYTES));
        image *img = make_random(&random, percents[seed % 7]);
        const int pixels = (int)image_pixel_count(img);
        const int pix0 = random_below(&random, pixels);
        const int npix = 1 + random_below(&random, pixels - pix0);
        expect_round_trip(&format, img, pix0, npix);
        expect_round_trip(&format, img, 0, pixels);
        image_destroy(&img);
    }
}

static void transparent_pixels_take_no_bytes(void **state)
{
    (void)state;
    const composite_format format = make_format(3);
    image *img = make_image(50, 20, true);
    assert_int_equal(expect_round_trip(&format, img, 100, 700), 0);
    img->active = (pixel_rect){0, 0, 0, 0};
    assert_int_equal(expect_round_trip(&format, img, 0, 1000), 0);
    image_destroy(&img);
}

static void a_range_is_sent_raw_where_runs_do_not_pay(void **state)
{
    (void)state;
    const composite_format format = make_format(3);
    image *img = make_image(60, 1, false);
    for (int i = 0; i < 60; i++) {
        set_pixel(img, i, 0.5f);
    }
    assert_int_equal(expect_round_trip(&format, img, 0, 60), 180);
    /* One pixel of three: a header alone takes more than all of them. */
    assert_int_equal(expect_round_trip(&format, img, 0, 3), 9);
    /* 57 of 60 pixels: 8 + 171 are fewer than 180; 58 are not. */
    memset(img->rgba, 0, 3 * 4 * sizeof(float));
    assert_int_equal(expect_round_trip(&format, img, 0, 60), 179);
    set_pixel(img, 2, 0.5f);
    assert_int_equal(expect_round_trip(&format, img, 0, 60), 180);
    image_destroy(&img);
}

static void pixels_outside_the_active_rectangle_are_not_looked_for(void **state)
{
    (void)state;
    const composite_format format = make_format(4);
    image *img = make_image(40, 10, false);
    img->active = (pixel_rect){10, 2, 12, 5};
    for (int y = 2; y < 5; y++) {
        set_pixel(img, 40 * y + 10, 0.25f);
        set_pixel(img, 40 * y + 11, 0.75f);
    }
    assert_int_equal(expect_round_trip(&format, img, 0, 400), 3 * (HEADER + 2 * 4));
    /* From the second of the two on, to the first of the last row. */
    assert_int_equal(expect_round_trip(&format, img, 91, 80), 3 * HEADER + 4 * 4);
    image_destroy(&img);
}

/* A gap is sent along where a header would cost about as much. */
static void short_gaps_do_not_end_a_run(void **state)
{
    (void)state;
    const composite_format format = make_format(2);
    image *img = make_image(200, 1, true);
    set_pixel(img, 20, 0.5f);
    set_pixel(img, 20 + 1 + 7, 0.5f);
    assert_int_equal(expect_round_trip(&format, img, 0, 200), HEADER + 9 * 2);
    set_pixel(img, 28 + 1 + 8, 0.5f);
    assert_int_equal(expect_round_trip(&format, img, 0, 200), 2 * HEADER + 10 * 2);
    image_destroy(&img);
}

static void a_pixel_with_a_depth_alone_is_active(void **state)
{
    (void)state;
    const composite_format format = make_format(4);
    image *img = make_image(100, 1, true);
    img->depth[50] = 2.0f;
    assert_int_equal(expect_round_trip(&format, img, 0, 100), HEADER + 4);
    image_destroy(&img);
}

/* ---- Payloads that are wrong ------------------------------------------------------- */

/* Appends a run of pixels with the bytes 7, 8, 9; returns the new end. */
static unsigned char *append_run(unsigned char *end, uint32_t first, uint32_t count,
                                 int present)
{
    const uint32_t header[2] = {first, count};
    memcpy(end, header, sizeof header);
    end += sizeof header;
    for (int i = 0; i < 3 * present; i++) {
        *end++ = (unsigned char)(7 + i % 3);
    }
    return end;
}

enum { RANGE = 100 /* pixels of the payloads below */ };

static void expect_refusal(const unsigned char *payload, const unsigned char *end)
{
    const composite_format format = make_format(3);
    const int64_t bytes = end - payload;
    /* Exactly of its size, so that a sanitizer sees reads beyond it. */
    unsigned char *exact = malloc((size_t)bytes ? (size_t)bytes : 1);
    unsigned char *memory = make_guarded(3 * RANGE);
    assert_non_null(exact);
    memcpy(exact, payload, (size_t)bytes);
    assert_false(composite_format_decode(&format, exact, bytes, RANGE, memory + GUARDS));
    expect_guards(memory, 3 * RANGE);
    free(memory);
    free(exact);
}

static void broken_payloads_are_refused(void **state)
{
    (void)state;
    unsigned char payload[512];
    unsigned char *end = append_run(payload, 10, 2, 2);
    /* Cut off, in a header or in pixels, or with something behind. */
    for (const unsigned char *cut = payload + 1; cut < end; cut++) {
        expect_refusal(payload, cut);
    }
    end[0] = 0;
    expect_refusal(payload, end + 1);
    expect_refusal(payload, end + 7);
    /* Descending, overlapping, beyond the range, too long. */
    expect_refusal(payload, append_run(end, 5, 1, 1));
    expect_refusal(payload, append_run(end, 11, 1, 1));
    expect_refusal(payload, append_run(payload, RANGE, 1, 1));
    expect_refusal(payload, append_run(payload, RANGE - 1, 2, 2));
    expect_refusal(payload, append_run(payload, RANGE + 50, 0, 0));
    expect_refusal(payload, append_run(payload, UINT32_MAX, 1, 1));
    expect_refusal(payload, append_run(payload, 1, UINT32_MAX, 20));
    expect_refusal(payload, append_run(payload, 1, 0x55555556u, 1));
    expect_refusal(payload, append_run(payload, 90, 11, 11));
}

static void runs_that_touch_are_read_like_any_others(void **state)
{
    (void)state;
    const composite_format format = make_format(3);
    unsigned char payload[128];
    unsigned char *memory = make_guarded(3 * RANGE);
    unsigned char *end = append_run(payload, 0, 2, 2);
    end = append_run(end, 2, 1, 1);
    end = append_run(end, RANGE - 1, 1, 1);
    assert_true(
        composite_format_decode(&format, payload, end - payload, RANGE, memory + GUARDS));
    for (int i = 0; i < RANGE; i++) {
        const bool is_set = i < 3 || i == RANGE - 1;
        for (int b = 0; b < 3; b++) {
            assert_int_equal(memory[GUARDS + 3 * i + b], is_set ? 7 + b : 10 * (b + 1));
        }
    }
    expect_guards(memory, 3 * RANGE);
    free(memory);
}

static void random_payloads_write_nothing_outside_the_range(void **state)
{
    (void)state;
    const composite_format format = make_format(3);
    for (uint32_t seed = 1; seed <= 5000; seed++) {
        uint64_t random = random_start(seed, 1);
        const int bytes = random_below(&random, 120);
        unsigned char *payload = malloc((size_t)bytes + 1);
        unsigned char *memory = make_guarded(3 * RANGE);
        assert_non_null(payload);
        for (int i = 0; i < bytes; i++) {
            /* Mostly small numbers, as of little ones there are runs. */
            payload[i] =
                (unsigned char)(random_below(&random, 3) == 0 ? random_below(&random, 20)
                                                              : 0);
        }
        composite_format_decode(&format, payload, bytes, RANGE, memory + GUARDS);
        expect_guards(memory, 3 * RANGE);
        free(payload);
        free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filling_writes_transparent_pixels_and_no_others),
        cmocka_unit_test(any_range_comes_back_as_it_was),
        cmocka_unit_test(transparent_pixels_take_no_bytes),
        cmocka_unit_test(a_range_is_sent_raw_where_runs_do_not_pay),
        cmocka_unit_test(pixels_outside_the_active_rectangle_are_not_looked_for),
        cmocka_unit_test(short_gaps_do_not_end_a_run),
        cmocka_unit_test(a_pixel_with_a_depth_alone_is_active),
        cmocka_unit_test(broken_payloads_are_refused),
        cmocka_unit_test(runs_that_touch_are_read_like_any_others),
        cmocka_unit_test(random_payloads_write_nothing_outside_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

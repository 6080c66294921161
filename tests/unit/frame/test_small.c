/* Small images of pages. */
#include "frame/recording/small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The grey of two pixels, white with half the opacity and black, made one. */
static int grey_of_two(bool is_light)
{
    float rgba[8] = {0.5f, 0.5f, 0.5f, 0.5f, 0.0f, 0.0f, 0.0f, 0.5f};
    const image img = {.width = 2, .height = 1, .rgba = rgba, .active = {0, 0, 2, 1}};
    frame_small small = {0};
    assert_int_equal(frame_small_make(&img, 1, is_light, &small), STATUS_OK);
    assert_int_equal(small.width, 1);
    assert_int_equal(small.rgba[3], 128);
    const int grey = small.rgba[0];
    frame_small_clear(&small);
    return grey;
}

static void pages_show_light_as_displayed(void **unused)
{
    (void)unused;
    assert_int_equal(grey_of_two(false), 128);
    assert_int_equal(grey_of_two(true), 188);
}

static void halves_have_the_means_of_pixels_by_their_opacity(void **unused)
{
    (void)unused;
    /* 3 x 1 pixels: two become one, the last one stays. */
    const uint8_t pixels[12] = {200, 40, 8, 255, 20, 220, 80, 85, 7, 8, 9, 60};
    const uint8_t expected[8] = {155, 85, 26, 170, 7, 8, 9, 60};
    frame_small small = {3, 1, malloc(sizeof pixels)};
    assert_non_null(small.rgba);
    memcpy(small.rgba, pixels, sizeof pixels);
    assert_int_equal(frame_small_halve(&small), STATUS_OK);
    assert_int_equal(small.width, 2);
    assert_int_equal(small.height, 1);
    assert_memory_equal(small.rgba, expected, sizeof expected);
    frame_small_clear(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_show_light_as_displayed),
        cmocka_unit_test(halves_have_the_means_of_pixels_by_their_opacity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

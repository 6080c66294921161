/* Small images of pages. */
#include "frame/recording/small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_show_light_as_displayed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

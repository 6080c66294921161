/* Images: transparent when made, transparent again when cleared. */
#include "base/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static image *create(int width, int height, bool with_depth)
{
    image *img = NULL;
    assert_int_equal(image_create(width, height, with_depth, &img), STATUS_OK);
    assert_non_null(img);
    return img;
}

static void check_transparent(const image *img)
{
    assert_true(pixel_rect_is_empty(img->active));
    for (int64_t i = 0; i < image_pixel_count(img); i++) {
        for (int c = 0; c < 4; c++) {
            assert_true(img->rgba[4 * i + c] == 0.0f);
        }
        assert_true(!img->depth || (isinf(img->depth[i]) && img->depth[i] > 0.0f));
    }
}

static void a_new_image_is_transparent(void **unused)
{
    (void)unused;
    image *img = create(7, 5, true);
    assert_int_equal(img->width, 7);
    assert_int_equal(img->height, 5);
    assert_int_equal(image_pixel_count(img), 35);
    check_transparent(img);
    image_destroy(&img);
    assert_null(img);
}

static void depth_is_there_only_where_asked_for(void **unused)
{
    (void)unused;
    image *img = create(3, 3, false);
    assert_null(img->depth);
    check_transparent(img);
    image_destroy(&img);
}

/* Paints the active rectangle, and nothing else. */
static void paint(image *img, pixel_rect active)
{
    img->active = active;
    for (int y = active.y0; y < active.y1; y++) {
        for (int x = active.x0; x < active.x1; x++) {
            int64_t i = (int64_t)y * img->width + x;
            for (int c = 0; c < 4; c++) {
                img->rgba[4 * i + c] = 0.5f;
            }
            if (img->depth) {
                img->depth[i] = 1.0f;
            }
        }
    }
}

static void clearing_makes_every_active_pixel_transparent(void **unused)
{
    (void)unused;
    const pixel_rect rects[] = {{0, 0, 9, 6}, {2, 1, 5, 4}, {8, 5, 9, 6}, {3, 3, 3, 3}};
    for (int n = 0; n < 8; n++) {
        image *img = create(9, 6, n % 2 == 0);
        paint(img, rects[n / 2]);
        image_clear(img);
        check_transparent(img);
        image_destroy(&img);
    }
}

static void pixels_of_a_cropped_image_lie_close_together(void **unused)
{
    (void)unused;
    const pixel_rect rect = {5, 2, 7, 5};
    for (int with_depth = 0; with_depth < 2; with_depth++) {
        image *img = create(11, 6, with_depth);
        img->may_crop = true;
        image_crop(img, rect);
        assert_true(img->kept.x0 <= 5 && img->kept.y0 == 2);
        assert_true(img->kept.x1 >= 7 && img->kept.x1 <= 8 && img->kept.y1 == 5);
        img->active = rect;
        for (int y = rect.y0; y < rect.y1; y++) {
            for (int x = rect.x0; x < rect.x1; x++) {
                const int64_t at = image_at(img, x, y);
                assert_in_range(at, 0, 3 * 4 - 1);
                assert_true(img->rgba[4 * at] == 0.0f); /* no two in one place */
                img->rgba[4 * at] = 1.0f;
                if (with_depth) {
                    img->depth[at] = 2.0f;
                }
            }
        }
        image_clear(img);
        check_transparent(img);
        image_destroy(&img);
    }
}

static void images_are_whole_unless_they_may_be_cropped(void **unused)
{
    (void)unused;
    image *img = create(11, 6, false);
    image_crop(img, (pixel_rect){5, 2, 7, 5});
    assert_int_equal(image_at(img, 10, 5), 65);
    img->may_crop = true;
    image_crop(img, (pixel_rect){5, 2, 7, 5});
    assert_int_equal(image_at(img, img->kept.x0, 2), 0);
    image_crop(img, (pixel_rect){3, 3, 3, 3}); /* nothing will be drawn */
    assert_int_equal(image_at(img, 10, 5), 65);
    image_destroy(&img);
}

static void impossible_sizes_are_refused(void **unused)
{
    (void)unused;
    const int sizes[][2] = {{0, 5},     {5, 0},     {-1, 5},       {5, -2147483647},
                            {65536, 1}, {1, 65536}, {65535, 65535}};
    for (int n = 0; n < 7; n++) {
        image *img = NULL;
        base_fail_set_message("");
        assert_int_equal(image_create(sizes[n][0], sizes[n][1], false, &img),
                         STATUS_USAGE);
        assert_null(img);
        assert_string_not_equal(base_fail_message(), "");
        assert_int_equal(image_check_size(sizes[n][0], sizes[n][1]), STATUS_USAGE);
    }
    base_fail_set_message("");
    assert_int_equal(image_check_size(IMAGE_MAX_SIDE, 1), STATUS_OK);
}

static void the_longest_side_is_allowed(void **unused)
{
    (void)unused;
    image *img = create(IMAGE_MAX_SIDE, 1, false);
    image_destroy(&img);
}

static void destroying_nothing_is_fine(void **unused)
{
    (void)unused;
    image *img = NULL;
    image_destroy(&img);
    assert_null(img);
}

static void rectangles_without_pixels_are_empty(void **unused)
{
    (void)unused;
    assert_true(pixel_rect_is_empty((pixel_rect){0, 0, 0, 0}));
    assert_true(pixel_rect_is_empty((pixel_rect){5, 0, 3, 4}));
    assert_true(pixel_rect_is_empty((pixel_rect){0, 4, 3, 4}));
    assert_false(pixel_rect_is_empty((pixel_rect){2, 3, 3, 4}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_image_is_transparent),
        cmocka_unit_test(depth_is_there_only_where_asked_for),
        cmocka_unit_test(clearing_makes_every_active_pixel_transparent),
        cmocka_unit_test(pixels_of_a_cropped_image_lie_close_together),
        cmocka_unit_test(images_are_whole_unless_they_may_be_cropped),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(the_longest_side_is_allowed),
        cmocka_unit_test(destroying_nothing_is_fine),
        cmocka_unit_test(rectangles_without_pixels_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

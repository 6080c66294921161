/* From float pixels to bytes. */
#include "render/finish.h"

#include "check.h"

static void check_bytes(const float pixel[4], const float background[3],
                        const int wanted[3])
{
    uint8_t rgb[3];
    render_finish_rgb8(1, pixel, background, rgb);
    for (int c = 0; c < 3; c++) {
        check_count("byte", (uint64_t)c, wanted[c], rgb[c]);
    }
}

static void clear_pixels_show_the_background(void **unused)
{
    (void)unused;
    const float clear[4] = {0}, background[3] = {0.0f, 0.5f, 1.0f};
    check_bytes(clear, background, (const int[3]){0, 128, 255});
}

static void opaque_pixels_hide_the_background(void **unused)
{
    (void)unused;
    const float pixel[4] = {0.2f, 0.4f, 0.6f, 1.0f}, background[3] = {1.0f, 1.0f, 1.0f};
    check_bytes(pixel, background, (const int[3]){51, 102, 153});
}

static void colours_are_premultiplied(void **unused)
{
    (void)unused;
    const float pixel[4] = {0.25f, 0.0f, 0.5f, 0.5f}, background[3] = {1.0f, 1.0f, 0.0f};
    check_bytes(pixel, background, (const int[3]){191, 128, 128});
}

static void bytes_are_clamped_and_rounded_to_the_nearest(void **unused)
{
    (void)unused;
    const float black[3] = {0};
    const float beyond[4] = {1.5f, -0.5f, NAN, 1.0f};
    check_bytes(beyond, black, (const int[3]){255, 0, 0});
    const float infinite[4] = {INFINITY, -INFINITY, 0.0f, 1.0f};
    check_bytes(infinite, black, (const int[3]){255, 0, 0});
    for (int byte = 0; byte < 256; byte++) {
        float below = ((float)byte - 0.49f) / 255.0f,
              above = ((float)byte + 0.49f) / 255.0f;
        const float pixel[4] = {below, (float)byte / 255.0f, above, 1.0f};
        check_bytes(pixel, black, (const int[3]){byte, byte, byte});
    }
}

static void many_pixels_are_finished_in_order(void **unused)
{
    (void)unused;
    enum { COUNT = 1000 };
    float rgba[COUNT][4];
    uint8_t rgb[COUNT + 1][3];
    const float black[3] = {0};
    for (int i = 0; i < COUNT; i++) {
        for (int c = 0; c < 4; c++) {
            rgba[i][c] = (float)((i + 7 * c) % 256) / 255.0f;
        }
    }
    rgb[COUNT][0] = 77;
    render_finish_rgb8(COUNT, rgba[0], black, rgb[0]);
    for (int i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++) {
            check_count("byte", (uint64_t)i, (i + 7 * c) % 256, rgb[i][c]);
        }
    }
    check_count("the byte behind the last", 0, 77, rgb[COUNT][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_pixels_show_the_background),
        cmocka_unit_test(opaque_pixels_hide_the_background),
        cmocka_unit_test(colours_are_premultiplied),
        cmocka_unit_test(bytes_are_clamped_and_rounded_to_the_nearest),
        cmocka_unit_test(many_pixels_are_finished_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* From float pixels to bytes. */
#include "render/view/finish.h"

#include "check.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

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

static void light_becomes_colours_as_displayed(void **unused)
{
    (void)unused;
    float pixels[3][4] = {{0.5f, 1.0f, 0.0f, 1.0f}, {0.25f, 0.001f, 0.5f, 0.5f}, {0}};
    render_finish_display(3, pixels[0]);
    check_near("half the light", 0, 0.735357, (double)pixels[0][0], 1e-5);
    check_near("all of it", 0, 1.0, (double)pixels[0][1], 1e-6);
    check_near("half of a half", 0, 0.5 * 0.735357, (double)pixels[1][0], 1e-5);
    check_near("hardly any", 0, 0.001 * 12.92, (double)pixels[1][1], 1e-6);
    assert_true(pixels[2][0] == 0.0f && pixels[1][3] == 0.5f);
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

static void check_two_bytes(int wanted, const uint8_t *bytes)
{
    check_count("value", 0, wanted, 256 * bytes[0] + bytes[1]);
}

static void deep_pixels_have_two_bytes_a_channel(void **unused)
{
    (void)unused;
    const float rgba[] = {0.25f, 0.0f, 0.5f, 0.5f, 2.0f, NAN, -1.0f, 1.0f, 0.5f, 0, 0, 0};
    const float behind[3] = {1.0f, 1.0f, 0.0f};
    static const int over[] = {49151, 32768, 32768, 65535, 0, 0, 65535, 65535, 0};
    static const int alone[] = {32768, 0, 65535, 32768, 65535, 0, 0, 65535, 0, 0, 0, 0};
    uint8_t rgb[18], with_alpha[24];
    render_finish_rgb16(3, rgba, behind, rgb);
    render_finish_rgba16(3, rgba, with_alpha);
    for (size_t n = 0; n < 9; n++) {
        check_two_bytes(over[n], rgb + 2 * n);
    }
    for (size_t n = 0; n < 12; n++) {
        check_two_bytes(alone[n], with_alpha + 2 * n);
    }
}

/* Bit patterns of all kinds: one in four is a special value, one in four any number. */
static float any_float(uint64_t *state)
{
    static const float special[] = {
        0.0f,      -0.0f,    1.0f,      -1.0f,    0.5f,          1.0f / 255.0f, INFINITY,
        -INFINITY, NAN,      -NAN,      1e-40f,   -1e-40f,       3e38f,         -3e38f,
        0.998f,    0.99804f, 0.998039f, 1.00001f, 0.5f / 255.0f, 2147483648.0f,
    };
    const uint32_t bits = random_word(state);
    uint32_t kind = bits >> 30;
    if (kind == 0) {
        return special[bits % (sizeof special / sizeof special[0])];
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return kind == 1 ? value : (float)(bits % 1000000) / 1000000.0f;
}

/* The formula, value by value, as the header has it. */
static int expected_byte(float value)
{
    float scaled = value > 0.0f ? value * 255.0f + 0.5f : 0.0f;
    return scaled >= 255.0f ? 255 : (int)scaled;
}

enum { MOST = 70, ROUNDS = 400 };

static void fill_any(float *rgba, uint64_t *state)
{
    for (int i = 0; i < 4 * MOST; i++) {
        rgba[i] = any_float(state);
    }
}

static void check_rgb8(const finish_kernel *kernel)
{
    uint64_t state = random_start(1, 0);
    for (int round = 0; round < ROUNDS; round++) {
        float rgba[4 * MOST], background[3];
        uint8_t rgb[3 * MOST + 1];
        int count = round % (MOST + 1);
        fill_any(rgba, &state);
        for (int c = 0; c < 3; c++) {
            background[c] = any_float(&state);
        }
        rgb[3 * count] = 77;
        kernel->rgb8(count, rgba, background, rgb);
        for (int i = 0; i < 3 * count; i++) {
            float transmittance = 1.0f - rgba[i / 3 * 4 + 3];
            float behind = transmittance * background[i % 3];
            check_count(kernel->name, (uint64_t)round,
                        expected_byte(rgba[i / 3 * 4 + i % 3] + behind), rgb[i]);
        }
        check_count("the byte behind the last", (uint64_t)round, 77, rgb[3 * count]);
    }
}

static void check_rgba8(const finish_kernel *kernel)
{
    uint64_t state = random_start(2, 0);
    for (int round = 0; round < ROUNDS; round++) {
        float rgba[4 * MOST];
        uint8_t bytes[4 * MOST + 1];
        int count = round % (MOST + 1);
        fill_any(rgba, &state);
        bytes[4 * count] = 77;
        kernel->rgba8(count, rgba, bytes);
        for (int i = 0; i < 4 * count; i++) {
            float alpha = rgba[i / 4 * 4 + 3];
            float colour = alpha > 0.0f ? rgba[i] / alpha : 0.0f;
            check_count(kernel->name, (uint64_t)round,
                        expected_byte(i % 4 == 3 ? alpha : colour), bytes[i]);
        }
        check_count("the byte behind the last", (uint64_t)round, 77, bytes[4 * count]);
    }
}

static void any_values_of_any_count_give_the_bytes_of_the_formula(void **unused)
{
    (void)unused;
    for (const finish_kernel *const *at = render_finish_kernels(); *at; at++) {
        check_rgb8(*at);
        check_rgba8(*at);
    }
}

enum { BESIDE = 64, ALIGNMENTS = 16, MOST_FEW = 40 };

/* Finishes a few pixels, which begin anywhere in memory, where guards lie beside. */
static void check_few(const finish_kernel *kernel, const finish_kernel *plain,
                      int64_t count, size_t at, uint64_t *state)
{
    enum { ROOM = 2 * BESIDE + ALIGNMENTS + 4 * MOST_FEW };
    const float background[3] = {0.1f, 0.5f, 0.9f};
    float *rgba = malloc((size_t)(4 * count) * sizeof *rgba + 1); /* nothing behind it */
    assert_non_null(rgba);
    for (int64_t i = 0; i < 4 * count; i++) {
        rgba[i] = any_float(state);
    }
    for (int with_alpha = 0; with_alpha < 2; with_alpha++) {
        uint8_t actual[ROOM], expected[ROOM];
        memset(actual, 77, sizeof actual);
        memset(expected, 77, sizeof expected);
        if (with_alpha) {
            kernel->rgba8(count, rgba, actual + BESIDE + at);
            plain->rgba8(count, rgba, expected + BESIDE + at);
        } else {
            kernel->rgb8(count, rgba, background, actual + BESIDE + at);
            plain->rgb8(count, rgba, background, expected + BESIDE + at);
        }
        for (size_t i = 0; i < ROOM; i++) {
            check_count(kernel->name, (uint64_t)count, expected[i], actual[i]);
        }
    }
    free(rgba);
}

/* Other ranks may write the bytes beside at the same time. */
static void bytes_beside_are_left_alone(void **unused)
{
    (void)unused;
    const finish_kernel *const *kernels = render_finish_kernels();
    uint64_t state = random_start(3, 0);
    for (const finish_kernel *const *kernel = kernels; *kernel; kernel++) {
        for (int64_t count = 0; count <= MOST_FEW; count++) {
            for (size_t at = 0; at < ALIGNMENTS; at++) {
                check_few(*kernel, kernels[0], count, at, &state);
            }
        }
    }
}

static void pixels_with_alpha_keep_their_own_colour(void **unused)
{
    (void)unused;
    const float pixels[2][4] = {{0.1f, 0.25f, 0.5f, 0.5f}, {0.0f, 0.0f, 0.0f, 0.0f}};
    const uint8_t wanted[2][4] = {{51, 128, 255, 128}, {0, 0, 0, 0}};
    uint8_t bytes[2][4];
    render_finish_rgba8(2, pixels[0], bytes[0]);
    for (int i = 0; i < 8; i++) {
        check_count("byte", (uint64_t)i, wanted[i / 4][i % 4], bytes[i / 4][i % 4]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_pixels_show_the_background),
        cmocka_unit_test(opaque_pixels_hide_the_background),
        cmocka_unit_test(colours_are_premultiplied),
        cmocka_unit_test(bytes_are_clamped_and_rounded_to_the_nearest),
        cmocka_unit_test(light_becomes_colours_as_displayed),
        cmocka_unit_test(many_pixels_are_finished_in_order),
        cmocka_unit_test(deep_pixels_have_two_bytes_a_channel),
        cmocka_unit_test(any_values_of_any_count_give_the_bytes_of_the_formula),
        cmocka_unit_test(bytes_beside_are_left_alone),
        cmocka_unit_test(pixels_with_alpha_keep_their_own_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Blending an overlay over pieces of a picture. */
#include "render/annotate/overlay.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 37, HEIGHT = 23, PIXELS = WIDTH * HEIGHT };

/* A premultiplied colour; two thirds of them are transparent. */
static uint32_t random_argb(uint64_t *seed)
{
    const unsigned alpha = random_word(seed) % 256;
    if (random_word(seed) % 3 != 0) {
        return 0;
    }
    uint32_t argb = alpha << 24;
    for (int c = 0; c < 3; c++) {
        argb |= random_word(seed) % (alpha + 1) << (8 * c);
    }
    return argb;
}

static annotate_overlay *make_overlay(unsigned seed, uint32_t argb[PIXELS])
{
    uint64_t random = random_start(seed, 0);
    annotate_overlay *overlay = NULL;
    assert_int_equal(annotate_overlay_create(WIDTH, HEIGHT, &overlay), STATUS_OK);
    for (int row = 0; row < HEIGHT; row++) {
        for (int n = row * WIDTH; n < (row + 1) * WIDTH; n++) {
            argb[n] = row % 4 == 1 ? 0 : random_argb(&random);
        }
        assert_int_equal(annotate_overlay_add_row(overlay, row, argb + row * WIDTH),
                         STATUS_OK);
    }
    return overlay;
}

static double channel(uint32_t argb, int c)
{
    return (double)(argb >> (16 - 8 * c) & 255u) / 255.0;
}

static void fill(size_t count, uint8_t *bytes, unsigned seed)
{
    uint64_t random = random_start(seed, 0);
    for (size_t n = 0; n < count; n++) {
        bytes[n] = (uint8_t)random_word(&random);
    }
}

static void blending_is_over_for_every_pixel(void **state)
{
    (void)state;
    static uint32_t argb[PIXELS];
    static uint8_t rgb[3 * PIXELS], before[3 * PIXELS];
    annotate_overlay *overlay = make_overlay(1, argb);
    fill(sizeof rgb, rgb, 2);
    memcpy(before, rgb, sizeof rgb);
    annotate_blend_rgb8(overlay, 0, PIXELS, rgb);
    for (int n = 0; n < 3 * PIXELS; n++) {
        const double alpha = (double)(argb[n / 3] >> 24) / 255.0;
        const double expected =
            255.0 * channel(argb[n / 3], n % 3) + (1.0 - alpha) * before[n];
        if (fabs(rgb[n] - expected) > 0.5 + 1e-9) {
            fail_msg("pixel %d, channel %d: expected %g, found %d", n / 3, n % 3,
                     expected, rgb[n]);
        }
    }
    annotate_overlay_destroy(&overlay);
    assert_null(overlay);
}

static void pictures_with_opacity_keep_it(void **state)
{
    (void)state;
    static uint32_t argb[PIXELS];
    static uint8_t rgba[4 * PIXELS], before[4 * PIXELS];
    annotate_overlay *overlay = make_overlay(3, argb);
    fill(sizeof rgba, rgba, 4);
    memcpy(before, rgba, sizeof rgba);
    annotate_blend_rgba8(overlay, 0, PIXELS, rgba);
    for (int n = 0; n < PIXELS; n++) {
        const uint8_t *found = rgba + 4 * n, *old = before + 4 * n;
        const double over = (double)(argb[n] >> 24) / 255.0;
        const double kept = (1.0 - over) * old[3] / 255.0;
        assert_true(fabs(found[3] / 255.0 - over - kept) <= 0.5 / 255.0 + 1e-9);
        for (int c = 0; c < 3 && over + kept > 0.0; c++) {
            const double light = channel(argb[n], c) + kept * old[c] / 255.0;
            assert_true(fabs(found[c] - 255.0 * light / (over + kept)) <= 0.5 + 1e-9);
        }
    }
    annotate_overlay_destroy(&overlay);
}

static double deep(const uint8_t *bytes)
{
    return (256 * bytes[0] + bytes[1]) / 65535.0;
}

static void deep_pictures_are_blended_likewise(void **state)
{
    (void)state;
    static uint32_t argb[PIXELS];
    static uint8_t rgb[6 * PIXELS], rgba[8 * PIXELS], before[8 * PIXELS];
    const double half = 0.5 / 65535.0 + 1e-9;
    annotate_overlay *overlay = make_overlay(9, argb);
    fill(sizeof before, before, 10);
    memcpy(rgb, before, sizeof rgb);
    memcpy(rgba, before, sizeof rgba);
    annotate_blend_rgb16(overlay, 0, PIXELS, rgb);
    annotate_blend_rgba16(overlay, 0, PIXELS, rgba);
    for (int n = 0; n < PIXELS; n++) {
        const double over = (double)(argb[n] >> 24) / 255.0;
        const double kept = (1.0 - over) * deep(before + 8 * n + 6);
        assert_true(fabs(deep(rgba + 8 * n + 6) - over - kept) <= half);
        for (int c = 0; c < 3; c++) {
            const double color = channel(argb[n], c);
            const double opaque = color + (1.0 - over) * deep(before + 6 * n + 2 * c);
            const double light = color + kept * deep(before + 8 * n + 2 * c);
            assert_true(fabs(deep(rgb + 6 * n + 2 * c) - opaque) <= half);
            assert_true(fabs(deep(rgba + 8 * n + 2 * c) - light / (over + kept)) <= half);
        }
    }
    annotate_overlay_destroy(&overlay);
}

/* Ranks have pieces of a picture, threads pieces of these. */
static void pieces_give_what_the_whole_gives(void **state)
{
    (void)state;
    static uint32_t argb[PIXELS];
    static uint8_t whole[3 * PIXELS], pieces[3 * PIXELS];
    annotate_overlay *overlay = make_overlay(5, argb);
    uint64_t random = random_start(6, 0);
    for (int trial = 0; trial < 200; trial++) {
        fill(sizeof whole, whole, 7);
        memcpy(pieces, whole, sizeof whole);
        annotate_blend_rgb8(overlay, 0, PIXELS, whole);
        for (int pix0 = 0; pix0 < PIXELS;) {
            const int most = trial % 2 == 0 ? 3 : 200;
            int npix = (int)(random_word(&random) % (unsigned)most);
            npix = npix < PIXELS - pix0 ? npix : PIXELS - pix0;
            annotate_blend_rgb8(overlay, pix0, npix, pieces + 3 * pix0);
            pix0 += npix;
        }
        assert_memory_equal(pieces, whole, sizeof whole);
    }
    annotate_overlay_destroy(&overlay);
}

static void an_empty_overlay_changes_nothing(void **state)
{
    (void)state;
    annotate_overlay *overlay = NULL;
    assert_int_equal(annotate_overlay_create(WIDTH, HEIGHT, &overlay), STATUS_OK);
    uint8_t rgb[3 * PIXELS], before[3 * PIXELS];
    fill(sizeof rgb, rgb, 8);
    memcpy(before, rgb, sizeof rgb);
    annotate_blend_rgb8(overlay, 0, PIXELS, rgb);
    assert_memory_equal(rgb, before, sizeof rgb);
    annotate_overlay_destroy(&overlay);
    annotate_overlay_destroy(&overlay);
}

/* With cairo or without it. */
static void descriptions_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    static const double colors[2][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}};
    static const double falling[2][4] = {{1, 0, 0, 0}, {0, 1, 1, 1}};
    static const double levels[2] = {1.0, 0.5};
    const annotate_bar good = {
        .scale = {.range = {0, 1}}, .ncolors = 2, .colors = colors};
    annotate_bar bars[8];
    for (int n = 0; n < 8; n++) {
        bars[n] = good;
    }
    bars[0].scale.range[1] = -1.0;
    bars[1].scale.range[1] = NAN;
    bars[2].scale.range[0] = -INFINITY;
    bars[3].ncolors = 1;
    bars[4].colors = falling;
    bars[5].nlevels = 2;
    bars[5].levels = levels;
    bars[6].side = ANNOTATE_RECTANGLE;
    bars[7].ticks = ANNOTATE_MAX_TICKS + 1;
    annotate_overlay *overlay = NULL;
    assert_int_equal(annotate_overlay_create(WIDTH, HEIGHT, &overlay), STATUS_OK);
    for (int n = 0; n < 8; n++) {
        const annotation what = {.nbars = 1, .bars = &bars[n]};
        base_fail_set_message("");
        if (annotate_draw(overlay, &what) != STATUS_USAGE) {
            fail_msg("bar %d was taken", n);
        }
        assert_non_null(strstr(base_fail_message(), "scalar bar '' has") ||
                                strstr(base_fail_message(), "scalar bar '' needs")
                            ? ""
                            : NULL);
        assert_int_equal(overlay->nspans, 0);
    }
    const annotate_label nothing = {.text = NULL};
    const annotation labelled = {.nlabels = 1, .labels = &nothing};
    assert_int_equal(annotate_draw(overlay, &labelled), STATUS_USAGE);
    const annotation large = {.style = {.size = 101.0}};
    assert_int_equal(annotate_draw(overlay, &large), STATUS_USAGE);
    const annotation fine = {.nbars = 1, .bars = &good};
    assert_int_equal(annotate_draw(overlay, &fine), STATUS_OK);
    annotate_overlay_destroy(&overlay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blending_is_over_for_every_pixel),
        cmocka_unit_test(pictures_with_opacity_keep_it),
        cmocka_unit_test(deep_pictures_are_blended_likewise),
        cmocka_unit_test(pieces_give_what_the_whole_gives),
        cmocka_unit_test(an_empty_overlay_changes_nothing),
        cmocka_unit_test(descriptions_that_mean_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

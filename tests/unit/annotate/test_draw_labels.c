/* Labels: at their anchors, within the margins, readable, and the same bytes each time.
 */
#include "canvas.h"
#include "render/annotate/overlay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double map[3][4] = {{0, 0, 0, 1}, {0.5, 1, 1, 1}, {1, 1, 0, 0}};
static const double levels[3] = {-1.0, 0.0, 1.0};

/* Everything at once: bars on all sides, labels at all anchors, axes. */
static const annotate_bar bars[] = {
    {.title = "pressure",
     .scale = {.range = {101325.0, 101400.0}},
     .ncolors = 3,
     .colors = map},
    {.title = "Q",
     .scale = {.range = {-2.0, 2.0}},
     .ncolors = 3,
     .colors = map,
     .side = ANNOTATE_LEFT,
     .has_nan_color = true,
     .levels_are = ANNOTATE_LEVELS_BANDS,
     .nlevels = 3,
     .levels = levels},
    {.title = "mach",
     .scale = {.range = {0.0, 1e-5}},
     .ncolors = 3,
     .colors = map,
     .side = ANNOTATE_TOP},
    {.title = "a",
     .scale = {.range = {3.0, 3.0}},
     .ncolors = 3,
     .colors = map,
     .side = ANNOTATE_BOTTOM,
     .has_nan_color = true},
    {.title = "b",
     .scale = {.range = {-2.0, 2.0}},
     .ncolors = 3,
     .colors = map,
     .side = ANNOTATE_BOTTOM,
     .levels_are = ANNOTATE_LEVELS_LINES,
     .nlevels = 3,
     .levels = levels,
     .ticks_at_levels = true},
    {.scale = {.range = {0.0, 9.0}},
     .ncolors = 3,
     .colors = map,
     .side = ANNOTATE_RECTANGLE,
     .rectangle = {0.5, 0.4, 0.02, 0.2}},
};
static const annotate_label labels[] = {
    {"step 12   t = 0.36", ANNOTATE_TOP_LEFT, 0.0},
    {"second line\nthird line", ANNOTATE_TOP_LEFT, 0.8},
    {"a title in the middle", ANNOTATE_TOP_CENTER, 1.5},
    {"top right", ANNOTATE_TOP_RIGHT, 0.0},
    {"above the axes", ANNOTATE_BOTTOM_LEFT, 0.0},
    {"bottom", ANNOTATE_BOTTOM_CENTER, 0.0},
    {"größe µ²", ANNOTATE_BOTTOM_RIGHT, 0.0},
};

static annotation everything(void)
{
    return (annotation){.nbars = sizeof bars / sizeof bars[0],
                        .bars = bars,
                        .nlabels = sizeof labels / sizeof labels[0],
                        .labels = labels,
                        .triad = {.shown = true,
                                  .right = vec3_make(0.6, 0.8, 0.0),
                                  .up = vec3_make(0.0, 0.0, 1.0),
                                  .forward = vec3_make(0.8, -0.6, 0.0),
                                  .anchor = ANNOTATE_BOTTOM_LEFT}};
}

static annotation labelled(const annotate_label *label)
{
    return (annotation){.nlabels = 1, .labels = label};
}

static void text_stands_at_its_anchor_and_nowhere_else(void **state)
{
    (void)state;
    const int width = 640, height = 480, margin = 10, line = 12;
    for (int anchor = ANNOTATE_TOP_LEFT; anchor <= ANNOTATE_BOTTOM_RIGHT; anchor++) {
        const annotate_label label = {"HEH", (annotate_anchor)anchor, 0.0};
        const annotation what = labelled(&label);
        canvas drawn = canvas_draw(width, height, &what);
        int bounds[4];
        canvas_bounds(&drawn, bounds);
        const int edges[2] = {margin, anchor < 3 ? margin : height - margin - 7};
        const double middle = 0.5 * (bounds[0] + bounds[2]);
        const int column = anchor % 3;
        assert_true(canvas_count_all(&drawn) > 60);
        assert_true(bounds[3] - bounds[1] <= line && bounds[2] - bounds[0] <= 4 * line);
        assert_true(abs(bounds[1] - edges[1]) <= 3);
        assert_true(column != 0 || abs(bounds[0] - margin) <= 3);
        assert_true(column != 1 || fabs(middle - 0.5 * width) <= 2.0);
        assert_true(column != 2 || abs(bounds[2] - (width - margin)) <= 3);
        canvas_free(&drawn);
    }
}

static void drawing_twice_gives_the_same_bytes(void **state)
{
    (void)state;
    const annotation what = everything();
    annotate_overlay *first = NULL, *second = NULL;
    assert_int_equal(annotate_overlay_create(700, 500, &first), STATUS_OK);
    assert_int_equal(annotate_overlay_create(700, 500, &second), STATUS_OK);
    assert_int_equal(annotate_draw(first, &what), STATUS_OK);
    assert_true(first->npixels > 10000);
    for (int n = 0; n < 3; n++) {
        assert_int_equal(annotate_draw(second, &what), STATUS_OK);
        assert_int_equal(second->nspans, first->nspans);
        assert_memory_equal(second->spans, first->spans,
                            (size_t)first->nspans * sizeof *first->spans);
        assert_memory_equal(second->pixels, first->pixels, 4 * first->npixels);
    }
    annotate_overlay_destroy(&first);
    annotate_overlay_destroy(&second);
}

/* cairo rounds the edges of shapes anew at the top of a band: a few counts of 255. */
static void bands_cannot_be_seen(void **state)
{
    (void)state;
    enum { WIDTH = 700, HEIGHT = 500 };
    const annotation what = everything();
    canvas whole = canvas_draw(WIDTH, HEIGHT, &what);
    uint8_t *banded = malloc(3 * WIDTH * HEIGHT);
    assert_non_null(banded);
    annotate_overlay *overlay = NULL;
    assert_int_equal(annotate_overlay_create(WIDTH, HEIGHT, &overlay), STATUS_OK);
    static const int rows[] = {7, 64, 500, 1000};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        assert_int_equal(annotate_draw_bands(overlay, &what, rows[n]), STATUS_OK);
        memset(banded, 0, 3 * WIDTH * HEIGHT);
        annotate_blend_rgb8(overlay, 0, WIDTH * HEIGHT, banded);
        for (int p = 0; p < 3 * WIDTH * HEIGHT; p++) {
            if (abs(banded[p] - whole.rgb[p]) > 4) {
                fail_msg("%d rows, pixel %d, %d: expected %d, found %d", rows[n],
                         p / 3 % WIDTH, p / 3 / WIDTH, whole.rgb[p], banded[p]);
            }
        }
    }
    annotate_overlay_destroy(&overlay);
    free(banded);
    canvas_free(&whole);
}

static void the_margin_stays_free(void **state)
{
    (void)state;
    static const int sizes[][2] = {{256, 256},  {320, 200},  {1024, 768},
                                   {1920, 400}, {400, 1200}, {1280, 1280}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const int width = sizes[n][0], height = sizes[n][1], margin = 4;
        const annotation what = everything();
        canvas drawn = canvas_draw(width, height, &what);
        int bounds[4];
        canvas_bounds(&drawn, bounds);
        if (bounds[0] < margin || bounds[1] < margin || bounds[2] > width - margin ||
            bounds[3] > height - margin) {
            fail_msg("%d x %d: something reaches %d %d to %d %d", width, height,
                     bounds[0], bounds[1], bounds[2], bounds[3]);
        }
        canvas_free(&drawn);
    }
}

static void pictures_of_any_size_can_be_drawn_on(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {7, 5}, {64, 48}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const annotation what = everything();
        canvas drawn = canvas_draw(sizes[n][0], sizes[n][1], &what);
        canvas_free(&drawn);
    }
}

static void long_text_becomes_smaller_and_stays_whole(void **state)
{
    (void)state;
    char text[201] = "";
    memset(text, 'W', 200);
    const annotate_label label = {text, ANNOTATE_TOP_CENTER, 2.0};
    const annotation what = labelled(&label);
    canvas drawn = canvas_draw(800, 200, &what);
    int bounds[4];
    canvas_bounds(&drawn, bounds);
    assert_true(bounds[0] >= 8 && bounds[0] <= 12);
    assert_true(bounds[2] <= 792 && bounds[2] >= 786);
    canvas_free(&drawn);
}

static void labels_of_one_edge_do_not_touch(void **state)
{
    (void)state;
    static const annotate_label wide[] = {
        {"a label of about half the picture", ANNOTATE_TOP_LEFT, 2.0},
        {"and one more in the same way", ANNOTATE_TOP_RIGHT, 2.0},
        {"in the middle", ANNOTATE_TOP_CENTER, 2.0},
    };
    int count = 0;
    for (int n = 0; n < 3; n++) {
        const annotation one = labelled(&wide[n]);
        canvas drawn = canvas_draw(500, 300, &one);
        count += canvas_count_all(&drawn);
        canvas_free(&drawn);
    }
    const annotation all = {.nlabels = 3, .labels = wide};
    canvas drawn = canvas_draw(500, 300, &all);
    /* Moved by parts of a pixel, letters cover a little more or less. */
    assert_true(abs(canvas_count_all(&drawn) - count) <= count / 20);
    canvas_free(&drawn);
}

/* The number of pixels that a description alone draws on. */
static int count_of(const annotation *what)
{
    canvas drawn = canvas_draw(600, 600, what);
    const int count = canvas_count_all(&drawn);
    canvas_free(&drawn);
    return count;
}

static void labels_and_axes_of_one_corner_do_not_touch(void **state)
{
    (void)state;
    for (int anchor = ANNOTATE_TOP_LEFT; anchor <= ANNOTATE_BOTTOM_RIGHT; anchor++) {
        const annotate_label label = {"first line\nsecond line", (annotate_anchor)anchor,
                                      0.0};
        const annotation labels_alone = labelled(&label);
        annotation axes_alone = {.triad = everything().triad};
        axes_alone.triad.anchor = (annotate_anchor)anchor;
        annotation both = axes_alone;
        both.nlabels = 1;
        both.labels = &label;
        assert_int_equal(count_of(&both),
                         count_of(&labels_alone) + count_of(&axes_alone));
        canvas drawn = canvas_draw(600, 600, &both);
        int bounds[4];
        canvas_bounds(&drawn, bounds);
        /* The label has the corner. */
        canvas label_drawn = canvas_draw(600, 600, &labels_alone);
        int label_bounds[4];
        canvas_bounds(&label_drawn, label_bounds);
        assert_int_equal(bounds[anchor < 3 ? 1 : 3], label_bounds[anchor < 3 ? 1 : 3]);
        canvas_free(&drawn);
        canvas_free(&label_drawn);
    }
}

static void letters_grow_with_the_picture(void **state)
{
    (void)state;
    const annotate_label label = {"H", ANNOTATE_TOP_LEFT, 0.0};
    const annotation what = labelled(&label);
    int heights[3];
    for (int n = 0; n < 3; n++) {
        const int size = 512 << n;
        canvas drawn = canvas_draw(size, size, &what);
        int bounds[4];
        canvas_bounds(&drawn, bounds);
        heights[n] = bounds[3] - bounds[1];
        canvas_free(&drawn);
    }
    assert_true(heights[0] >= 7 && heights[0] <= 11);
    assert_true(abs(heights[1] - 2 * heights[0]) <= 3);
    assert_true(abs(heights[2] - 4 * heights[0]) <= 6);
}

/* The brightest, or the darkest, grey of the picture. */
static int extreme(const canvas *of, bool brightest)
{
    int found = brightest ? 0 : 255;
    for (int n = 0; n < 3 * of->width * of->height; n++) {
        const int value = of->rgb[n];
        found = brightest == (value > found) ? value : found;
    }
    return found;
}

static void text_stands_out_from_the_background(void **state)
{
    (void)state;
    const annotate_label label = {"HHH", ANNOTATE_TOP_LEFT, 2.0};
    annotation what = labelled(&label);
    canvas dark = canvas_draw(512, 512, &what);
    assert_true(extreme(&dark, true) >= 240);
    canvas_free(&dark);
    what.style.background[0] = what.style.background[1] = what.style.background[2] = 1.0;
    canvas bright = canvas_draw(512, 512, &what);
    assert_true(extreme(&bright, false) <= 20);
    canvas_free(&bright);
    what.style.has_text_color = true;
    what.style.text_color[0] = 1.0;
    canvas red = canvas_draw(512, 512, &what);
    bool found = false;
    for (int n = 0; n < 512 * 512; n++) {
        found = found || (red.rgb[3 * n] == 255 && red.rgb[3 * n + 1] < 5);
    }
    assert_true(found);
    canvas_free(&red);
}

static void text_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    const annotate_label label = {"caf\xE9", ANNOTATE_TOP_LEFT, 0.0};
    const annotation what = labelled(&label);
    annotate_overlay *overlay = NULL;
    assert_int_equal(annotate_overlay_create(100, 100, &overlay), STATUS_OK);
    base_fail_set_message("");
    assert_int_equal(annotate_draw(overlay, &what), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "not valid UTF-8"));
    assert_int_equal(overlay->nspans, 0);
    annotate_overlay_destroy(&overlay);
}

int main(void)
{
    if (!annotate_is_available()) {
        puts("skipped: this build has no cairo");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_stands_at_its_anchor_and_nowhere_else),
        cmocka_unit_test(drawing_twice_gives_the_same_bytes),
        cmocka_unit_test(bands_cannot_be_seen),
        cmocka_unit_test(the_margin_stays_free),
        cmocka_unit_test(pictures_of_any_size_can_be_drawn_on),
        cmocka_unit_test(long_text_becomes_smaller_and_stays_whole),
        cmocka_unit_test(labels_of_one_edge_do_not_touch),
        cmocka_unit_test(labels_and_axes_of_one_corner_do_not_touch),
        cmocka_unit_test(letters_grow_with_the_picture),
        cmocka_unit_test(text_stands_out_from_the_background),
        cmocka_unit_test(text_that_is_not_utf8_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

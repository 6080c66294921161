/* Scalar bars: their colours, and where ticks, titles and swatches are. */
#include "canvas.h"
#include "render/annotate/ticks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Blue to green, a jump, yellow to red. */
static const double map[4][4] = {
    {0.0, 0, 0, 1}, {0.5, 0, 1, 0}, {0.5, 1, 1, 0}, {1, 1, 0, 0}};

/* An upright strip of 20 x 200 pixels at 200, 100 in a picture of 400 x 400. */
static annotate_bar upright_bar(void)
{
    return (annotate_bar){.scale = {.range = {-1.0, 3.0}},
                          .ncolors = 4,
                          .colors = map,
                          .side = ANNOTATE_RECTANGLE,
                          .rectangle = {0.5, 0.25, 0.05, 0.5}};
}

static canvas draw_bar(const annotate_bar *bar)
{
    const annotation what = {
        .style = {.background = {0.5, 0.5, 0.5}}, .nbars = 1, .bars = bar};
    return canvas_draw(400, 400, &what);
}

static void expected_color(double position, double rgb[3])
{
    const double share = position < 0.5 ? 2.0 * position : 2.0 * position - 1.0;
    rgb[0] = position < 0.5 ? 0.0 : 1.0;
    rgb[1] = position < 0.5 ? share : 1.0 - share;
    rgb[2] = position < 0.5 ? 1.0 - share : 0.0;
}

static void every_row_of_an_upright_strip_has_its_colour(void **state)
{
    (void)state;
    const annotate_bar bar = upright_bar();
    canvas drawn = draw_bar(&bar);
    for (int row = 0; row < 200; row++) {
        double rgb[3];
        expected_color(1.0 - (row + 0.5) / 200.0, rgb);
        canvas_assert_color(&drawn, 200, 100 + row, rgb);
        canvas_assert_color(&drawn, 219, 100 + row, rgb);
    }
    canvas_free(&drawn);
}

/* Tips of 1.3 times the strip's width take the ends; the range has what is between. */
static void values_beyond_the_range_are_tips_of_the_strip(void **state)
{
    (void)state;
    annotate_bar bar = upright_bar();
    const double below[3] = {1, 0, 1}, above[3] = {0, 1, 1};
    bar.has_beyond[0] = bar.has_beyond[1] = true;
    memcpy(bar.beyond[0], below, sizeof below);
    memcpy(bar.beyond[1], above, sizeof above);
    canvas drawn = draw_bar(&bar);
    const int tip = 26, length = 200 - 2 * tip;
    for (int row = 0; row < length; row++) {
        double rgb[3];
        expected_color(1.0 - (row + 0.5) / length, rgb);
        canvas_assert_color(&drawn, 210, 100 + tip + row, rgb);
    }
    canvas_assert_color(&drawn, 210, 100 + tip / 2, above);
    canvas_assert_color(&drawn, 210, 300 - tip / 2, below);
    canvas_free(&drawn);
}

/* The names of 0 and 2 in a range of -1 to 3, and none for 1. */
static void categories_have_their_names_beside_the_strip(void **state)
{
    (void)state;
    static const annotate_category two[] = {{0.0, "air"}, {2.0, "steel"}};
    annotate_bar bar = upright_bar();
    bar.ncategories = 2;
    bar.categories = two;
    canvas drawn = draw_bar(&bar);
    assert_in_range(canvas_count(&drawn, 224, 240, 400, 260), 20, 2000); /* air */
    assert_in_range(canvas_count(&drawn, 224, 140, 400, 160), 20, 2000); /* steel */
    assert_int_equal(canvas_count(&drawn, 224, 165, 400, 235), 0);
    canvas_free(&drawn);
}

static void every_column_of_a_flat_strip_has_its_colour(void **state)
{
    (void)state;
    annotate_bar bar = upright_bar();
    const double flat[4] = {0.25, 0.5, 0.5, 0.05};
    memcpy(bar.rectangle, flat, sizeof flat);
    canvas drawn = draw_bar(&bar);
    for (int column = 0; column < 200; column++) {
        double rgb[3];
        expected_color((column + 0.5) / 200.0, rgb);
        canvas_assert_color(&drawn, 100 + column, 200, rgb);
        canvas_assert_color(&drawn, 100 + column, 219, rgb);
    }
    canvas_free(&drawn);
}

static void bands_have_the_colours_of_their_middles(void **state)
{
    (void)state;
    static const double levels[] = {0.0, 2.0};
    annotate_bar bar = upright_bar();
    bar.levels_are = ANNOTATE_LEVELS_BANDS;
    bar.nlevels = 2;
    bar.levels = levels;
    canvas drawn = draw_bar(&bar);
    /* Edges at 1/4 and 3/4 of the range; the middle band begins to be yellow. */
    for (int row = 0; row < 200; row++) {
        const double position = 1.0 - (row + 0.5) / 200.0;
        double rgb[3];
        expected_color(position < 0.25 ? 0.125 : position < 0.75 ? 0.5 : 0.875, rgb);
        canvas_assert_color(&drawn, 210, 100 + row, rgb);
    }
    canvas_free(&drawn);
}

static void contour_levels_are_lines_across_the_strip(void **state)
{
    (void)state;
    static const double levels[] = {-5.0, 0.0, 3.0};
    annotate_bar bar = upright_bar();
    canvas plain = draw_bar(&bar);
    bar.levels_are = ANNOTATE_LEVELS_LINES;
    bar.nlevels = 3;
    bar.levels = levels;
    canvas lined = draw_bar(&bar);
    int changed = 0;
    for (int row = 0; row < 200; row++) {
        const bool differs = memcmp(canvas_pixel(&plain, 210, 100 + row),
                                    canvas_pixel(&lined, 210, 100 + row), 3) != 0;
        changed += differs;
        assert_true(!differs || abs(row - 150) <= 1);
    }
    assert_int_equal(changed, 1);
    canvas_free(&plain);
    canvas_free(&lined);
}

/* Rows right of the strip on which the mark of a tick is, as middles of runs. */
static int find_marks(const canvas *drawn, int column, int marks[], int most)
{
    int count = 0, first = -1;
    for (int row = 90; row <= 310 && count < most; row++) {
        const uint8_t *pixel = canvas_pixel(drawn, column, row);
        const bool on = pixel[0] < 60 || pixel[0] > 200;
        if (on && first < 0) {
            first = row;
        } else if (!on && first >= 0) {
            marks[count++] = (first + row) / 2;
            first = -1;
        }
    }
    return count;
}

static void ticks_are_where_their_values_are(void **state)
{
    (void)state;
    annotate_bar bar = upright_bar();
    bar.ticks = 5;
    canvas drawn = draw_bar(&bar);
    int marks[16];
    assert_int_equal(find_marks(&drawn, 223, marks, 16), 5);
    for (int n = 0; n < 5; n++) { /* 3, 2, 1, 0, -1 */
        assert_true(abs(marks[n] - (100 + 50 * n)) <= 1);
        /* Its label is right of it, and between labels there is nothing. */
        assert_true(canvas_count(&drawn, 226, 96 + 50 * n, 250, 104 + 50 * n) > 8);
        assert_int_equal(canvas_count(&drawn, 223, 110 + 50 * n, 300, 140 + 50 * n), 0);
    }
    canvas_free(&drawn);
}

static void ticks_may_stand_at_levels(void **state)
{
    (void)state;
    static const double levels[] = {-2.0, -0.5, 0.1, 2.5, 7.0};
    annotate_bar bar = upright_bar();
    bar.nlevels = 5;
    bar.levels = levels;
    bar.ticks_at_levels = true;
    canvas drawn = draw_bar(&bar);
    int marks[16];
    assert_int_equal(find_marks(&drawn, 223, marks, 16), 3);
    assert_true(abs(marks[0] - 125) <= 1);
    assert_true(abs(marks[1] - 245) <= 1);
    assert_true(abs(marks[2] - 275) <= 1);
    canvas_free(&drawn);
}

static void the_title_stands_above_and_the_swatch_below(void **state)
{
    (void)state;
    annotate_bar bar = upright_bar();
    canvas plain = draw_bar(&bar);
    assert_int_equal(canvas_count(&plain, 0, 0, 400, 94), 0);
    assert_int_equal(canvas_count(&plain, 0, 306, 400, 400), 0);
    canvas_free(&plain);
    bar.title = "density";
    bar.has_nan_color = true;
    bar.nan_color[0] = bar.nan_color[2] = 0.75;
    canvas drawn = draw_bar(&bar);
    assert_true(canvas_count(&drawn, 195, 80, 260, 95) > 40);
    assert_int_equal(canvas_count(&drawn, 0, 0, 400, 78), 0);
    canvas_assert_color(&drawn, 210, 317, bar.nan_color);
    assert_true(canvas_count(&drawn, 224, 307, 260, 327) > 20);
    canvas_free(&drawn);
}

/* Columns or rows that a side takes. */
static void bars_stand_on_their_sides(void **state)
{
    (void)state;
    static const struct {
        annotate_side side;
        int box[4]; /* nothing is drawn outside: x0, y0, x1, y1 */
    } cases[] = {
        {ANNOTATE_RIGHT, {545, 110, 595, 290}},
        {ANNOTATE_LEFT, {5, 110, 55, 290}},
        {ANNOTATE_TOP, {180, 5, 420, 70}},
        {ANNOTATE_BOTTOM, {180, 330, 420, 395}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        annotate_bar bar = upright_bar();
        bar.side = cases[n].side;
        bar.title = "density";
        const annotation what = {.nbars = 1, .bars = &bar};
        canvas drawn = canvas_draw(600, 400, &what);
        const int *box = cases[n].box;
        int found[4];
        canvas_bounds(&drawn, found);
        assert_true(canvas_count_all(&drawn) > 1500);
        if (found[0] < box[0] || found[1] < box[1] || found[2] > box[2] ||
            found[3] > box[3]) {
            fail_msg("side %d: expected within %d %d to %d %d, found %d %d to %d %d",
                     (int)cases[n].side, box[0], box[1], box[2], box[3], found[0],
                     found[1], found[2], found[3]);
        }
        canvas_free(&drawn);
    }
}

/* At the edge of a small picture; a large one has room for a line. */
static void wide_titles_have_two_lines(void **state)
{
    (void)state;
    for (int wide = 1; wide <= 3; wide += 2) {
        annotate_bar bar = upright_bar();
        bar.side = ANNOTATE_RIGHT;
        bar.title = "vorticity_magnitude";
        const annotation what = {.nbars = 1, .bars = &bar};
        canvas drawn = canvas_draw(480 * wide, 300, &what);
        int found[4];
        canvas_bounds(&drawn, found);
        const int width = 480 * wide - found[0];
        if ((width < 85) != (wide == 1)) {
            fail_msg("in a picture %d pixels wide the bar takes %d", 480 * wide, width);
        }
        canvas_free(&drawn);
    }
    assert_int_equal(annotate_title_break("vorticity_magnitude"), 10);
    assert_int_equal(annotate_title_break("mean of the velocity"), 8);
    assert_int_equal(annotate_title_break("pressure"), 0);
}

static void bars_of_one_side_do_not_touch(void **state)
{
    (void)state;
    annotate_bar bars[3];
    for (int n = 0; n < 3; n++) {
        bars[n] = upright_bar();
        bars[n].side = ANNOTATE_RIGHT;
        bars[n].title = "field";
        bars[n].has_nan_color = true;
    }
    const annotation what = {.nbars = 3, .bars = bars};
    canvas drawn = canvas_draw(600, 600, &what);
    int runs = 0;
    bool before = false;
    /* Each bar is one block of rows: title, strip and swatch are less than 8 rows apart.
     */
    for (int row = 0; row < 600; row++) {
        const bool now = canvas_count(&drawn, 0, row - 4, 600, row + 4) > 0;
        runs += now && !before;
        before = now;
    }
    assert_int_equal(runs, 3);
    canvas_free(&drawn);
}

/* The first column of a row that was drawn on. */
static int first_column(const canvas *of, int row)
{
    int column = 0;
    while (column < of->width &&
           canvas_count(of, column, row, column + 1, row + 1) == 0) {
        column++;
    }
    return column;
}

static void strips_at_the_right_stand_below_each_other(void **state)
{
    (void)state;
    int columns[2][2];
    for (int wide = 0; wide < 2; wide++) {
        annotate_bar bars[2] = {upright_bar(), upright_bar()};
        bars[0].side = bars[1].side = ANNOTATE_RIGHT;
        bars[wide].scale.range[0] = -123.0;
        bars[wide].scale.range[1] = 123.0;
        const annotation what = {.nbars = 2, .bars = bars};
        canvas drawn = canvas_draw(600, 600, &what);
        columns[wide][0] = first_column(&drawn, 150);
        columns[wide][1] = first_column(&drawn, 450);
        canvas_free(&drawn);
    }
    assert_true(columns[0][0] > 500 && columns[0][0] < 560);
    assert_int_equal(columns[0][1], columns[0][0]);
    assert_int_equal(columns[1][0], columns[0][0]);
    assert_int_equal(columns[1][1], columns[0][0]);
}

/* If there is no space at the right of a strip, its labels stand at the left. */
static void labels_of_a_strip_at_the_edge_stand_at_its_left(void **state)
{
    (void)state;
    annotate_bar bar = upright_bar();
    bar.rectangle[0] = 0.92;
    canvas drawn = draw_bar(&bar);
    assert_int_equal(canvas_count(&drawn, 391, 0, 400, 400), 0);
    assert_true(canvas_count(&drawn, 345, 90, 362, 310) > 40);
    canvas_free(&drawn);
}

/* A bar on the side of the axes has the rows that they leave. */
static void bars_keep_clear_of_labels_and_axes(void **state)
{
    (void)state;
    const annotate_label label = {"one\ntwo\nthree\nfour\nfive\nsix", ANNOTATE_TOP_LEFT,
                                  0.0};
    annotate_bar bar = upright_bar();
    bar.side = ANNOTATE_LEFT;
    bar.title = "field";
    const annotation around = {.nlabels = 1,
                               .labels = &label,
                               .triad = {.shown = true,
                                         .right = vec3_make(1, 0, 0),
                                         .up = vec3_make(0, 0, 1),
                                         .forward = vec3_make(0, 1, 0),
                                         .anchor = ANNOTATE_BOTTOM_LEFT,
                                         .size = 1.5}};
    annotation what = around;
    what.nbars = 1;
    what.bars = &bar;
    canvas rest = canvas_draw(300, 300, &around), all = canvas_draw(300, 300, &what);
    int added[2] = {300, 0};
    for (int row = 0; row < 300; row++) {
        if (memcmp(canvas_pixel(&rest, 0, row), canvas_pixel(&all, 0, row), 900) != 0) {
            added[0] = row < added[0] ? row : added[0];
            added[1] = row;
        }
    }
    /* The bar is there, and its rows and some more have nothing else. */
    assert_true(added[1] - added[0] > 50);
    assert_int_equal(canvas_count(&rest, 0, added[0] - 4, 300, added[1] + 5), 0);
    canvas_free(&rest);
    canvas_free(&all);
}

static void a_range_of_one_value_has_one_tick(void **state)
{
    (void)state;
    annotate_bar bar = upright_bar();
    bar.scale.range[0] = bar.scale.range[1] = 2.5;
    canvas drawn = draw_bar(&bar);
    int marks[16];
    assert_int_equal(find_marks(&drawn, 223, marks, 16), 1);
    assert_true(abs(marks[0] - 200) <= 1);
    canvas_free(&drawn);
}

/* The panel has the background's colour; over a picture of another colour one sees it. */
static int panel_pixels(annotate_panel panel, const annotate_hull *scene)
{
    annotate_bar bar = upright_bar();
    bar.panel = panel;
    const annotation what = {.style = {.background = {0.5, 0.5, 0.5}},
                             .scene = *scene,
                             .nbars = 1,
                             .bars = &bar};
    annotate_overlay *overlay = NULL;
    uint8_t *rgb = calloc(400 * 400, 3);
    assert_non_null(rgb);
    assert_int_equal(annotate_overlay_create(400, 400, &overlay), STATUS_OK);
    assert_int_equal(annotate_draw(overlay, &what), STATUS_OK);
    annotate_blend_rgb8(overlay, 0, 400 * 400, rgb);
    /* Left of the strip, at its middle: nothing else is drawn there. */
    const int seen = rgb[3 * (200 * 400 + 195)];
    annotate_overlay_destroy(&overlay);
    free(rgb);
    return seen;
}

static void a_panel_lies_behind_a_bar_where_the_scene_is(void **state)
{
    (void)state;
    const annotate_hull none = {0}, all = {.is_all = true};
    const annotate_hull beside = {.count = 3, .points = {{0, 0}, {150, 200}, {0, 400}}};
    const annotate_hull under = {.count = 3, .points = {{0, 0}, {230, 200}, {0, 400}}};
    /* Its bounds meet the bar, its hull does not. */
    const annotate_hull oblique = {.count = 3, .points = {{0, 0}, {400, 0}, {0, 120}}};
    assert_int_equal(panel_pixels(ANNOTATE_PANEL_OFF, &all), 0);
    assert_in_range(panel_pixels(ANNOTATE_PANEL_ON, &none), 90, 110);
    assert_in_range(panel_pixels(ANNOTATE_PANEL_AUTO, &all), 90, 110);
    assert_int_equal(panel_pixels(ANNOTATE_PANEL_AUTO, &none), 0);
    assert_int_equal(panel_pixels(ANNOTATE_PANEL_AUTO, &beside), 0);
    assert_in_range(panel_pixels(ANNOTATE_PANEL_AUTO, &under), 90, 110);
    assert_int_equal(panel_pixels(ANNOTATE_PANEL_AUTO, &oblique), 0);
}

/* An arrow from left to right: its shaft, and its head, which is wider. */
static void marks_stand_where_they_are_put(void **state)
{
    (void)state;
    const annotate_stroke arrow = {
        .from = {100, 200}, .to = {300, 200}, .has_head = true};
    const annotate_mark text = {
        .text = "H", .at = {100, 200}, .way = {-1, 0}, .gap = 1.0};
    annotation what = {
        .style = {.background = {0.5, 0.5, 0.5}}, .nstrokes = 1, .strokes = &arrow};
    canvas drawn = canvas_draw(400, 400, &what);
    int bounds[4];
    canvas_bounds(&drawn, bounds);
    assert_in_range(bounds[0], 97, 100);
    assert_in_range(bounds[2], 300, 303);
    assert_true(canvas_count(&drawn, 150, 0, 151, 400) <= 5);
    assert_true(canvas_count(&drawn, 294, 0, 295, 400) >= 5);
    canvas_free(&drawn);
    what = (annotation){
        .style = {.background = {0.5, 0.5, 0.5}}, .nmarks = 1, .marks = &text};
    drawn = canvas_draw(400, 400, &what);
    canvas_bounds(&drawn, bounds);
    assert_true(bounds[2] <= 92 && bounds[0] >= 70);
    assert_true(abs(bounds[1] + bounds[3] - 400) <= 2);
    canvas_free(&drawn);
}

/* Number of pixels of a bar and marks in a picture of 400 x 400. */
static int64_t count_with(const annotate_bar *bar, int nmarks, const annotate_mark *texts)
{
    const annotation what = {.style = {.background = {0.5, 0.5, 0.5}},
                             .nbars = bar ? 1 : 0,
                             .bars = bar,
                             .nmarks = nmarks,
                             .marks = texts};
    canvas drawn = canvas_draw(400, 400, &what);
    const int64_t count = canvas_count(&drawn, 0, 0, 400, 400);
    canvas_free(&drawn);
    return count;
}

/* Two words at one place, and a word and a number on a bar. */
static void marks_do_not_cover_each_other(void **state)
{
    (void)state;
    const annotate_bar bar = upright_bar();
    const annotate_mark word = {.text = "HHH", .at = {100, 200}};
    const annotate_mark words[2] = {word, word};
    const annotate_mark on_bar = {.text = "HHH", .at = {210, 200}};
    const annotate_mark number = {.text = "888", .at = {210, 200}, .is_number = true};
    const annotate_mark cut = {.text = "888", .at = {1, 200}, .is_number = true};
    const int64_t one = count_with(NULL, 1, &word), plain = count_with(&bar, 0, NULL);
    assert_true(one > 0);
    assert_in_range(count_with(NULL, 2, words), 2 * one - 8, 2 * one + 8);
    assert_in_range(count_with(&bar, 1, &on_bar), plain + one - 8, plain + one + 8);
    assert_int_equal(count_with(&bar, 1, &number), plain);
    assert_int_equal(count_with(NULL, 1, &cut), 0);
}

int main(void)
{
    if (!annotate_is_available()) {
        puts("skipped: this build has no cairo");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_an_upright_strip_has_its_colour),
        cmocka_unit_test(values_beyond_the_range_are_tips_of_the_strip),
        cmocka_unit_test(categories_have_their_names_beside_the_strip),
        cmocka_unit_test(every_column_of_a_flat_strip_has_its_colour),
        cmocka_unit_test(bands_have_the_colours_of_their_middles),
        cmocka_unit_test(contour_levels_are_lines_across_the_strip),
        cmocka_unit_test(ticks_are_where_their_values_are),
        cmocka_unit_test(ticks_may_stand_at_levels),
        cmocka_unit_test(the_title_stands_above_and_the_swatch_below),
        cmocka_unit_test(bars_stand_on_their_sides),
        cmocka_unit_test(wide_titles_have_two_lines),
        cmocka_unit_test(bars_of_one_side_do_not_touch),
        cmocka_unit_test(strips_at_the_right_stand_below_each_other),
        cmocka_unit_test(labels_of_a_strip_at_the_edge_stand_at_its_left),
        cmocka_unit_test(bars_keep_clear_of_labels_and_axes),
        cmocka_unit_test(a_range_of_one_value_has_one_tick),
        cmocka_unit_test(a_panel_lies_behind_a_bar_where_the_scene_is),
        cmocka_unit_test(marks_stand_where_they_are_put),
        cmocka_unit_test(marks_do_not_cover_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

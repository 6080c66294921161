/* Plots: axes, quantities that share a panel, and curves with gaps. */
#include "render/annotate/annotate.h"
#include "render/annotate/plot/axis.h"
#include "render/annotate/plot/plot.h"
#include "render/annotate/plot/share.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Axes -------------------------------------------------------------------------- */

static void a_distance_lies_on_its_axis_in_proportion(void **state)
{
    (void)state;
    const double range[2] = {0.0, 12.5};
    plot_axis axis = plot_axis_make(range, 0.0, 6);
    axis.from = 100.0;
    axis.to = 350.0;
    assert_true(plot_axis_place(&axis, 0.0) == 100.0);
    assert_true(plot_axis_place(&axis, 12.5) == 350.0);
    assert_true(plot_axis_place(&axis, 5.0) == 200.0);
    assert_int_equal(axis.ticks.count, 6);
    assert_string_equal(axis.ticks.texts[1], "2.5");
    assert_true(axis.ticks.values[5] == 12.5);
    plot_axis_thin(&axis, 3);
    assert_int_equal(axis.ticks.count, 3);
    assert_string_equal(axis.ticks.texts[2], "10");
}

static void an_axis_of_one_value_has_it_in_the_middle(void **state)
{
    (void)state;
    const double one[2] = {1e5, 1e5}, none[2] = {0.0, 0.0};
    plot_axis axis = plot_axis_make(one, 0.05, 5);
    axis.from = 300.0; /* upwards */
    axis.to = 100.0;
    assert_true(fabs(plot_axis_place(&axis, 1e5) - 200.0) < 1e-6);
    assert_true(axis.ticks.count >= 2);
    axis = plot_axis_make(none, 0.0, 5);
    assert_true(axis.range[0] == -1.0 && axis.range[1] == 1.0);
}

/* ---- Panels ------------------------------------------------------------------------ */

enum { PLACES = 5, QUANTITIES = 6 };

/* Two like ranges, a constant within them, another constant, a small range, no values. */
static const double values[QUANTITIES][PLACES] = {
    {0.0, 1.0, 0.5, 0.2, 0.7}, {0.3, 0.6, 0.9, 0.4, 0.5},     {0.5, 0.5, 0.5, 0.5, 0.5},
    {1e5, 1e5, 1e5, 1e5, 1e5}, {0.51, 0.52, 0.51, 0.5, 0.51}, {NAN, NAN, NAN, NAN, NAN}};

static double value_of(const void *context, int quantity, int curve, int64_t n)
{
    (void)context;
    return values[quantity][n] + curve;
}

static const char *const names[QUANTITIES] = {"a", "b", "c", "d", "e", "f"};
static const double places[PLACES] = {0.0, 0.1, 0.2, 0.3, 0.4};

static plot make_plot(int nquantities, int ncurves)
{
    return (plot){.style = {.background = {1.0, 1.0, 1.0}},
                  .title = "a title",
                  .across = "distance",
                  .count = PLACES,
                  .x = places,
                  .nquantities = nquantities,
                  .quantities = names,
                  .ncurves = ncurves,
                  .curves = names,
                  .value = value_of};
}

static void quantities_of_like_range_share_a_panel(void **state)
{
    (void)state;
    static const int expected[QUANTITIES] = {0, 0, 0, 1, 2, 3};
    plot_member members[QUANTITIES];
    plot what = make_plot(QUANTITIES, 1);
    assert_int_equal(plot_share(&what, members), 4);
    for (int n = 0; n < QUANTITIES; n++) {
        assert_int_equal(members[n].panel, expected[n]);
    }
    assert_true(members[1].range[0] == 0.3 && members[1].range[1] == 0.9);
    what.ncurves = 2;
    assert_int_equal(plot_share(&what, members), QUANTITIES);
    assert_true(members[1].range[1] == 1.9);
}

/* ---- Files ------------------------------------------------------------------------- */

static char *write_plot(const plot *what, plot_format format, size_t *size)
{
    enum { MOST = 1 << 20 };
    char *bytes = calloc(MOST, 1);
    FILE *file = tmpfile();
    assert_non_null(bytes);
    assert_non_null(file);
    assert_int_equal(plot_write(what, format, file), STATUS_OK);
    rewind(file);
    *size = fread(bytes, 1, MOST - 1, file);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static const double gap[PLACES] = {1.0, 2.0, NAN, 3.0, 4.0};

static double value_with_gap(const void *context, int quantity, int curve, int64_t n)
{
    (void)context, (void)quantity, (void)curve;
    return gap[n];
}

/* How often a text contains another one. */
static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void a_missing_value_is_a_gap(void **state)
{
    (void)state;
    if (!annotate_is_available()) {
        skip();
    }
    plot what = make_plot(1, 1);
    what.value = value_with_gap;
    size_t size;
    char *svg = write_plot(&what, PLOT_SVG, &size);
    char *curve = strstr(svg, "stroke:rgb(0%,44.7%,69.8%)"); /* the first colour */
    assert_non_null(curve);
    *strchr(curve, '>') = '\0';
    assert_int_equal(count_of(curve, "M "), 2);
    assert_int_equal(count_of(curve, "L "), 2);
    free(svg);
}

static void all_formats_are_written(void **state)
{
    (void)state;
    static const char *const magic[] = {"\x89PNG", "<?xml", "%PDF"};
    if (!annotate_is_available()) {
        skip();
    }
    const plot what = make_plot(QUANTITIES, 3);
    for (plot_format format = PLOT_PNG; format <= PLOT_PDF; format++) {
        size_t size, again;
        char *bytes = write_plot(&what, format, &size);
        char *same = write_plot(&what, format, &again);
        assert_memory_equal(bytes, magic[format], strlen(magic[format]));
        assert_true(format == PLOT_SVG || (size == again && !memcmp(bytes, same, size)));
        free(bytes);
        free(same);
    }
}

static void too_many_quantities_are_refused(void **state)
{
    (void)state;
    const plot what = make_plot(PLOT_MOST + 1, 1);
    assert_int_equal(plot_write(&what, PLOT_PNG, NULL), STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_distance_lies_on_its_axis_in_proportion),
        cmocka_unit_test(an_axis_of_one_value_has_it_in_the_middle),
        cmocka_unit_test(quantities_of_like_range_share_a_panel),
        cmocka_unit_test(a_missing_value_is_a_gap),
        cmocka_unit_test(all_formats_are_written),
        cmocka_unit_test(too_many_quantities_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Ticks: round numbers inside the range, and labels that say exactly where they are. */
#include "render/annotate/ticks.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char minus[] = "\xE2\x88\x92";

/* The value of a label: its number times the common power of ten. */
static double value_of(const char *text, int exponent)
{
    char number[64];
    const int is_negative = strncmp(text, minus, strlen(minus)) == 0;
    snprintf(number, sizeof number, "%s%se%d", is_negative ? "-" : "",
             text + (is_negative ? strlen(minus) : 0), exponent);
    char *end = NULL;
    const double value = strtod(number, &end);
    if (*end != '\0') {
        fail_msg("'%s' is no number", number);
    }
    return value;
}

/* All labels, with a '-' for the minus, and the factor after them. */
static void join(const annotate_ticks *ticks, size_t size, char *out)
{
    out[0] = '\0';
    for (int n = 0; n < ticks->count; n++) {
        const char *text = ticks->texts[n];
        if (strncmp(text, minus, strlen(minus)) == 0) {
            strncat(out, "-", size - strlen(out) - 1);
            text += strlen(minus);
        }
        strncat(out, text, size - strlen(out) - 1);
        strncat(out, " ", size - strlen(out) - 1);
    }
    char factor[ANNOTATE_TICK_SIZE];
    annotate_ticks_factor(ticks->exponent, factor);
    strncat(out, factor, size - strlen(out) - 1);
}

static void assert_labels(const annotate_ticks *ticks, const char *what,
                          const char *expected)
{
    char found[1024];
    join(ticks, sizeof found, found);
    if (strcmp(found, expected) != 0) {
        fail_msg("%s: expected '%s', found '%s'", what, expected, found);
    }
}

static void ranges_have_the_ticks_that_people_expect(void **state)
{
    (void)state;
    static const struct {
        double lo, hi;
        int most;
        const char *labels;
    } cases[] = {
        {0.0, 2.0, 5, "0.0 0.5 1.0 1.5 2.0 "},
        {0.0, 1.0, 6, "0.0 0.2 0.4 0.6 0.8 1.0 "},
        {0.0, 1.0, 5, "0.00 0.25 0.50 0.75 1.00 "},
        {-1.0, 1.0, 5, "-1.0 -0.5 0.0 0.5 1.0 "},
        {-0.3, 0.3, 7, "-0.3 -0.2 -0.1 0.0 0.1 0.2 0.3 "},
        {0.013, 7.84, 6, "2 4 6 "},
        {0.0, 100.0, 6, "0 20 40 60 80 100 "},
        {-12000.0, 30000.0, 5, "-10000 0 10000 20000 30000 "},
        {101300.0, 101400.0, 6, "101.30 101.32 101.34 101.36 101.38 101.40 ×10³"},
        {0.0, 3e-4, 4, "0 100 200 300 ×10⁻⁶"},
        {-2e-12, -1e-12, 3, "-2.0 -1.5 -1.0 ×10⁻¹²"},
        {0.0, 1.5e6, 4, "0.0 0.5 1.0 1.5 ×10⁶"},
        {0.01, 0.05, 5, "0.01 0.02 0.03 0.04 0.05 "},
        {1e6, 1e6 + 1.0, 3, "1.0000000 1.0000005 1.0000010 ×10⁶"},
        {0.6, 1.4, 2, "0.6 1.4 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char what[64];
        snprintf(what, sizeof what, "%g to %g, %d", cases[i].lo, cases[i].hi,
                 cases[i].most);
        const annotate_ticks ticks =
            annotate_ticks_round(cases[i].lo, cases[i].hi, cases[i].most);
        assert_labels(&ticks, what, cases[i].labels);
    }
}

/* Checks that must hold for any range. */
static void check_range(double lo, double hi, int most)
{
    const annotate_ticks ticks = annotate_ticks_round(lo, hi, most);
    const double span = hi - lo;
    if (ticks.count < 2 || ticks.count > most) {
        fail_msg("%.17g to %.17g: expected 2 to %d ticks, found %d", lo, hi, most,
                 ticks.count);
    }
    for (int n = 0; n < ticks.count; n++) {
        const double said = value_of(ticks.texts[n], ticks.exponent);
        const double rounding = 1e-15 * fmax(fabs(lo), fabs(hi));
        if (!(ticks.values[n] >= lo && ticks.values[n] <= hi) ||
            !(fabs(said - ticks.values[n]) <= 6e-3 * span + rounding)) {
            fail_msg("%.17g to %.17g: tick %d is at %.17g and says %s", lo, hi, n,
                     ticks.values[n], ticks.texts[n]);
        }
        if (n > 0 && (!(ticks.values[n] > ticks.values[n - 1]) ||
                      strcmp(ticks.texts[n], ticks.texts[n - 1]) == 0)) {
            fail_msg("%.17g to %.17g: ticks %d and %d both say %s", lo, hi, n - 1, n,
                     ticks.texts[n]);
        }
    }
    for (int n = 2; n < ticks.count; n++) {
        const double first = ticks.values[1] - ticks.values[0];
        const double here = ticks.values[n] - ticks.values[n - 1];
        assert_true(fabs(here - first) <= 1e-6 * span);
    }
}

static void any_range_has_distinct_ticks_inside_it(void **state)
{
    (void)state;
    uint64_t seed = random_start(7, 0);
    for (int i = 0; i < 20000; i++) {
        const double scale =
            pow(10.0, floor(-300.0 + 600.0 * random_between(&seed, 0.0, 1.0)));
        const double lo = (2.0 * random_between(&seed, 0.0, 1.0) - 1.0) * scale;
        const double relative = pow(10.0, -6.0 * random_between(&seed, 0.0, 1.0));
        const double hi = lo + fmax(relative * fabs(lo), 1e-9 * scale);
        check_range(lo, hi, 2 + (int)(10.0 * random_between(&seed, 0.0, 1.0)));
    }
    check_range(0.0, 1e-305, 5);
    check_range(-1.7e308, 0.0, 5);
    check_range(5.0, 5.00000001, 5);
}

static void a_single_value_has_one_tick(void **state)
{
    (void)state;
    annotate_ticks ticks = annotate_ticks_round(2.5, 2.5, 5);
    assert_labels(&ticks, "2.5", "2.5 ");
    ticks = annotate_ticks_round(0.0, 0.0, 5);
    assert_labels(&ticks, "0", "0 ");
    ticks = annotate_ticks_round(-101325.0, -101325.0, 5);
    assert_labels(&ticks, "-101325", "-101.325 ×10³");
    ticks = annotate_ticks_round(1.0, 1.0 + 2e-16, 5);
    assert_labels(&ticks, "1 and a bit", "1 ");
}

static void levels_are_written_with_the_digits_they_need(void **state)
{
    (void)state;
    static const double tenths[] = {0.1, 0.2, 0.3, 0.7};
    annotate_ticks ticks = annotate_ticks_at(4, tenths, 10);
    assert_labels(&ticks, "tenths", "0.1 0.2 0.3 0.7 ");
    static const double odd[] = {-1.234567, 0.0, 1.5};
    ticks = annotate_ticks_at(3, odd, 10);
    assert_labels(&ticks, "odd ones", "-1.23 0.00 1.50 ");
    static const double large[] = {1e7, 2e7, 4e7};
    ticks = annotate_ticks_at(3, large, 10);
    assert_labels(&ticks, "large ones", "10 20 40 ×10⁶");
    static const double twice[] = {1.0, 1.0, 2.0};
    ticks = annotate_ticks_at(3, twice, 10);
    assert_labels(&ticks, "one twice", "1 1 2 ");
}

static void of_many_levels_every_nth_is_labelled(void **state)
{
    (void)state;
    double levels[100];
    for (int n = 0; n < 100; n++) {
        levels[n] = n;
    }
    annotate_ticks ticks = annotate_ticks_at(100, levels, 4);
    assert_labels(&ticks, "every 25th", "0 25 50 75 ");
    ticks = annotate_ticks_at(100, levels, ANNOTATE_MAX_TICKS);
    assert_int_equal(ticks.count, 50);
    ticks = annotate_ticks_at(0, levels, 4);
    assert_int_equal(ticks.count, 0);
}

static void scales_by_the_logarithm_have_powers_of_ten(void **state)
{
    (void)state;
    static const struct {
        base_scale scale;
        int most;
        const char *labels;
        int nminor;
    } cases[] = {
        {{BASE_SCALE_LOG, 0.0, {0.01, 100.0}}, 11, "0.01 0.1 1 10 100 ", 32},
        {{BASE_SCALE_LOG, 0.0, {0.003, 30.0}}, 11, "0.01 0.1 1 10 ", 33},
        {{BASE_SCALE_LOG, 0.0, {1e-8, 1.0}}, 4, "10⁻⁸ 10⁻⁵ 10⁻² ", 9},
        {{BASE_SCALE_LOG, 0.0, {1.0, 50.0}}, 11, "1 2 5 10 20 50 ", 0},
        {{BASE_SCALE_LOG, 0.0, {1.0, 50.0}}, 4, "1 3 10 30 ", 0},
        {{BASE_SCALE_LOG, 0.0, {2e-7, 5e-6}}, 11, "2×10⁻⁷ 5×10⁻⁷ 10⁻⁶ 2×10⁻⁶ 5×10⁻⁶ ", 0},
        {{BASE_SCALE_LOG, 0.0, {3.0, 4.0}},
         11,
         "3.0 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 4.0 ",
         0},
        {{BASE_SCALE_SYMLOG, 0.1, {-10.0, 10.0}}, 11, "-10 -1 -0.1 0 0.1 1 10 ", 0},
        {{BASE_SCALE_SYMLOG, 0.1, {-10.0, 10.0}}, 5, "-10 -0.1 0 0.1 10 ", 0},
        {{BASE_SCALE_SYMLOG, 1e-7, {0.0, 1e-5}}, 11, "0 10⁻⁷ 10⁻⁶ 10⁻⁵ ", 0},
        {{BASE_SCALE_SYMLOG, 5.0, {-1.0, 1.0}}, 3, "-1 0 1 ", 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const annotate_ticks ticks =
            annotate_ticks_scaled(&cases[n].scale, cases[n].most);
        assert_labels(&ticks, cases[n].labels, cases[n].labels);
        assert_int_equal(ticks.nminor, cases[n].nminor);
        for (int i = 0; i < ticks.count; i++) {
            assert_true(i == 0 || ticks.values[i] > ticks.values[i - 1]);
        }
    }
}

/* Formats of printf, with a minus as wide as a digit. */
static void labels_may_have_a_format(void **state)
{
    (void)state;
    const double values[] = {-1.5, 0.0, 2500.0};
    annotate_ticks ticks = annotate_ticks_at(3, values, 3);
    annotate_ticks_format(&ticks, (annotate_format){'e', 1});
    assert_string_equal(ticks.texts[0], "\xE2\x88\x92"
                                        "1.5e+00");
    annotate_ticks_format(&ticks, (annotate_format){'f', 2});
    assert_labels(&ticks, "f", "-1.50 0.00 2500.00 ");
    annotate_ticks_format(&ticks, (annotate_format){'g', 2});
    assert_labels(&ticks, "g", "-1.5 0 2.5e+03 ");
    ticks.values[2] = 1e308;
    annotate_ticks_format(&ticks, (annotate_format){'f', 17});
    assert_true(strlen(ticks.texts[2]) < ANNOTATE_TICK_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_the_ticks_that_people_expect),
        cmocka_unit_test(any_range_has_distinct_ticks_inside_it),
        cmocka_unit_test(a_single_value_has_one_tick),
        cmocka_unit_test(levels_are_written_with_the_digits_they_need),
        cmocka_unit_test(of_many_levels_every_nth_is_labelled),
        cmocka_unit_test(scales_by_the_logarithm_have_powers_of_ten),
        cmocka_unit_test(labels_may_have_a_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

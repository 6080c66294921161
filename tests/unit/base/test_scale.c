/* Scales of colours: positions, values, and straight pieces that follow a bent line. */
#include "base/scale/scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const base_scale scales[] = {
    {.range = {-2.0, 6.0}},
    {.kind = BASE_SCALE_LOG, .range = {1e-4, 1e3}},
    {.kind = BASE_SCALE_SYMLOG, .threshold = 0.01, .range = {-5.0, 2e3}},
    {.kind = BASE_SCALE_SYMLOG, .threshold = 1e-6, .range = {0.0, 1.0}},
};
enum { SCALES = sizeof scales / sizeof scales[0] };

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("expected %.17g, found %.17g", expected, found);
    }
}

static void positions_and_values_are_inverse(void **state)
{
    (void)state;
    for (int n = 0; n < SCALES; n++) {
        const base_scale *scale = &scales[n];
        assert_near(base_scale_value(scale, 0.0), scale->range[0], 0.0);
        assert_near(base_scale_value(scale, 1.0), scale->range[1], 0.0);
        double before = -INFINITY;
        for (int i = 0; i <= 100; i++) {
            const double value = base_scale_value(scale, i / 100.0);
            assert_true(value > before);
            assert_near(base_scale_position(scale, value), i / 100.0, 1e-12);
            before = value;
        }
    }
}

static void decades_are_equal_on_a_logarithmic_scale(void **state)
{
    (void)state;
    for (int n = 0; n <= 7; n++) {
        assert_near(base_scale_position(&scales[1], pow(10.0, n - 4)), n / 7.0, 1e-14);
    }
    assert_true(base_scale_position(&scales[1], -1.0) == -INFINITY);
    assert_near(base_scale_middle(&scales[1], 0.01, 100.0), 1.0, 1e-14);
    assert_near(base_scale_middle(&scales[1], -1.0, 100.0), 100.0, 0.0);
}

static void the_symmetric_scale_is_odd_and_even_near_zero(void **state)
{
    (void)state;
    const base_scale scale = {
        .kind = BASE_SCALE_SYMLOG, .threshold = 0.1, .range = {-10.0, 10.0}};
    assert_near(base_scale_position(&scale, 0.0), 0.5, 0.0);
    for (double v = 1e-4; v <= 10.0; v *= 2.0) {
        assert_near(base_scale_position(&scale, v) - 0.5,
                    0.5 - base_scale_position(&scale, -v), 1e-15);
    }
    const double one = base_scale_position(&scale, 1e-4) - 0.5;
    assert_near((base_scale_position(&scale, 2e-4) - 0.5) / one, 2.0, 2e-3);
}

static void a_threshold_follows_from_the_range(void **state)
{
    (void)state;
    const double range[2] = {-20.0, 4.0};
    assert_near(base_scale_make(BASE_SCALE_SYMLOG, 0.0, range).threshold, 0.02, 0.0);
    assert_near(base_scale_make(BASE_SCALE_SYMLOG, 3.0, range).threshold, 3.0, 0.0);
}

/* The number in column 1 of control points at a position; jumps aside. */
static double line_at(int count, const double (*points)[3], double position)
{
    int n = 0;
    while (n + 2 < count && points[n + 1][0] <= position) {
        n++;
    }
    const double share = (position - points[n][0]) / (points[n + 1][0] - points[n][0]);
    return points[n][1] + share * (points[n + 1][1] - points[n][1]);
}

/* Everywhere, and in between the points made; the number of points stays small. */
static void flat_points_follow_the_scale(void **state)
{
    (void)state;
    static double points[][3] = {
        {0.0, 0.0, 1.0}, {0.3, 1.0, 0.9}, {0.35, 0.2, 0.9}, {1.0, 0.6, 0.0}};
    const double tolerance = 1.0 / 1024.0;
    for (int n = 0; n < SCALES; n++) {
        const base_scale *scale = &scales[n];
        const base_scale_points bent = {3, 4, points[0]};
        base_scale_points made = {0};
        double worst = 0.0;
        assert_int_equal(base_scale_flatten(scale, tolerance, &bent, &made), STATUS_OK);
        const double(*flat)[3] = (const double(*)[3])made.rows;
        const int count = made.count;
        assert_in_range(count, 4, n == 0 ? 4 : 200);
        for (int i = 0; i <= 20000; i++) {
            const double position = i / 20000.0;
            const double value = base_scale_value(scale, position);
            const double share =
                (value - scale->range[0]) / (scale->range[1] - scale->range[0]);
            const double off = line_at(count, flat, share) -
                               line_at(4, (const double(*)[3])points, position);
            worst = fmax(worst, fabs(off));
        }
        if (!(worst <= tolerance)) {
            fail_msg("scale %d: expected at most %g, found %g", n, tolerance, worst);
        }
        free(made.rows);
    }
}

static void jumps_stay_jumps(void **state)
{
    (void)state;
    static double points[][2] = {{0.0, 0.0}, {0.5, 0.0}, {0.5, 1.0}, {1.0, 1.0}};
    const base_scale_points bent = {2, 4, points[0]};
    base_scale_points made = {0};
    assert_int_equal(base_scale_flatten(&scales[1], 1e-3, &bent, &made), STATUS_OK);
    assert_int_equal(made.count, 4);
    assert_near(made.rows[2], made.rows[4], 0.0);
    assert_near(made.rows[3], 0.0, 0.0);
    assert_near(made.rows[5], 1.0, 0.0);
    free(made.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_and_values_are_inverse),
        cmocka_unit_test(decades_are_equal_on_a_logarithmic_scale),
        cmocka_unit_test(the_symmetric_scale_is_odd_and_even_near_zero),
        cmocka_unit_test(a_threshold_follows_from_the_range),
        cmocka_unit_test(flat_points_follow_the_scale),
        cmocka_unit_test(jumps_stay_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The arithmetic behind karman compare, on numbers with known answers. */
#include "messages/compare/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

static void expect(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fmax(1.0, fabs(wanted)))) {
        fail_msg("expected %.17g, got %.17g", wanted, got);
    }
}

static void the_median_is_the_middle_one(void **state)
{
    (void)state;
    expect(compare_median(3, (double[]){9.0, 1.0, 2.0}), 2.0);
    expect(compare_median(4, (double[]){4.0, 1.0, 2.0, 100.0}), 3.0);
    expect(compare_median(1, (double[]){-7.0}), -7.0);
    expect(compare_median(4, (double[]){NAN, 5.0, NAN, 3.0}), 4.0);
    assert_true(isnan(compare_median(2, (double[]){NAN, NAN})));
}

static void sums_and_ends(void **state)
{
    (void)state;
    const double values[] = {2.0, 0.5, 4.0};
    expect(compare_sum(3, values), 6.5);
    expect(compare_least(3, values), 0.5);
    expect(compare_most(3, values), 4.0);
}

static void imbalance_is_zero_or_one_where_all_work_alike(void **state)
{
    (void)state;
    const double even[] = {3.0, 3.0, 3.0, 3.0};
    expect(compare_range(4, even), 0.0);
    expect(compare_imbalance(4, even), 1.0);
    const double idle[] = {0.0, 0.0};
    expect(compare_range(2, idle), 0.0);
    expect(compare_imbalance(2, idle), 1.0);
}

static void imbalance_of_uneven_work(void **state)
{
    (void)state;
    const double uneven[] = {1.0, 3.0, 2.0, 2.0};
    expect(compare_range(4, uneven), 1.0); /* 2 (3 - 1) / (3 + 1) */
    expect(compare_imbalance(4, uneven), 1.5);
    const double one_works[] = {0.0, 5.0, 0.0};
    expect(compare_range(3, one_works), 2.0);
    expect(compare_imbalance(3, one_works), 3.0);
}

static void speedup_and_efficiency(void **state)
{
    (void)state;
    expect(compare_speedup(8.0, 2.0), 4.0);
    expect(compare_efficiency(4.0, 1, 8), 0.5);
    expect(compare_efficiency(1.5, 4, 8), 0.75);
    assert_true(isnan(compare_speedup(0.0, 1.0)));
    assert_true(isnan(compare_speedup(1.0, 0.0)));
    assert_true(isnan(compare_speedup(NAN, 1.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_is_the_middle_one),
        cmocka_unit_test(sums_and_ends),
        cmocka_unit_test(imbalance_is_zero_or_one_where_all_work_alike),
        cmocka_unit_test(imbalance_of_uneven_work),
        cmocka_unit_test(speedup_and_efficiency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

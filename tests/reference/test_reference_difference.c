/* Summaries of differences. */
#include "reference/difference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_difference(difference d, double mean, double percentile99,
                              double worst)
{
    if (!(fabs(d.mean - mean) <= 1e-9 && fabs(d.percentile99 - percentile99) <= 1e-9 &&
          (d.worst == worst || fabs(d.worst - worst) <= 1e-9))) {
        fail_msg("expected mean %g, percentile %g, worst %g, got %g, %g, %g", mean,
                 percentile99, worst, d.mean, d.percentile99, d.worst);
    }
}

static void differences_are_summarized_in_counts_of_255(void **state)
{
    (void)state;
    double values[200];
    /* 1 to 200 counts, with either sign, in no order. */
    for (int n = 0; n < 200; n++) {
        values[n] = (n % 2 ? 1.0 : -1.0) * (n * 71 % 200 + 1) / 255.0;
    }
    expect_difference(difference_summarize(200, values), 100.5, 198.0, 200.0);
}

static void one_difference_is_its_own_percentile(void **state)
{
    (void)state;
    double value = -2.0 / 255.0;
    expect_difference(difference_summarize(1, &value), 2.0, 2.0, 2.0);
    expect_difference(difference_summarize(0, &value), 0.0, 0.0, 0.0);
}

static void what_is_not_a_number_is_infinitely_far(void **state)
{
    (void)state;
    const difference generous = {.mean = 1e9, .percentile99 = 1e9, .worst = 1e9};
    double values[3] = {0.0, NAN, 0.0};
    difference d = difference_summarize(3, values);
    assert_true(isinf(d.worst));
    assert_false(difference_is_within(&d, &generous));
}

static void each_of_the_three_limits_counts(void **state)
{
    (void)state;
    const difference limits = {.mean = 1.0, .percentile99 = 2.0, .worst = 3.0};
    difference d = limits;
    assert_true(difference_is_within(&d, &limits));
    d.mean = 1.1;
    assert_false(difference_is_within(&d, &limits));
    d = limits;
    d.percentile99 = 2.1;
    assert_false(difference_is_within(&d, &limits));
    d = limits;
    d.worst = NAN;
    assert_false(difference_is_within(&d, &limits));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_summarized_in_counts_of_255),
        cmocka_unit_test(one_difference_is_its_own_percentile),
        cmocka_unit_test(what_is_not_a_number_is_infinitely_far),
        cmocka_unit_test(each_of_the_three_limits_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

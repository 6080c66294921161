/* Comparisons that report the expected value, the actual value, and the seed. */
#ifndef TESTS_UNIT_RENDER_CHECK_H
#define TESTS_UNIT_RENDER_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* Fails unless |actual - expected| <= tolerance; NaN never passes. */
static inline void check_near(const char *what, uint64_t seed, double expected,
                              double actual, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg(
            "%s: expected %.12g, actual %.12g, off by %.3g, allowed %.3g (seed %llu)",
            what, expected, actual, actual - expected, tolerance,
            (unsigned long long)seed);
    }
}

/* Fails unless the counts are the same. */
static inline void check_count(const char *what, uint64_t seed, int64_t expected,
                               int64_t actual)
{
    if (actual != expected) {
        fail_msg("%s: expected %lld, actual %lld (seed %llu)", what, (long long)expected,
                 (long long)actual, (unsigned long long)seed);
    }
}

/* Fails unless lo <= actual <= hi; NaN never passes. */
static inline void check_within(const char *what, uint64_t seed, double lo, double hi,
                                double actual)
{
    if (!(actual >= lo && actual <= hi)) {
        fail_msg("%s: expected %.9g to %.9g, actual %.9g (seed %llu)", what, lo, hi,
                 actual, (unsigned long long)seed);
    }
}

#endif

/* Queries on a sample: bounds of runs spare them points, but never change an answer. */
#include "frame/auto/sample.h"
#include "tests/unit/render/check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 3000, STEPS = 2 };

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Points along a line, most of them in a far field of one value; some are absent, with
 * any numbers, and some values are missing. */
static void fill(auto_sample *sample, uint64_t seed)
{
    for (int n = 0; n < POINTS; n++) {
        const bool is_absent = uniform(&seed) < 0.1;
        for (int axis = 0; axis < 3; axis++) {
            sample->place[n][axis] =
                (float)(is_absent ? NAN : 0.01 * n + 0.3 * uniform(&seed));
            sample->reach[n][axis] = (float)uniform(&seed);
        }
        sample->cells[n] = (uint8_t)(is_absent ? 0 : 1 + 7 * uniform(&seed));
        sample->volume[n] = is_absent ? 0 : (int64_t)(1e6 * uniform(&seed));
        for (int step = 0; step < STEPS; step++) {
            const double flow = n > 1000 && n < 1700 ? uniform(&seed) : 0.0;
            const double value = uniform(&seed) < 2e-4 ? NAN : 1.0 + flow + 1e-3 * step;
            sample->values[step * POINTS + n] = (float)(is_absent ? 1e30 : value);
        }
    }
}

static void compare(const auto_sample *plain, const auto_sample *indexed,
                    const auto_query *query, uint64_t seed)
{
    const double parts[2] = {0.01, 0.97};
    double expected[2], actual[2];
    int64_t bins[2][AUTO_BINS];
    check_count("weight", seed, auto_sample_weight(plain, query),
                auto_sample_weight(indexed, query));
    auto_sample_extremes(plain, query, expected);
    auto_sample_extremes(indexed, query, actual);
    assert_memory_equal(expected, actual, sizeof expected);
    if (expected[0] < expected[1]) {
        auto_sample_count(plain, query, expected, bins[0]);
        auto_sample_count(indexed, query, expected, bins[1]);
        assert_memory_equal(bins[0], bins[1], sizeof bins[0]);
    }
    auto_sample_quantiles(plain, query, parts, expected);
    auto_sample_quantiles(indexed, query, parts, actual);
    assert_memory_equal(expected, actual, sizeof expected);
}

static void bounds_of_runs_change_no_answer(void **state)
{
    static float place[POINTS][3], reach[POINTS][3], values[STEPS * POINTS];
    static int64_t volume[POINTS];
    static uint8_t cells[POINTS];
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t next = seed;
        auto_sample plain = {.comm = MPI_COMM_SELF,
                             .in_cells = seed % 2 == 0,
                             .count = POINTS,
                             .place = place,
                             .reach = reach,
                             .volume = volume,
                             .cells = cells,
                             .nsteps = STEPS,
                             .values = values};
        fill(&plain, seed);
        auto_sample indexed = plain;
        auto_sample_index(&indexed);
        assert_non_null(indexed.runs);
        const double lo = 30.0 * uniform(&next), size = 20.0 * uniform(&next);
        const box3 box = {vec3_make(lo, lo, -1.0), vec3_make(lo + size, 99.0, 99.0)};
        const auto_query query = {.axis = (int)(4 * uniform(&next)) - 1,
                                  .end = uniform(&next) < 0.5 ? -1 : 1,
                                  .by_cells = uniform(&next) < 0.5,
                                  .within = uniform(&next) < 0.5 ? &box : NULL,
                                  .around = 1.0,
                                  .beyond = uniform(&next) - 0.5};
        compare(&plain, &indexed, &query, seed);
        const auto_sample last[2] = {auto_sample_at(&plain, 1),
                                     auto_sample_at(&indexed, 1)};
        compare(&last[0], &last[1], &query, seed);
        free(indexed.runs);
        free(indexed.span);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_of_runs_change_no_answer)};
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}

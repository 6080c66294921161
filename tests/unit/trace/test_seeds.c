/* Seeds: points, lines, planes and boxes. */
#include "../render/check.h"

#include "trace/seeds.h"

#include <stdlib.h>

static void check_point(const double (*points)[3], int64_t n, double x, double y,
                        double z)
{
    check_near("x", 0, x, points[n][0], 1e-15);
    check_near("y", 0, y, points[n][1], 1e-15);
    check_near("z", 0, z, points[n][2], 1e-15);
}

static double (*list(const trace_seeds *seeds, int64_t expected))[3]
{
    double(*points)[3] = NULL;
    int64_t count = 0;
    assert_int_equal(trace_seeds_list(seeds, &count, &points), STATUS_OK);
    check_count("seeds", 0, expected, count);
    return points;
}

static const double corners[3][3] = {{1.0, 2.0, 3.0}, {3.0, 2.0, 3.0}, {1.0, 6.0, 4.0}};

static void points_stay_as_they_are(void **state)
{
    (void)state;
    const trace_seeds seeds = {.shape = TRACE_POINTS, .npoints = 3, .points = corners};
    double(*points)[3] = list(&seeds, 3);
    check_point((const double(*)[3])points, 2, 1.0, 6.0, 4.0);
    free(points);
}

static void a_line_has_seeds_at_both_ends(void **state)
{
    (void)state;
    const trace_seeds seeds = {
        .shape = TRACE_LINE, .npoints = 2, .points = corners, .counts = {5, 9, 9}};
    double(*points)[3] = list(&seeds, 5);
    check_point((const double(*)[3])points, 0, 1.0, 2.0, 3.0);
    check_point((const double(*)[3])points, 1, 1.5, 2.0, 3.0);
    check_point((const double(*)[3])points, 4, 3.0, 2.0, 3.0);
    free(points);
}

static void a_plane_runs_along_its_first_side_first(void **state)
{
    (void)state;
    const trace_seeds seeds = {
        .shape = TRACE_PLANE, .npoints = 3, .points = corners, .counts = {2, 3, 0}};
    double(*points)[3] = list(&seeds, 6);
    check_point((const double(*)[3])points, 1, 3.0, 2.0, 3.0);
    check_point((const double(*)[3])points, 2, 1.0, 4.0, 3.5);
    check_point((const double(*)[3])points, 5, 3.0, 6.0, 4.0);
    free(points);
}

static void one_seed_along_a_side_lies_in_its_middle(void **state)
{
    (void)state;
    const double box[2][3] = {{0.0, 0.0, 0.0}, {2.0, 4.0, 6.0}};
    const trace_seeds seeds = {
        .shape = TRACE_BOX, .npoints = 2, .points = box, .counts = {2, 1, 3}};
    double(*points)[3] = list(&seeds, 6);
    check_point((const double(*)[3])points, 0, 0.0, 2.0, 0.0);
    check_point((const double(*)[3])points, 5, 2.0, 2.0, 6.0);
    free(points);
}

static void check_refused(const trace_seeds *seeds)
{
    double(*points)[3] = NULL;
    int64_t count = -7;
    base_fail_set_message("");
    assert_int_equal(trace_seeds_list(seeds, &count, &points), STATUS_USAGE);
    assert_true(points == NULL && count == -7 && base_fail_message()[0] != '\0');
    base_fail_set_message("");
}

static void seeds_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const double nowhere[1][3] = {{0.0, NAN, 0.0}};
    check_refused(&(trace_seeds){.shape = TRACE_POINTS, .points = corners});
    check_refused(&(trace_seeds){.shape = TRACE_POINTS, .npoints = 1, .points = nowhere});
    check_refused(&(trace_seeds){
        .shape = TRACE_LINE, .npoints = 3, .points = corners, .counts = {2, 2, 2}});
    check_refused(&(trace_seeds){
        .shape = TRACE_LINE, .npoints = 2, .points = corners, .counts = {0, 2, 2}});
    check_refused(&(trace_seeds){.shape = TRACE_PLANE,
                                 .npoints = 3,
                                 .points = corners,
                                 .counts = {INT64_C(1) << 40, INT64_C(1) << 40, 1}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_stay_as_they_are),
        cmocka_unit_test(a_line_has_seeds_at_both_ends),
        cmocka_unit_test(a_plane_runs_along_its_first_side_first),
        cmocka_unit_test(one_seed_along_a_side_lies_in_its_middle),
        cmocka_unit_test(seeds_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The search for views in which the grid covers so much of the picture. */
#include "messages/compare/projection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rectangle in the middle of a picture whose height and width are `factor`. */
typedef struct rectangle {
    double width, height;
    double blank; /* radius of a hole in its middle, in which nothing is drawn */
    int measured;
} rectangle;

static status measure(void *context, double factor, double *coverage)
{
    rectangle *r = context;
    double area = fmin(r->width, factor) * fmin(r->height, factor);
    double hole = 3.14159 * r->blank * r->blank;
    *coverage = fmax(0.0, area - fmin(hole, factor * factor)) / (factor * factor);
    /* As a probe of 64 x 64 pixels counts. */
    *coverage = round(*coverage * 4096.0) / 4096.0;
    r->measured++;
    return STATUS_OK;
}

static compare_projection search(const char *name, rectangle *r, double fov)
{
    const compare_view view = {
        .width = 64, .height = 64, .orthographic = fov == 0.0, .fov = fov, .tall = 1.0};
    compare_goal goal = compare_projection_goal(name, &view);
    compare_projection found = {.name = name};
    double own;
    assert_int_equal(measure(r, 1.0, &own), STATUS_OK);
    assert_int_equal(compare_projection_search(&goal, own, measure, r, &found),
                     STATUS_OK);
    return found;
}

static void expect_coverage(double width, double height, const char *name, double least,
                            double most)
{
    rectangle r = {.width = width, .height = height};
    compare_projection found = search(name, &r, 0.0);
    if (!found.is_reached || found.coverage < least || found.coverage > most) {
        fail_msg("%g x %g, %s: expected %g to %g, got %g at the factor %g", width, height,
                 name, least, most, found.coverage, found.factor);
    }
    double again;
    measure(&r, found.factor, &again);
    assert_true(again == found.coverage);
    assert_true(r.measured <= 14);
}

static void rectangles_become_small_and_large(void **state)
{
    (void)state;
    static const double sides[] = {0.1, 0.3, 0.6, 1.0, 1.7, 5.0};
    for (int x = 0; x < 6; x++) {
        for (int y = 0; y < 6; y++) {
            expect_coverage(sides[x], sides[y], "small", 0.24, 0.28);
            expect_coverage(sides[x], sides[y], "large", 0.965, 0.995);
        }
    }
}

static void what_is_right_already_stays(void **state)
{
    (void)state;
    rectangle r = {.width = 0.5, .height = 0.5};
    compare_projection found = search("small", &r, 0.0);
    assert_true(found.factor == 1.0 && found.is_reached);
    assert_int_equal(r.measured, 1); /* as it is */
}

static void what_cannot_be_reached_is_approached(void **state)
{
    (void)state;
    /* A blank middle: closer views show nothing but the hole. */
    rectangle ring = {.width = 1.0, .height = 1.0, .blank = 0.2};
    compare_projection found = search("large", &ring, 0.0);
    assert_false(found.is_reached);
    assert_true(found.coverage > 0.85 && found.coverage < 0.9);
    assert_true(ring.measured <= 14);
    /* Nothing at all is drawn. */
    rectangle nothing = {0};
    found = search("small", &nothing, 30.0);
    assert_false(found.is_reached);
    assert_true(found.coverage == 0.0 && found.factor == 1.0);
    /* A picture cannot show more than the widest angle does. */
    rectangle endless = {.width = 1e6, .height = 1e6};
    found = search("small", &endless, 60.0);
    assert_false(found.is_reached);
    assert_true(found.coverage == 1.0);
}

static status fail_measure(void *context, double factor, double *coverage)
{
    (void)factor;
    (void)coverage;
    (*(int *)context)++;
    return base_fail(STATUS_INPUT, "no picture today");
}

static void failures_end_the_search(void **state)
{
    (void)state;
    int calls = 0;
    const compare_goal goal = {0.26, 0.02, 0.1, 10.0};
    compare_projection found = {.name = "small"};
    assert_int_equal(compare_projection_search(&goal, 0.9, fail_measure, &calls, &found),
                     STATUS_INPUT);
    assert_int_equal(calls, 1);
    base_fail_set_message("");
}

static void factors_scale_what_the_picture_shows(void **state)
{
    (void)state;
    char text[64];
    const compare_view flat = {.orthographic = true, .tall = 13.3};
    compare_view_setting(&flat, 2.0, text);
    assert_int_equal(strncmp(text, "camera.height=", 14), 0);
    assert_true(fabs(strtod(text + 14, NULL) - 26.6) < 1e-12);
    const compare_view deep = {.fov = 90.0};
    compare_view_setting(&deep, sqrt(3.0), text);
    assert_int_equal(strncmp(text, "camera.fov=", 11), 0);
    assert_true(fabs(strtod(text + 11, NULL) - 120.0) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_become_small_and_large),
        cmocka_unit_test(what_is_right_already_stays),
        cmocka_unit_test(what_cannot_be_reached_is_approached),
        cmocka_unit_test(failures_end_the_search),
        cmocka_unit_test(factors_scale_what_the_picture_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

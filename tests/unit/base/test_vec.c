/* Points, directions and boxes. */
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_vector(vec3 actual, double x, double y, double z)
{
    assert_float_equal(actual.v[0], x, 1e-15);
    assert_float_equal(actual.v[1], y, 1e-15);
    assert_float_equal(actual.v[2], z, 1e-15);
}

static void vectors_add_and_scale_by_component(void **unused)
{
    (void)unused;
    vec3 a = vec3_make(1.0, 2.0, 3.0), b = vec3_make(0.5, -4.0, 8.0);
    check_vector(vec3_add(a, b), 1.5, -2.0, 11.0);
    check_vector(vec3_sub(a, b), 0.5, 6.0, -5.0);
    check_vector(vec3_scale(a, -2.0), -2.0, -4.0, -6.0);
    assert_float_equal(vec3_dot(a, b), 16.5, 1e-15);
}

static void the_cross_product_is_right_handed(void **unused)
{
    (void)unused;
    vec3 x = vec3_make(1.0, 0.0, 0.0), y = vec3_make(0.0, 1.0, 0.0);
    check_vector(vec3_cross(x, y), 0.0, 0.0, 1.0);
    check_vector(vec3_cross(y, x), 0.0, 0.0, -1.0);
    vec3 a = vec3_make(1.0, 2.0, 3.0), b = vec3_make(0.5, -4.0, 8.0);
    assert_float_equal(vec3_dot(vec3_cross(a, b), a), 0.0, 1e-13);
}

static void normalizing_gives_length_one_and_leaves_zero(void **unused)
{
    (void)unused;
    check_vector(vec3_normalize(vec3_make(0.0, -3.0, 4.0)), 0.0, -0.6, 0.8);
    check_vector(vec3_normalize(vec3_make(0.0, 0.0, 0.0)), 0.0, 0.0, 0.0);
    assert_float_equal(vec3_length(vec3_make(2.0, 3.0, 6.0)), 7.0, 1e-15);
}

static void a_union_with_nothing_is_the_other_box(void **unused)
{
    (void)unused;
    box3 box = {vec3_make(-1.0, 0.0, 2.0), vec3_make(1.0, 5.0, 3.0)};
    box3 grown = box3_union(box3_empty(), box);
    check_vector(grown.lo, -1.0, 0.0, 2.0);
    check_vector(grown.hi, 1.0, 5.0, 3.0);
    grown = box3_union(box, (box3){vec3_make(0.0, -2.0, 2.5), vec3_make(0.5, 1.0, 9.0)});
    check_vector(grown.lo, -1.0, -2.0, 2.0);
    check_vector(grown.hi, 1.0, 5.0, 9.0);
}

static void boxes_meet_where_they_share_a_point(void **unused)
{
    (void)unused;
    box3 box = {vec3_make(0.0, 0.0, 0.0), vec3_make(1.0, 1.0, 1.0)};
    box3 corner = {vec3_make(1.0, 1.0, 1.0), vec3_make(2.0, 2.0, 2.0)};
    assert_true(box3_meets(box, corner) && box3_meets(corner, box));
    for (int axis = 0; axis < 3; axis++) {
        box3 beside = box;
        beside.lo.v[axis] = 1.5;
        beside.hi.v[axis] = 2.0;
        assert_false(box3_meets(box, beside) || box3_meets(beside, box));
    }
    assert_true(box3_meets(box, box3_everything()));
    assert_false(box3_meets(box, box3_empty()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_add_and_scale_by_component),
        cmocka_unit_test(the_cross_product_is_right_handed),
        cmocka_unit_test(normalizing_gives_length_one_and_leaves_zero),
        cmocka_unit_test(a_union_with_nothing_is_the_other_box),
        cmocka_unit_test(boxes_meet_where_they_share_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

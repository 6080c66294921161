/* The axes: their directions, and which lies in front of which. */
#include "canvas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SIZE = 1024 };

/* The middle of the triad, in the lower left corner of a picture of SIZE. */
enum { CENTER_X = 104, CENTER_Y = SIZE - 104 };

static canvas draw(vec3 right, vec3 up, vec3 forward)
{
    const annotation what = {.triad = {.shown = true,
                                       .right = right,
                                       .up = up,
                                       .forward = forward,
                                       .anchor = ANNOTATE_BOTTOM_LEFT}};
    return canvas_draw(SIZE, SIZE, &what);
}

/* Which colour prevails in the pixel: 0 red, 1 green, 2 blue; -1: none does. */
static int hue(const canvas *of, double x, double y)
{
    const uint8_t *pixel =
        canvas_pixel(of, (int)lround(CENTER_X + x), (int)lround(CENTER_Y + y));
    int greatest = 0;
    for (int c = 1; c < 3; c++) {
        greatest = pixel[c] > pixel[greatest] ? c : greatest;
    }
    for (int c = 0; c < 3; c++) {
        if (c != greatest && pixel[c] + 50 > pixel[greatest]) {
            return -1;
        }
    }
    return greatest;
}

static void axes_point_where_the_camera_sees_them(void **state)
{
    (void)state;
    const vec3 x = vec3_make(1, 0, 0), y = vec3_make(0, 1, 0), z = vec3_make(0, 0, 1);
    canvas front = draw(x, y, vec3_scale(z, -1.0));
    assert_int_equal(hue(&front, 25, 0), 0);
    assert_int_equal(hue(&front, 0, -25), 1);
    assert_int_equal(hue(&front, 0, 0), 2);
    assert_int_equal(
        canvas_count(&front, CENTER_X - 30, CENTER_Y - 30, CENTER_X - 10, CENTER_Y - 10),
        0);
    canvas_free(&front);
    canvas side = draw(vec3_scale(y, -1.0), z, vec3_scale(x, -1.0));
    assert_int_equal(hue(&side, -25, 0), 1);
    assert_int_equal(hue(&side, 0, -25), 2);
    assert_int_equal(hue(&side, 0, 0), 0);
    canvas_free(&side);
}

/* Two arms that lie on each other in the picture: the nearer one is seen. */
static void the_nearer_arm_covers_the_farther_one(void **state)
{
    (void)state;
    const double h = sqrt(0.5);
    /* x and y both point up, one towards the viewer and one away. */
    const vec3 right = vec3_make(0, 0, 1), up = vec3_make(h, h, 0);
    canvas x_near = draw(right, up, vec3_make(-h, h, 0));
    assert_int_equal(hue(&x_near, 0, -24), 0);
    canvas_free(&x_near);
    canvas y_near = draw(right, up, vec3_make(h, -h, 0));
    assert_int_equal(hue(&y_near, 0, -24), 1);
    canvas_free(&y_near);
}

/* Arrows that point away show their bases, which are darker than those that come. */
static void arrows_that_point_away_show_their_bases(void **state)
{
    (void)state;
    const vec3 x = vec3_make(1, 0, 0), y = vec3_make(0, 1, 0), z = vec3_make(0, 0, 1);
    canvas towards = draw(x, y, vec3_scale(z, -1.0));
    canvas away = draw(vec3_scale(x, -1.0), y, z);
    /* Beside the shafts that cover the middle of the axis that points away. */
    const uint8_t *bright = canvas_pixel(&towards, CENTER_X + 3, CENTER_Y + 3);
    const uint8_t *dark = canvas_pixel(&away, CENTER_X + 3, CENTER_Y + 3);
    assert_true(bright[2] > 230);
    assert_true(dark[2] < 170 && dark[2] > 100 && dark[2] > dark[0] + 50);
    canvas_free(&towards);
    canvas_free(&away);
}

static void the_whole_stays_in_its_corner_whatever_the_view(void **state)
{
    (void)state;
    for (int n = 0; n < 24; n++) {
        const double a = n * 0.2618, b = n * 0.4;
        const vec3 right = vec3_make(cos(a), sin(a), 0.0);
        const vec3 forward = vec3_make(-sin(a) * cos(b), cos(a) * cos(b), sin(b));
        const vec3 up = vec3_make(sin(a) * sin(b), -cos(a) * sin(b), cos(b));
        canvas drawn = draw(right, up, forward);
        int bounds[4];
        canvas_bounds(&drawn, bounds);
        assert_true(bounds[0] >= 10 && bounds[1] >= SIZE - 198);
        assert_true(bounds[2] <= 198 && bounds[3] <= SIZE - 10);
        assert_true(canvas_count_all(&drawn) > 1000);
        canvas_free(&drawn);
    }
}

int main(void)
{
    if (!annotate_is_available()) {
        puts("skipped: this build has no cairo");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_point_where_the_camera_sees_them),
        cmocka_unit_test(the_nearer_arm_covers_the_farther_one),
        cmocka_unit_test(arrows_that_point_away_show_their_bases),
        cmocka_unit_test(the_whole_stays_in_its_corner_whatever_the_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

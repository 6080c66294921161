/* The numbers beside an axes box, from many sides. */
#include "frame/layers/axes_box.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 960, HEIGHT = 540 };

/* The size of letters in a picture of this height; the least width of a digit in it. */
static const double letter = 20.0 / 1024.0 * HEIGHT, digit = 0.5;

static bool is_number(const annotate_mark *mark)
{
    return strchr("xyz", mark->text[0]) == NULL;
}

/* The middle of a text, and half of its width and height. */
static void find_place(const annotate_mark *mark, double middle[2], double half[2])
{
    const double size = letter * (mark->size > 0.0 ? mark->size : 1.0);
    half[0] = 0.5 * size * digit * (double)strlen(mark->text);
    half[1] = 0.5 * 0.7 * size;
    const double way =
        mark->gap * letter + fabs(mark->way[0]) * half[0] + fabs(mark->way[1]) * half[1];
    for (int n = 0; n < 2; n++) {
        middle[n] = mark->at[n] + way * mark->way[n];
    }
}

static bool do_touch(const annotate_mark *a, const annotate_mark *b)
{
    double one[2], other[2], half[2], other_half[2];
    find_place(a, one, half);
    find_place(b, other, other_half);
    return fabs(one[0] - other[0]) < half[0] + other_half[0] &&
           fabs(one[1] - other[1]) < half[1] + other_half[1];
}

/* Looks at the box from a direction; returns how many numbers there are. */
static int look_from(double turn, double height)
{
    io_tool_config tool = {.titles = {NULL}};
    const io_layer_config config = {.kind = IO_LAYER_AXES_BOX, .tool = &tool};
    io_config all = {.width = WIDTH, .height = HEIGHT};
    grid_layout layout = {.bounds = {{{0.0, 0.0, 0.0}}, {{4.0, 4.0, 4.0}}}};
    frame_scene scene = {.config = &all, .layout = &layout};
    const frame_layer layer = {.config = &config};
    const vec3 center = vec3_make(2.0, 2.0, 2.0);
    const vec3 from = vec3_make(12.0 * cos(turn), 12.0 * sin(turn), height);
    const render_view view = {.position = vec3_add(center, from),
                              .look_at = center,
                              .up = vec3_make(0.0, 0.0, 1.0),
                              .fov = 45.0};
    assert_int_equal(
        render_camera_create(&view, WIDTH, HEIGHT, layout.origin, &scene.camera),
        STATUS_OK);
    marks found = {0};
    assert_int_equal(axes_box_add_numbers(&scene, &layer, &found), STATUS_OK);
    int numbers = 0;
    for (int a = 0; a < found.ntexts; a++) {
        numbers += is_number(&found.texts[a]);
        for (int b = 0; b < a; b++) {
            if (is_number(&found.texts[a]) && is_number(&found.texts[b]) &&
                do_touch(&found.texts[a], &found.texts[b])) {
                fail_msg("'%s' touches '%s', seen from %g, %g", found.texts[a].text,
                         found.texts[b].text, turn, height);
            }
        }
    }
    marks_free(&found);
    return numbers;
}

static void numbers_of_two_axes_do_not_touch(void **unused)
{
    (void)unused;
    for (int turn = 0; turn < 48; turn++) {
        for (int height = -12; height <= 12; height += 2) {
            assert_in_range(look_from(0.131 * turn, height), 6, 30);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_two_axes_do_not_touch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

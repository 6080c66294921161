/* Cameras that are found for a box: it lies in the picture and fills it. */
#include "frame/auto/view.h"
#include "render/view/camera.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const box3 no_walls = {{{INFINITY, INFINITY, INFINITY}},
                              {{-INFINITY, -INFINITY, -INFINITY}}};

/* A box of that size, away from the origin. */
static box3 make_box(double x, double y, double z)
{
    const vec3 lo = vec3_make(-3.0, 17.0, 0.25);
    return (box3){lo, vec3_add(lo, vec3_make(x, y, z))};
}

/* A config with a picture of that size and the key camera; the caller destroys it. */
static io_config *make_config(int width, int height, const char *camera)
{
    char text[512];
    io_config *config = NULL;
    snprintf(text, sizeof text,
             "data: {file: a.h5}\nimage: {width: %d, height: %d}\ncamera: %s\n"
             "output: {frames: a.png}\n",
             width, height, camera);
    base_fail_set_message("");
    if (io_config_parse("a.yaml", text, strlen(text), 0, NULL, &config) != STATUS_OK) {
        fail_msg("%s: %s", text, base_fail_message());
    }
    return config;
}

/* Place of a point in the picture: -1 .. 1 to the right and upwards. */
static void project(const render_camera *camera, vec3 point, double place[2])
{
    const vec3 way = vec3_sub(point, camera->eye);
    const double depth = vec3_dot(way, camera->forward);
    const double half = camera->orthographic ? camera->scale : camera->scale * depth;
    assert_true(camera->orthographic || depth > 0.0);
    place[0] = vec3_dot(way, camera->right) / (half * camera->width / camera->height);
    place[1] = vec3_dot(way, camera->up) / half;
}

/* A view that was found, and the box in its picture. */
typedef struct found_view {
    io_camera_config camera;
    render_camera made;
    double lo[2], hi[2]; /* -1 .. 1: right, up */
} found_view;

/* Sets all but the camera. */
static void measure(found_view *found, int width, int height, const box3 *box)
{
    const io_camera_config *c = &found->camera;
    const render_view view = {c->position,     c->look_at, c->up,
                              c->orthographic, c->fov,     c->height};
    base_fail_set_message("");
    if (render_camera_create(&view, width, height, vec3_make(0, 0, 0), &found->made) !=
        STATUS_OK) {
        fail_msg("%s", base_fail_message());
    }
    for (int n = 0; n < 2; n++) {
        found->lo[n] = INFINITY;
        found->hi[n] = -INFINITY;
    }
    for (int corner = 0; corner < 8; corner++) {
        const vec3 point = vec3_make((corner & 1 ? box->hi : box->lo).v[0],
                                     (corner & 2 ? box->hi : box->lo).v[1],
                                     (corner & 4 ? box->hi : box->lo).v[2]);
        double place[2];
        project(&found->made, point, place);
        for (int n = 0; n < 2; n++) {
            found->lo[n] = fmin(found->lo[n], place[n]);
            found->hi[n] = fmax(found->hi[n], place[n]);
        }
    }
}

static found_view find(int width, int height, const char *camera, const box3 *box,
                       const box3 *walls)
{
    io_config *config = make_config(width, height, camera);
    found_view found = {.camera = config->camera};
    const view_scene scene = {.box = *box, .walls = *walls};
    auto_view_find(config, &scene, &found.camera);
    measure(&found, width, height, box);
    io_config_destroy(&config);
    return found;
}

static void assert_inside(const found_view *found, const char *what)
{
    for (int n = 0; n < 2; n++) {
        if (!(found->lo[n] >= -1.0 && found->hi[n] <= 1.0)) {
            fail_msg("%s: the box has %g .. %g of -1 .. 1, %s", what, found->lo[n],
                     found->hi[n], n ? "upwards" : "to the right");
        }
    }
}

/* At least three fifths of the width or of the height. */
static void assert_filled(const found_view *found, const char *what)
{
    const double width = 0.5 * (found->hi[0] - found->lo[0]);
    const double height = 0.5 * (found->hi[1] - found->lo[1]);
    if (!(width >= 0.6 || height >= 0.6)) {
        fail_msg("%s: the box takes %g of the width and %g of the height", what, width,
                 height);
    }
}

static void assert_upright(const found_view *found, const char *what)
{
    const io_camera_config *c = &found->camera;
    const vec3 way = vec3_normalize(vec3_sub(c->look_at, c->position));
    if (!(fabs(vec3_dot(way, vec3_normalize(c->up))) < 0.95)) {
        fail_msg("%s: up is nearly along the view", what);
    }
}

/* A picture for each: square, wide, tall. */
static const int sizes[][2] = {{500, 500}, {1280, 800}, {2000, 250}, {200, 1500}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Extents along x, y and z. */
static const double shapes[][3] = {
    {1, 1, 1},   {3, 2, 1.5},     {1.5, 3, 2},        {2, 1.5, 3}, /* chunky */
    {1, 8, 8},   {8, 1, 8},       {8, 8, 1},          {12, 5, 1},  /* slabs */
    {1, 12, 5},  {5, 1, 12},      {0, 4, 4},          {4, 0, 3},   /* and sheets */
    {4, 3, 0},   {1e-5, 2, 2},    {100, 1, 1},        {1, 100, 1}, /* rods */
    {1, 1, 100}, {1e6, 1e5, 1e4}, {1e-7, 2e-7, 1e-7}, {5, 0, 0}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Checks all boxes in all pictures with the key camera. */
static void check_all(const char *camera, bool is_filled)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int size = 0; size < SIZES; size++) {
            const double *s = shapes[shape];
            const box3 box = make_box(s[0], s[1], s[2]);
            const int width = sizes[size][0], height = sizes[size][1];
            char what[128];
            snprintf(what, sizeof what, "%s, a box of %g x %g x %g in %d x %d", camera,
                     s[0], s[1], s[2], width, height);
            const found_view found = find(width, height, camera, &box, &no_walls);
            assert_inside(&found, what);
            assert_upright(&found, what);
            if (is_filled) {
                assert_filled(&found, what);
            }
        }
    }
}

static void boxes_of_all_shapes_fill_the_picture(void **state)
{
    (void)state;
    check_all("auto", true);
    check_all("{fov: 5}", true);
    check_all("{fov: 60}", true);
}

static void so_they_do_by_parallel_rays(void **state)
{
    (void)state;
    check_all("{projection: orthographic}", true);
}

/* The place that the picture is centred on is the corner of the boxes. */
static void what_a_camera_has_stays(void **state)
{
    (void)state;
    check_all("{look_at: [-3, 17, 0.25]}", false);
    const box3 box = make_box(3, 2, 1.5);
    found_view found = find(500, 400, "{look_at: [-3, 17, 0.25]}", &box, &no_walls);
    assert_true(found.camera.look_at.v[0] == -3.0 && found.camera.look_at.v[2] == 0.25);
    found = find(500, 400, "{position: [1, -9, 2]}", &box, &no_walls);
    assert_true(found.camera.position.v[1] == -9.0);
    assert_true(found.camera.up.v[2] == 1.0);
    /* The middle of the box is that of the picture. */
    assert_true(fabs(found.made.forward.v[1]) > 0.5);
    assert_true(found.lo[0] < 0.0 && found.hi[0] > 0.0);
    assert_true(found.lo[1] < 0.0 && found.hi[1] > 0.0);
    found = find(500, 400, "{position: [1, -9, 2], projection: orthographic}", &box,
                 &no_walls);
    assert_inside(&found, "parallel rays from a given position");
    assert_filled(&found, "parallel rays from a given position");
}

/* Whichever way is up, also along the longest axis and along the view. */
static void any_axis_may_be_up(void **state)
{
    (void)state;
    check_all("{up: [1, 0, 0]}", true);
    check_all("{up: [0, 1, 0]}", true);
    check_all("{up: [0, 0, 1]}", true);
    check_all("{up: [0, 0, -2]}", true);
    check_all("{up: [1, 1, 1], projection: orthographic}", true);
}

static void up_is_not_along_a_given_view(void **state)
{
    (void)state;
    const box3 box = make_box(3, 2, 1.5);
    static const char *const cameras[] = {
        "{position: [-1.5, 18, 90], up: auto}", "{position: [-1.5, 99, 1], up: auto}",
        "{position: [99, 18, 1], up: auto}",
        "{position: [-2, 18, 9], look_at: [-2, 18, 1], up: auto}",
        "{position: [-2, 9, 1], look_at: [-2, 18, 1], up: auto}"};
    for (size_t n = 0; n < sizeof cameras / sizeof cameras[0]; n++) {
        const found_view found = find(400, 300, cameras[n], &box, &no_walls);
        assert_upright(&found, cameras[n]);
    }
}

static void the_longest_axis_lies_across(void **state)
{
    (void)state;
    static const double extents[][3] = {{9, 3, 3}, {3, 9, 3}, {3, 3, 9}, {9, 3, 0.3}};
    static const int longest[] = {0, 1, 2, 0};
    for (int n = 0; n < 4; n++) {
        const box3 box = make_box(extents[n][0], extents[n][1], extents[n][2]);
        const found_view found = find(800, 500, "auto", &box, &no_walls);
        assert_true(found.made.right.v[longest[n]] > 0.75);
    }
}

/* A slab is seen from its flat side; but a wall that has this side lies below. */
static void walls_of_a_slab_lie_below(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int is_high = 0; is_high < 2; is_high++) {
            double size[3] = {10, 10, 10};
            size[axis] = 1.0;
            size[(axis + 1) % 3] = 14.0;
            const box3 box = make_box(size[0], size[1], size[2]);
            box3 wall = box;
            (is_high ? &wall.lo : &wall.hi)->v[axis] =
                (is_high ? &box.hi : &box.lo)->v[axis];
            const found_view bare = find(800, 500, "auto", &box, &no_walls);
            assert_true(fabs(bare.made.forward.v[axis]) > 0.85);
            const found_view found = find(800, 500, "auto", &box, &wall);
            assert_inside(&found, "a slab with a wall");
            assert_filled(&found, "a slab with a wall");
            assert_true(fabs(found.made.up.v[axis]) > 0.5);
            /* The eye is on the side of the flow. */
            assert_true((found.made.forward.v[axis] > 0.0) == is_high);
        }
    }
}

static void walls_on_both_sides_change_nothing(void **state)
{
    (void)state;
    const box3 box = make_box(12, 5, 1);
    const found_view bare = find(800, 500, "auto", &box, &no_walls);
    const found_view between = find(800, 500, "auto", &box, &box);
    assert_memory_equal(&bare.camera.position, &between.camera.position, sizeof(vec3));
}

/* Digits of a number as it is printed, without sign, point, exponent and zeros at the
 * ends. */
static int count_digits(double number)
{
    char text[64];
    snprintf(text, sizeof text, "%.15g", fabs(number));
    text[strcspn(text, "e")] = '\0';
    int count = 0, trailing = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '.' || (count == 0 && *at == '0')) {
            continue;
        }
        count++;
        trailing = *at == '0' ? trailing + 1 : 0;
    }
    return count - trailing;
}

static void places_have_few_digits(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++) {
        const double *s = shapes[shape];
        const box3 box = {vec3_make(-0.3 * s[0], -0.3 * s[1], -0.3 * s[2]),
                          vec3_make(0.7 * s[0], 0.7 * s[1], 0.7 * s[2])};
        const found_view found = find(640, 480, "auto", &box, &no_walls);
        for (int axis = 0; axis < 3; axis++) {
            const double numbers[] = {found.camera.position.v[axis],
                                      found.camera.look_at.v[axis]};
            for (int n = 0; n < 2; n++) {
                if (count_digits(numbers[n]) > 5) {
                    fail_msg("%.17g has many digits", numbers[n]);
                }
            }
        }
    }
}

/* A box that is a point gets a camera, too. */
static void a_point_has_a_view(void **state)
{
    (void)state;
    const box3 box = make_box(0, 0, 0);
    const found_view found = find(640, 480, "auto", &box, &no_walls);
    assert_inside(&found, "a point");
    assert_upright(&found, "a point");
}

/* Each shape but points, in each picture, from all places of the orbit. */
static void an_orbit_shows_all_of_the_box(void **state)
{
    (void)state;
    static const char *const cameras[] = {
        "{path: {orbit: 360}}", "{path: {orbit: -360}, projection: orthographic}"};
    for (int n = 0; n < 2 * SHAPES * SIZES; n++) {
        const double *s = shapes[n / 2 % SHAPES];
        const int *size = sizes[n / 2 / SHAPES];
        const box3 box = make_box(s[0], s[1], s[2]), none = {{{1, 1, 1}}, {{0, 0, 0}}};
        const found_view first = find(size[0], size[1], cameras[n % 2], &box, &none);
        double widest = 0.0;
        for (int degrees = 0; degrees < 360; degrees += 15) {
            found_view turned = first;
            turned.camera.azimuth = degrees;
            auto_view_turn(&turned.camera);
            measure(&turned, size[0], size[1], &box);
            assert_inside(&turned, cameras[n % 2]);
            widest = fmax(widest,
                          fmax(turned.hi[0] - turned.lo[0], turned.hi[1] - turned.lo[1]));
        }
        assert_true(widest >= 1.2); /* of 2 */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_all_shapes_fill_the_picture),
        cmocka_unit_test(so_they_do_by_parallel_rays),
        cmocka_unit_test(what_a_camera_has_stays),
        cmocka_unit_test(any_axis_may_be_up),
        cmocka_unit_test(up_is_not_along_a_given_view),
        cmocka_unit_test(the_longest_axis_lies_across),
        cmocka_unit_test(walls_of_a_slab_lie_below),
        cmocka_unit_test(walls_on_both_sides_change_nothing),
        cmocka_unit_test(places_have_few_digits),
        cmocka_unit_test(an_orbit_shows_all_of_the_box),
        cmocka_unit_test(a_point_has_a_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

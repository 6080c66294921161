/* Cameras: rays, footprints and refusals. */
#include "render/view/camera.h"
#include "render/view/samples.h"

#include "check.h"

#include "support/random.h"

static render_view sound_view(void)
{
    return (render_view){.position = vec3_make(0.0, -8.0, 3.0),
                         .look_at = vec3_make(2.0, 0.0, 0.0),
                         .up = vec3_make(0.0, 0.0, 1.0),
                         .fov = 30.0,
                         .height = 4.0};
}

static render_camera create(const render_view *view, int width, int height)
{
    render_camera camera;
    if (render_camera_create(view, width, height, (vec3){{0}}, &camera) != STATUS_OK) {
        fail_msg("no camera: %s", base_fail_message());
    }
    return camera;
}

static void check_vector(const char *what, uint64_t seed, vec3 expected, vec3 actual)
{
    for (int axis = 0; axis < 3; axis++) {
        check_near(what, seed, expected.v[axis], actual.v[axis], 1e-12);
    }
}

/* ---- Rays -------------------------------------------------------------------------- */

static void the_middle_ray_goes_to_the_point_looked_at(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    vec3 forward = vec3_normalize(vec3_sub(view.look_at, view.position));
    for (int parallel = 0; parallel < 2; parallel++) {
        view.orthographic = parallel == 1;
        render_camera camera = create(&view, 33, 17);
        render_ray ray = render_camera_ray(&camera, 16, 8);
        check_vector("origin", 0, view.position, ray.origin);
        check_vector("direction", 0, forward, ray.direction);
    }
}

static void a_shift_of_a_pixel_gives_the_rays_of_neighbours(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    for (int parallel = 0; parallel < 2; parallel++) {
        view.orthographic = parallel == 1;
        const render_camera camera = create(&view, 33, 17);
        render_camera shifted = camera;
        render_camera_shift(&shifted, (const double[2]){1.0, -1.0});
        assert_false(render_camera_is_same(&camera, &shifted));
        const render_ray ray = render_camera_ray(&shifted, 4, 9);
        const render_ray neighbour = render_camera_ray(&camera, 5, 8);
        check_vector("origin", 0, neighbour.origin, ray.origin);
        check_vector("direction", 0, neighbour.direction, ray.direction);
    }
}

static void shifts_within_the_slack_leave_footprints_as_they_are(void **unused)
{
    (void)unused;
    const render_view view = sound_view();
    const uint8_t mask[17 * 5] = {1};
    for (int slack = 0; slack < 2; slack++) {
        render_camera camera = create(&view, 33, 17);
        camera.slack = slack;
        render_camera other = camera;
        assert_true(render_camera_has_same_footprints(&camera, &other));
        render_camera_shift(&other, (const double[2]){0.9, -0.4});
        other.mask = mask;
        assert_false(render_camera_is_same(&camera, &other));
        assert_int_equal(render_camera_has_same_footprints(&camera, &other), slack);
        other.slack += 1.0;
        assert_false(render_camera_has_same_footprints(&camera, &other));
    }
}

/* Each of n columns and rows has one of n samples; tents reach the neighbours' centres.
 */
static void samples_fill_their_filter_evenly(void **unused)
{
    (void)unused;
    for (int count = 1; count <= RENDER_MOST_SAMPLES; count++) {
        int columns[RENDER_MOST_SAMPLES] = {0}, rows[RENDER_MOST_SAMPLES] = {0};
        double middle[2] = {0.0, 0.0};
        for (int n = 0; n < count; n++) {
            double box[2], tent[2];
            render_sample_shift(RENDER_FILTER_BOX, n, count, box);
            render_sample_shift(RENDER_FILTER_TENT, n, count, tent);
            columns[(int)floor((box[0] + 0.5) * count)]++;
            rows[(int)floor((box[1] + 0.5) * count)]++;
            for (int axis = 0; axis < 2; axis++) {
                /* The weight of a tent beyond the sample. */
                const double beyond = 0.5 * pow(1.0 - fabs(tent[axis]), 2.0);
                check_near("a tent's sample", (uint64_t)count, 0.5 - fabs(box[axis]),
                           beyond, 1e-12);
                assert_true(fabs(tent[axis]) <= RENDER_SAMPLE_REACH);
                middle[axis] += box[axis];
            }
        }
        for (int n = 0; n < count; n++) {
            assert_true(columns[n] == 1 && rows[n] == 1);
        }
        check_near("the mean column", (uint64_t)count, 0.0, middle[0], 1e-12);
        check_near("the mean row", (uint64_t)count, 0.0, middle[1], 1e-12);
    }
}

static void field_of_view_is_the_full_vertical_angle(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    const double angles[] = {1e-3, 30.0, 90.0, 170.0};
    for (int n = 0; n < 4; n++) {
        view.fov = angles[n];
        /* The centres of the outer pixels stand half a pixel inside the edges. */
        enum { HEIGHT = 1001 };
        render_camera camera = create(&view, 3, HEIGHT);
        vec3 top = render_camera_ray(&camera, 1, 0).direction;
        double slope = tan(0.5 * angles[n] * acos(-1.0) / 180.0) * (HEIGHT - 1) / HEIGHT;
        double actual = vec3_dot(top, camera.up) / vec3_dot(top, camera.forward);
        check_near("slope of the top row", 0, slope, actual, 1e-9 * slope);
    }
}

static void row_zero_is_at_the_top_and_columns_go_right(void **unused)
{
    (void)unused;
    render_view view = {.position = vec3_make(0.0, -5.0, 0.0),
                        .up = vec3_make(0.0, 0.0, 1.0),
                        .fov = 40.0,
                        .height = 4.0};
    for (int parallel = 0; parallel < 2; parallel++) {
        view.orthographic = parallel == 1;
        render_camera camera = create(&view, 20, 10);
        render_ray first = render_camera_ray(&camera, 0, 0);
        render_ray last = render_camera_ray(&camera, 19, 9);
        vec3 a = vec3_add(first.origin, first.direction);
        vec3 b = vec3_add(last.origin, last.direction);
        assert_true(a.v[2] > 0.0 && b.v[2] < 0.0);
        assert_true(a.v[0] < 0.0 && b.v[0] > 0.0);
    }
}

static void pixels_are_square_in_any_aspect(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    view.orthographic = true;
    render_camera camera = create(&view, 640, 40);
    vec3 corner = render_camera_ray(&camera, 0, 0).origin;
    vec3 right = vec3_sub(render_camera_ray(&camera, 1, 0).origin, corner);
    vec3 down = vec3_sub(render_camera_ray(&camera, 0, 1).origin, corner);
    check_near("width of a pixel", 0, 0.1, vec3_length(right), 1e-12);
    check_near("height of a pixel", 0, 0.1, vec3_length(down), 1e-12);
}

static void the_layouts_origin_is_taken_off(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    render_camera camera;
    vec3 origin = vec3_make(100.0, -20.0, 3.0);
    assert_int_equal(render_camera_create(&view, 8, 8, origin, &camera), STATUS_OK);
    check_vector("eye", 0, vec3_sub(view.position, origin), camera.eye);
}

static void what_order_wants_is_the_eye_or_the_direction(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    render_camera camera = create(&view, 8, 8);
    check_vector("eye", 0, view.position, render_camera_order_point(&camera));
    view.orthographic = true;
    camera = create(&view, 8, 8);
    check_vector("direction", 0, camera.forward, render_camera_order_point(&camera));
}

static void depth_is_measured_along_the_line_of_sight(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    render_camera camera = create(&view, 64, 48);
    for (int row = 0; row < 48; row++) {
        render_ray ray = render_camera_ray(&camera, row, row);
        vec3 point = vec3_add(ray.origin, vec3_scale(ray.direction, 5.0));
        check_near("length of a direction", 0, 1.0, vec3_length(ray.direction), 1e-12);
        check_near("depth", 0, 5.0 * vec3_dot(ray.direction, camera.forward),
                   render_camera_depth(&camera, point), 1e-12);
    }
}

/* ---- Footprints -------------------------------------------------------------------- */

static vec3 random_point(uint64_t *state, double size)
{
    vec3 point;
    random_three(state, -size, size, point.v);
    return point;
}

static box3 random_box(uint64_t *state)
{
    vec3 a = random_point(state, 3.0);
    double size = exp(random_between(state, -8.0, 1.5));
    vec3 b = vec3_add(a, random_point(state, size));
    box3 box = box3_union((box3){a, a}, (box3){b, b});
    if (random_below(state, 4) == 0) {
        int axis = random_below(state, 3);
        box.hi.v[axis] = box.lo.v[axis]; /* flat */
    }
    return box;
}

static render_view random_view(uint64_t *state)
{
    return (render_view){.position = random_point(state, 4.0),
                         .look_at = random_point(state, 4.0),
                         .up = random_point(state, 1.0),
                         .orthographic = random_below(state, 3) == 0,
                         .fov = random_between(state, 1.0, 175.0),
                         .height = random_between(state, 0.1, 10.0)};
}

/* A point of the box, often one of its corners. */
static vec3 point_in(uint64_t *state, box3 box)
{
    vec3 point;
    for (int axis = 0; axis < 3; axis++) {
        double share = random_between(state, -0.5, 1.5);
        share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        point.v[axis] = box.lo.v[axis] + share * (box.hi.v[axis] - box.lo.v[axis]);
    }
    return point;
}

static bool ray_meets(const render_ray *ray, box3 box)
{
    double near = -INFINITY, far = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double a = (box.lo.v[axis] - ray->origin.v[axis]) / ray->direction.v[axis];
        double b = (box.hi.v[axis] - ray->origin.v[axis]) / ray->direction.v[axis];
        near = fmax(near, fmin(a, b));
        far = fmin(far, fmax(a, b));
    }
    return near <= far;
}

static void check_footprint(const render_camera *camera, box3 box, uint64_t seed)
{
    pixel_rect rect = render_camera_footprint(camera, box);
    for (int row = 0; row < camera->height; row++) {
        for (int column = 0; column < camera->width; column++) {
            bool inside =
                column >= rect.x0 && column < rect.x1 && row >= rect.y0 && row < rect.y1;
            render_ray ray = render_camera_ray(camera, column, row);
            if (!inside && ray_meets(&ray, box)) {
                fail_msg("the ray of pixel %d, %d meets the box, but the footprint is "
                         "%d..%d, %d..%d (seed %llu)",
                         column, row, rect.x0, rect.x1, rect.y0, rect.y1,
                         (unsigned long long)seed);
            }
        }
    }
}

/* Half of the cameras have a shift, up to a pixel as samples have it. Some of them have
 * the footprints of all such shifts. */
static void shift_at_random(uint64_t *state, render_camera *camera)
{
    camera->slack = random_word(state) % 4 == 0 ? 1.0 : 0.0;
    if (random_word(state) % 2 == 0) {
        render_camera_shift(camera, (const double[2]){random_between(state, -1.0, 1.0),
                                                      random_between(state, -1.0, 1.0)});
    }
}

static void every_ray_that_meets_a_box_is_in_its_footprint(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed < 2000; seed++) {
        uint64_t state = seed;
        render_view view = random_view(&state);
        render_camera camera = create(&view, 24, 16);
        shift_at_random(&state, &camera);
        check_footprint(&camera, random_box(&state), seed);
    }
}

static void boxes_around_and_at_the_eye_are_seen_in_full(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed < 1000; seed++) {
        uint64_t state = seed;
        render_view view = random_view(&state);
        box3 box = random_box(&state);
        view.position = point_in(&state, box);
        render_camera camera = create(&view, 24, 16);
        shift_at_random(&state, &camera);
        check_footprint(&camera, box, seed);
    }
}

static void a_point_just_beside_the_eye_is_not_forgotten(void **unused)
{
    (void)unused;
    /* Reaches from behind the eye to a hair in front of it and a hair to its right. */
    render_view view = {.position = {{0}},
                        .look_at = vec3_make(0.0, 0.0, 1.0),
                        .up = vec3_make(0.0, 1.0, 0.0),
                        .fov = 170.0};
    render_camera camera = create(&view, 65, 65);
    for (int n = 0; n < 40; n++) {
        double hair = pow(10.0, -0.25 * n - 3.0);
        box3 box = {vec3_make(-1.0, -0.1 * hair, -0.5),
                    vec3_make(-4.0 * hair, 0.1 * hair, hair)};
        check_footprint(&camera, box, (uint64_t)n);
    }
}

static void a_box_around_a_point_of_a_ray_is_seen_by_its_pixel(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed < 20000; seed++) {
        uint64_t state = seed;
        render_view view = random_view(&state);
        render_camera camera = create(&view, 3000, 2000);
        int column = random_below(&state, 3000), row = random_below(&state, 2000);
        render_ray ray = render_camera_ray(&camera, column, row);
        double t = random_between(&state, -8.0, 8.0);
        vec3 point = vec3_add(ray.origin, vec3_scale(ray.direction, t));
        /* The point is a corner of the box, in a random direction from its middle. */
        vec3 other = vec3_add(
            point, random_point(&state, exp(random_between(&state, -20.0, 1.0))));
        box3 box = box3_union((box3){point, point}, (box3){other, other});
        pixel_rect rect = render_camera_footprint(&camera, box);
        check_within("column", seed, rect.x0, rect.x1 - 1, column);
        check_within("row", seed, rect.y0, rect.y1 - 1, row);
    }
}

static void an_infinite_box_fills_the_picture(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    render_camera camera = create(&view, 24, 16);
    box3 boxes[2] = {box3_everything(), {{{0}}, {{1.0, 1.0, INFINITY}}}};
    for (int n = 0; n < 2; n++) {
        pixel_rect rect = render_camera_footprint(&camera, boxes[n]);
        assert_true(rect.x0 == 0 && rect.y0 == 0 && rect.x1 == 24 && rect.y1 == 16);
    }
}

static void a_box_beside_the_picture_has_no_footprint(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    render_camera camera = create(&view, 24, 16);
    box3 box = {vec3_make(100.0, 0.0, 0.0), vec3_make(101.0, 1.0, 1.0)};
    assert_true(pixel_rect_is_empty(render_camera_footprint(&camera, box)));
}

/* ---- Errors ------------------------------------------------------------------------ */

static void check_refused(const char *what, const render_view *view)
{
    render_camera camera;
    base_fail_set_message("");
    status s = render_camera_create(view, 8, 8, (vec3){{0}}, &camera);
    if (s != STATUS_USAGE) {
        fail_msg("%s: expected a usage error, actual status %d", what, (int)s);
    }
    assert_string_not_equal(base_fail_message(), "");
    base_fail_set_message("");
}

static void views_in_no_direction_are_refused(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    view.look_at = view.position;
    check_refused("looking at oneself", &view);
    view = sound_view();
    view.up = (vec3){{0}};
    check_refused("no up", &view);
    view.up = vec3_scale(vec3_sub(view.look_at, view.position), -3.0);
    check_refused("up along the line of sight", &view);
}

static void bad_angles_and_heights_are_refused(void **unused)
{
    (void)unused;
    const double angles[] = {0.0, -10.0, 180.0, 400.0, NAN, INFINITY};
    for (int n = 0; n < 6; n++) {
        render_view view = sound_view();
        view.fov = angles[n];
        check_refused("fov", &view);
    }
    const double heights[] = {0.0, -1.0, NAN, INFINITY};
    for (int n = 0; n < 4; n++) {
        render_view view = sound_view();
        view.orthographic = true;
        view.height = heights[n];
        check_refused("height", &view);
    }
}

static void views_that_are_not_numbers_are_refused(void **unused)
{
    (void)unused;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 9; n++) {
        render_view view = sound_view();
        vec3 *members[] = {&view.position, &view.look_at, &view.up};
        members[n / 3]->v[1] = bad[n % 3];
        check_refused("a coordinate", &view);
    }
}

/* Squares of such numbers are infinite, and signs of edges no signs. */
static void views_from_beyond_all_measure_are_refused(void **unused)
{
    (void)unused;
    render_view view = sound_view();
    view.position = vec3_make(1e200, 0.0, 0.0);
    view.look_at = vec3_make(1.1e200, 0.0, 0.0);
    view.up = vec3_make(0.0, 0.0, 1.0);
    check_refused("a far position", &view);
    view.position.v[0] = 1e145;
    view.look_at.v[0] = 0.0;
    check_refused("a position less far", &view);
    view = sound_view();
    view.orthographic = true;
    view.height = 1e200;
    check_refused("a vast height", &view);
}

/* Beside the eye, before and behind it: no ray meets the box, though the bounds of both
 * parts together are the whole picture. */
static void a_box_beside_the_eye_has_no_footprint(void **unused)
{
    (void)unused;
    const render_view view = sound_view();
    const render_camera camera = create(&view, 64, 48);
    const vec3 away = vec3_scale(camera.right, 50.0);
    const vec3 aside = vec3_add(camera.eye, away);
    const vec3 half = {{1.0, 1.0, 1.0}};
    const box3 box = {vec3_sub(aside, half), vec3_add(aside, half)};
    assert_true(pixel_rect_is_empty(render_camera_footprint(&camera, box)));
}

/* A footprint cut by a window holds the pixels that both have. */
static void a_window_cuts_footprints(void **unused)
{
    (void)unused;
    static const pixel_rect windows[] = {
        {0, 0, 16, 16}, {16, 0, 40, 16}, {16, 16, 32, 24}, {0, 0, 40, 24}, {0, 0, 0, 0}};
    for (uint64_t seed = 1; seed < 500; seed++) {
        uint64_t state = seed;
        render_view view = random_view(&state);
        render_camera camera = create(&view, 40, 24);
        const box3 box = random_box(&state);
        const pixel_rect all = render_camera_footprint(&camera, box);
        for (size_t n = 0; n < sizeof windows / sizeof windows[0]; n++) {
            camera.window = windows[n];
            const pixel_rect w = camera.window;
            const pixel_rect cut = render_camera_footprint(&camera, box);
            for (int row = 0; row < 24; row++) {
                for (int column = 0; column < 40; column++) {
                    const bool expected = column >= all.x0 && column < all.x1 &&
                                          row >= all.y0 && row < all.y1 &&
                                          column >= w.x0 && column < w.x1 &&
                                          row >= w.y0 && row < w.y1;
                    const bool found = column >= cut.x0 && column < cut.x1 &&
                                       row >= cut.y0 && row < cut.y1;
                    check_count("a pixel of a footprint", seed, expected, found);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_ray_goes_to_the_point_looked_at),
        cmocka_unit_test(a_shift_of_a_pixel_gives_the_rays_of_neighbours),
        cmocka_unit_test(shifts_within_the_slack_leave_footprints_as_they_are),
        cmocka_unit_test(samples_fill_their_filter_evenly),
        cmocka_unit_test(field_of_view_is_the_full_vertical_angle),
        cmocka_unit_test(row_zero_is_at_the_top_and_columns_go_right),
        cmocka_unit_test(pixels_are_square_in_any_aspect),
        cmocka_unit_test(the_layouts_origin_is_taken_off),
        cmocka_unit_test(what_order_wants_is_the_eye_or_the_direction),
        cmocka_unit_test(depth_is_measured_along_the_line_of_sight),
        cmocka_unit_test(a_window_cuts_footprints),
        cmocka_unit_test(every_ray_that_meets_a_box_is_in_its_footprint),
        cmocka_unit_test(boxes_around_and_at_the_eye_are_seen_in_full),
        cmocka_unit_test(a_point_just_beside_the_eye_is_not_forgotten),
        cmocka_unit_test(a_box_around_a_point_of_a_ray_is_seen_by_its_pixel),
        cmocka_unit_test(an_infinite_box_fills_the_picture),
        cmocka_unit_test(a_box_beside_the_picture_has_no_footprint),
        cmocka_unit_test(a_box_beside_the_eye_has_no_footprint),
        cmocka_unit_test(views_in_no_direction_are_refused),
        cmocka_unit_test(bad_angles_and_heights_are_refused),
        cmocka_unit_test(views_that_are_not_numbers_are_refused),
        cmocka_unit_test(views_from_beyond_all_measure_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

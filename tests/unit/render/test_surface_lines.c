/* Contour lines, fringes and wireframes on a plane where all is known. */
#include "test_surface_support.h"

#include <string.h>

enum { SIDE = 96 };

/* The plane k = 1 of a box of 9 x 9 x 3 vertices, where the scalar is (x + 2 y + 3) / 40.
 */
typedef struct stage {
    test_grid grid;
    render_surface *surface;
    render_colors *grey; /* scalars 0 to 1 */
    render_camera camera;
} stage;

static const vec3 on_plane = {{0.0, 0.0, 1.0}}, plane_normal = {{0.0, 0.0, 1.0}};

static stage set_stage(render_view view)
{
    const shape box = {.n = {9, 9, 3}};
    const surface_plane plane = {.axis = 2, .index = 1.0, .hi = {8, 8, 2}};
    stage s = {.grid = shape_create(&box), .grey = surface_grey(0.0, 1.0)};
    s.surface =
        surface_make(s.grid.store, &(surface_spec){.nplanes = 1, .planes = &plane});
    s.camera = surface_camera(view, SIDE, SIDE);
    return s;
}

static void clear_stage(stage *s)
{
    render_colors_destroy(&s->grey);
    render_surface_destroy(&s->surface);
    test_grid_destroy(&s->grid);
}

/* 16 pixels per unit, all of it on the plane, y up. */
static render_view view_from_above(void)
{
    render_view view = picture_view_parallel(vec3_make(4.03, 4.01, 9.0),
                                             vec3_make(4.03, 4.01, 0.0), 6.0);
    view.up = vec3_make(0.0, 1.0, 0.0);
    return view;
}

static render_view view_from_aside(void)
{
    return picture_view_from(vec3_make(9.0, -4.0, 9.0), vec3_make(4.0, 4.0, 1.0), 20.0);
}

static double scalar_of(vec3 at)
{
    return (at.v[0] + 2.0 * at.v[1] + 3.0 * at.v[2]) / 40.0;
}

static vec3 hit_at(const stage *s, int pixel)
{
    return surface_hit(&s->camera, pixel % SIDE, pixel / SIDE, on_plane, plane_normal);
}

static bool is_inside(vec3 at)
{
    return fabs(at.v[0] - 4.0) < 3.99 && fabs(at.v[1] - 4.0) < 3.99;
}

/* Place of a point in the picture. */
static void project(const render_camera *camera, vec3 at, double out[2])
{
    vec3 from = vec3_sub(at, camera->eye);
    double depth = camera->orthographic ? 1.0 : vec3_dot(from, camera->forward);
    double per_unit = camera->height / (2.0 * camera->scale * depth);
    out[0] = 0.5 * camera->width + vec3_dot(from, camera->right) * per_unit;
    out[1] = 0.5 * camera->height - vec3_dot(from, camera->up) * per_unit;
}

/* Pixels from the middle of a pixel to the straight line between two points of space. */
static double pixels_to_line(const render_camera *camera, int pixel, vec3 from, vec3 to)
{
    double a[2], b[2];
    project(camera, from, a);
    project(camera, to, b);
    double x = pixel % SIDE + 0.5 - a[0], y = pixel / SIDE + 0.5 - a[1];
    double dx = b[0] - a[0], dy = b[1] - a[1];
    return fabs(x * dy - y * dx) / sqrt(dx * dx + dy * dy);
}

static double alpha_at(const render_fragments *drawn, const stage *s, int pixel)
{
    const render_fragment *at = surface_at(drawn, &s->camera, pixel % SIDE, pixel / SIDE);
    return at ? (double)at->rgba[3] : 0.0;
}

static void check_line(render_view view, double width, double tolerance)
{
    stage s = set_stage(view);
    const float level = 0.375f; /* x + 2 y = 12 */
    surface_look look = {.nlevels = 1,
                         .levels = &level,
                         .line_width = (float)width,
                         .line_paint = {.rgb = {0.5f, 0.25f, 1.0f}},
                         .opacity = 1.0f};
    const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
    int covered = 0;
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        if (is_inside(hit_at(&s, pixel))) {
            double away = pixels_to_line(&s.camera, pixel, vec3_make(0.0, 6.0, 1.0),
                                         vec3_make(8.0, 2.0, 1.0));
            double expected = surface_coverage(width, away);
            check_near("how much a line covers", (uint64_t)pixel, expected,
                       alpha_at(drawn, &s, pixel), tolerance);
            covered += expected > 0.0;
        }
    }
    assert_in_range(covered, SIDE / 2, SIDE * SIDE / 4);
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        const float *rgba = drawn->items[n].rgba;
        assert_true(rgba[0] == 0.5f * rgba[3] && rgba[2] == rgba[3]);
    }
    clear_stage(&s);
}

static void lines_of_linear_fields_are_straight_and_as_wide_as_asked(void **unused)
{
    (void)unused;
    const double widths[] = {0.5, 1.0, 1.5, 4.0};
    for (int n = 0; n < 4; n++) {
        check_line(view_from_above(), widths[n], 1e-3);
        check_line(view_from_aside(), widths[n], 0.03);
    }
}

static void lines_of_many_levels_have_their_colours(void **unused)
{
    (void)unused;
    stage s = set_stage(view_from_above());
    const float levels[7] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f};
    surface_look look = {.colors = s.grey,
                         .nlevels = 7,
                         .levels = levels,
                         .line_width = 2.0f,
                         .line_paint = {.by_scalar = true},
                         .opacity = 0.5f};
    const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
    assert_true(surface_total(drawn) > SIDE);
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        const render_fragment *at = &drawn->items[n];
        double level = round(scalar_of(hit_at(&s, at->pixel)) * 10.0) / 10.0;
        check_near("colour of a line", (uint64_t)n, level * (double)at->rgba[3],
                   (double)at->rgba[1], 1e-6);
        check_within("alpha of a line", (uint64_t)n, 0.0, 0.5, (double)at->rgba[3]);
    }
    clear_stage(&s);
}

/* Fringes have one colour between levels, and lines lie over them. */
static void fringes_end_at_their_levels(void **unused)
{
    (void)unused;
    stage s = set_stage(view_from_aside());
    const float levels[3] = {0.3f, 0.4f, 0.5f};
    const double colors[4] = {0.3, 0.35, 0.45, 0.5};
    surface_look look = {.colors = s.grey,
                         .fill = SURFACE_FRINGES,
                         .nlevels = 3,
                         .levels = levels,
                         .smooth = true,
                         .opacity = 1.0f};
    int seen[4] = {0};
    const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        const render_fragment *at = &drawn->items[n];
        double scalar = scalar_of(hit_at(&s, at->pixel)), nearest = INFINITY;
        int band = 0;
        for (int level = 0; level < 3; level++) {
            band += (double)levels[level] <= scalar;
            nearest = fmin(nearest, fabs((double)levels[level] - scalar));
        }
        if (nearest > 1e-6) {
            check_near("colour of a fringe", (uint64_t)n, colors[band],
                       (double)at->rgba[0], 1e-6);
            assert_true(at->rgba[3] == 1.0f);
            seen[band]++;
        }
    }
    for (int band = 0; band < 4; band++) {
        check_within("pixels of a fringe", (uint64_t)band, 50, 1e9, seen[band]);
    }
    clear_stage(&s);
}

static void lines_lie_over_an_opaque_fill(void **unused)
{
    (void)unused;
    stage s = set_stage(view_from_above());
    const float level = 0.375f;
    surface_look look = {.fill = SURFACE_PLAIN,
                         .color = {1.0f, 0.0f, 0.0f},
                         .nlevels = 1,
                         .levels = &level,
                         .line_width = 3.0f,
                         .line_paint = {.rgb = {0.0f, 0.0f, 1.0f}},
                         .opacity = 1.0f};
    const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
    assert_int_equal(surface_total(drawn), SIDE * SIDE);
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        const render_fragment *at = &drawn->items[n];
        double expected = surface_coverage(3.0, pixels_to_line(&s.camera, at->pixel,
                                                               vec3_make(0.0, 6.0, 1.0),
                                                               vec3_make(8.0, 2.0, 1.0)));
        assert_true(at->rgba[3] == 1.0f);
        check_near("blue", (uint64_t)n, expected, (double)at->rgba[2], 1e-3);
        check_near("red", (uint64_t)n, 1.0 - expected, (double)at->rgba[0], 1e-3);
    }
    clear_stage(&s);
}

/* Pixels to the nearest line of the grid. */
static double pixels_to_grid(const render_camera *camera, int pixel, vec3 at)
{
    double away = INFINITY;
    for (int axis = 0; axis < 2; axis++) {
        double index = round(at.v[axis]);
        for (int n = -1; n <= 1; n++) {
            vec3 from = vec3_make(0.0, 0.0, 1.0), to = vec3_make(8.0, 8.0, 1.0);
            from.v[axis] = to.v[axis] = index + n;
            away = fmin(away, pixels_to_line(camera, pixel, from, to));
        }
    }
    return away;
}

static void check_wires(render_view view)
{
    stage s = set_stage(view);
    surface_look look = {
        .wire_width = 1.25f, .wire_paint = {.rgb = {1.0f, 1.0f, 1.0f}}, .opacity = 1.0f};
    const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
    int inside = 0;
    for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        vec3 at = hit_at(&s, pixel);
        if (is_inside(at)) {
            check_near("how much a wire covers", (uint64_t)pixel,
                       surface_coverage(1.25, pixels_to_grid(&s.camera, pixel, at)),
                       alpha_at(drawn, &s, pixel), 1e-4);
            inside++;
        }
    }
    assert_true(inside > SIDE * SIDE / 3);
    clear_stage(&s);
}

static void wireframes_follow_grid_lines(void **unused)
{
    (void)unused;
    check_wires(view_from_above());
    check_wires(view_from_aside());
}

/* Lines of a plane with so many pixels from one to the next. */
static void check_dense(double apart, float width, double expected)
{
    render_view view = view_from_above();
    view.height = SIDE / apart;
    stage s = set_stage(view);
    const surface_look look = {
        .wire_width = width, .wire_paint = {.rgb = {1.0f, 1.0f, 1.0f}}, .opacity = 1.0f};
    const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
    assert_true(surface_total(drawn) >= 16);
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        check_near("dense lines", (uint64_t)n, expected, (double)drawn->items[n].rgba[3],
                   1e-4);
    }
    clear_stage(&s);
}

static void dense_wires_have_an_even_tone(void **unused)
{
    (void)unused;
    check_dense(0.6, 1.5f, 0.5);
    check_dense(1.21, 0.3f, 0.3 / 1.21);
    check_dense(1.43, 1.0f, 0.5);
}

/* Around the ends of the fade the tone of a pixel hardly changes. */
static void wires_fade_continuously(void **unused)
{
    (void)unused;
    for (int end = 0; end < 2; end++) {
        double alpha[2];
        for (int side = 0; side < 2; side++) {
            render_view view = view_from_above();
            view.height = SIDE / ((end ? 2.5 : 1.5) + (side ? 1e-4 : -1e-4));
            stage s = set_stage(view);
            const surface_look look = {.wire_width = 0.8f, .opacity = 1.0f};
            const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
            alpha[side] = alpha_at(drawn, &s, SIDE / 2 * SIDE + SIDE / 2);
            clear_stage(&s);
        }
        check_near("the end of a fade", (uint64_t)end, alpha[0], alpha[1], 2e-3);
    }
}

/* Pixels to the nearest line whose number divides by `every`, or the last line, 8. */
static double pixels_to_every(const render_camera *camera, int pixel, int every)
{
    double away = INFINITY;
    for (int axis = 0; axis < 2; axis++) {
        for (int n = 0; n <= 8; n++) {
            vec3 from = vec3_make(0.0, 0.0, 1.0), to = vec3_make(8.0, 8.0, 1.0);
            from.v[axis] = to.v[axis] = n;
            away = n % every == 0 || n == 8
                       ? fmin(away, pixels_to_line(camera, pixel, from, to))
                       : away;
        }
    }
    return away;
}

/* Lines so many pixels apart, of which the look draws every n-th, or as many as have
 * room: `expected`. */
static void check_every(double apart, int wire_every, int expected)
{
    render_view view = view_from_above();
    view.height = SIDE / apart;
    stage s = set_stage(view);
    const surface_look look = {.wire_width = 1.0f,
                               .wire_every = wire_every,
                               .wire_paint = {.rgb = {1.0f, 1.0f, 1.0f}},
                               .opacity = 1.0f};
    const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
    assert_true(surface_total(drawn) >= 16);
    for (int64_t n = 0; n < surface_total(drawn); n++) {
        const render_fragment *at = &drawn->items[n];
        check_near("every n-th line", (uint64_t)n,
                   surface_coverage(1.0, pixels_to_every(&s.camera, at->pixel, expected)),
                   (double)at->rgba[3], 1e-4);
    }
    clear_stage(&s);
}

static void every_nth_wire_is_drawn_and_the_last(void **unused)
{
    (void)unused;
    check_every(6.0, 3, 3);
    check_every(6.0, 1, 1);
    check_every(5.0, 5, 5);
}

/* Powers of two at these distances, where none fades. */
static void wires_have_room_in_the_picture(void **unused)
{
    (void)unused;
    check_every(8.0, SURFACE_EVERY_AUTO, 1);
    check_every(3.5, SURFACE_EVERY_AUTO, 2);
    check_every(1.75, SURFACE_EVERY_AUTO, 4);
}

/* Another number of lines in the same view is another picture. */
static void wires_of_a_kept_view_follow_the_look(void **unused)
{
    (void)unused;
    stage s = set_stage(view_from_above());
    surface_look look = {.wire_width = 1.0f, .opacity = 1.0f};
    double sums[4] = {0.0};
    for (int n = 0; n < 4; n++) {
        look.wire_every = n < 2 ? 1 + n : 1;
        look.wire_width = n < 3 ? 1.0f : 2.0f;
        const render_fragments *drawn = surface_drawn(s.surface, &look, &s.camera, 1);
        for (int64_t f = 0; f < surface_total(drawn); f++) {
            sums[n] += (double)drawn->items[f].rgba[3];
        }
    }
    assert_true(sums[1] < 0.7 * sums[0]);
    assert_true(sums[2] == sums[0]);
    assert_true(sums[3] > 1.5 * sums[0]);
    clear_stage(&s);
}

static void check_refused(stage *s, surface_look look)
{
    const render_fragments *drawn = NULL;
    assert_int_equal(
        render_surface_draw(s->surface, &look,
                            &(render_clip_view){&s->camera, box3_everything(), NULL}, 1,
                            &drawn),
        STATUS_USAGE);
    assert_null(drawn);
    assert_true(strlen(base_fail_message()) > 0);
    base_fail_set_message("");
}

static void looks_that_make_no_sense_are_refused(void **unused)
{
    (void)unused;
    stage s = set_stage(view_from_above());
    const float falling[2] = {0.5f, 0.25f}, odd[1] = {NAN};
    surface_look look = surface_white();
    look.opacity = 1.5f;
    check_refused(&s, look);
    look = surface_white();
    look.line_width = -1.0f;
    check_refused(&s, look);
    look = surface_white();
    look.fill = SURFACE_COLORED;
    look.smooth = true;
    check_refused(&s, look);
    look = surface_white();
    look.levels = falling;
    look.nlevels = 2;
    check_refused(&s, look);
    look.levels = odd;
    look.nlevels = 1;
    check_refused(&s, look);
    clear_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_linear_fields_are_straight_and_as_wide_as_asked),
        cmocka_unit_test(lines_of_many_levels_have_their_colours),
        cmocka_unit_test(fringes_end_at_their_levels),
        cmocka_unit_test(lines_lie_over_an_opaque_fill),
        cmocka_unit_test(wireframes_follow_grid_lines),
        cmocka_unit_test(dense_wires_have_an_even_tone),
        cmocka_unit_test(wires_fade_continuously),
        cmocka_unit_test(every_nth_wire_is_drawn_and_the_last),
        cmocka_unit_test(wires_have_room_in_the_picture),
        cmocka_unit_test(wires_of_a_kept_view_follow_the_look),
        cmocka_unit_test(looks_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

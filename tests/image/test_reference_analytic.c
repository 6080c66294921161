/* The fast renderer compared with closed forms: constant and linear fields in grids whose
 * faces are planar, so that two triangles are exactly the face. */
#include "../unit/render/test_grid.h"
#include "render/transfer/transfer.h"
#include "render/view/camera.h"
#include "render/volume.h"
#include "tests/support/draw_volume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDTH = 64, HEIGHT = 48 };

static const double pi = 3.14159265358979323846;
static const double tolerance = 1e-5;

/* ---- grids ------------------------------------------------------------------------- */

/* The box [0, 3] x [0, 1.5] x [0, 1], unevenly cut. */
static const vec3 box_size = {{3.0, 1.5, 1.0}};

static bool constant_box(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3], double *scalar)
{
    (void)block;
    double u = (double)at[0] / (double)(n[0] - 1);
    double w = (double)at[2] / (double)(n[2] - 1);
    xyz[0] = 2.0 * u * u + u;
    xyz[1] = 1.5 * (double)at[1] / (double)(n[1] - 1);
    xyz[2] = at[2] == n[2] - 1 ? 1.0 : w + 0.1 * sin(pi * w);
    *scalar = 0.5;
    return true;
}

static double linear_field(vec3 p)
{
    return 0.1 + 0.2 * p.v[0] + 0.15 * p.v[1] - 0.1 * p.v[2];
}

static bool linear_box(int block, const int64_t at[3], const int64_t n[3], double xyz[3],
                       double *scalar)
{
    bool present = constant_box(block, at, n, xyz, scalar);
    *scalar = linear_field(vec3_make(xyz[0], xyz[1], xyz[2]));
    return present;
}

/* Three quarters of a ring of radii 1 and 2 between z = 0 and z = 1. */
static bool constant_ring(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3], double *scalar)
{
    (void)block;
    double radius = 1.0 + (double)at[0] / (double)(n[0] - 1);
    double angle = 1.5 * pi * (double)at[1] / (double)(n[1] - 1);
    xyz[0] = radius * cos(angle);
    xyz[1] = radius * sin(angle);
    xyz[2] = (double)at[2] / (double)(n[2] - 1);
    *scalar = 0.5;
    return true;
}

/* Whether the ray stays inside the ring, away from its curved sides, from z = 0 to z = 1.
 */
static bool runs_between_planes(render_ray ray)
{
    for (int part = 0; part <= 16; part++) {
        double t = (part / 16.0 - ray.origin.v[2]) / ray.direction.v[2];
        vec3 p = vec3_add(ray.origin, vec3_scale(ray.direction, t));
        double radius = hypot(p.v[0], p.v[1]);
        double angle = atan2(p.v[1], p.v[0]);
        angle += angle < 0.0 ? 2.0 * pi : 0.0;
        if (t < 0.0 || radius < 1.02 || radius > 1.95 || angle < 0.05 ||
            angle > 1.5 * pi - 0.05) {
            return false;
        }
    }
    return true;
}

/* The interval of a ray inside the box; false if it misses. */
static bool cut_box(render_ray ray, double *near, double *far)
{
    *near = 0.0;
    *far = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double t0 = -ray.origin.v[axis] / ray.direction.v[axis];
        double t1 = (box_size.v[axis] - ray.origin.v[axis]) / ray.direction.v[axis];
        *near = fmax(*near, fmin(t0, t1));
        *far = fmin(*far, fmax(t0, t1));
    }
    return *near < *far;
}

/* ---- pictures ---------------------------------------------------------------------- */

typedef struct picture {
    render_camera camera;
    image *img;
} picture;

/* The views of the box and the ring: from outside, from inside, orthographic. */
static const render_view views[3] = {
    {.position = {{-3.1, -4.3, 5.2}},
     .look_at = {{1.4, 0.7, 0.4}},
     .up = {{0, 0, 1}},
     .fov = 40},
    {.position = {{0.31, 0.52, 0.47}},
     .look_at = {{2.6, 0.9, 0.6}},
     .up = {{0, 0, 1}},
     .fov = 90},
    {.position = {{1.9, -3.2, 6.1}},
     .look_at = {{1.5, 0.75, 0.5}},
     .up = {{0, 1, 0}},
     .orthographic = true,
     .height = 4.0},
};

static const render_view ring_views[2] = {
    {.position = {{0.3, -0.4, 7.0}},
     .look_at = {{0, 0, 0}},
     .up = {{0, 1, 0}},
     .fov = 40},
    {.position = {{1.1, 0.6, -8.0}},
     .look_at = {{0, 0, 0}},
     .up = {{0, 1, 0}},
     .orthographic = true,
     .height = 4.4},
};

static picture draw(const test_grid *grid, const render_transfer_points *points,
                    const render_view *view)
{
    picture p;
    const render_style style = {0};
    render_transfer *transfer;
    render_counters counters = {0};
    assert_int_equal(render_transfer_create(points, &transfer), STATUS_OK);
    assert_int_equal(
        render_camera_create(view, WIDTH, HEIGHT, vec3_make(0, 0, 0), &p.camera),
        STATUS_OK);
    assert_int_equal(image_create(WIDTH, HEIGHT, true, &p.img), STATUS_OK);
    assert_int_equal(draw_volume(grid->store,
                                 &(render_request){.style = &style,
                                                   .transfer = transfer,
                                                   .camera = &p.camera,
                                                   .clip = box3_everything(),
                                                   .threads = 1},
                                 p.img, &counters),
                     STATUS_OK);
    assert_int_equal(counters.lost_rays, 0);
    render_transfer_destroy(&transfer);
    return p;
}

static void expect_channel(const picture *p, int pixel, int channel, double expected)
{
    double actual = p->img->rgba[4 * pixel + channel];
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("column %d row %d channel %d: expected %.8f, got %.8f", pixel % WIDTH,
                 pixel / WIDTH, channel, expected, actual);
    }
}

static render_ray pixel_ray(const picture *p, int pixel)
{
    return render_camera_ray(&p->camera, pixel % WIDTH, pixel / WIDTH);
}

/* Alpha of half-opaque layers of 0.8 each; colour (0.25, 0.5, 1). */
static const double flat_colors[1][4] = {{0.0, 0.25, 0.5, 1.0}};
static const double flat_opacity[1][2] = {{0.0, 0.5}};
static const render_transfer_points flat = {.ncolors = 1,
                                            .colors = flat_colors,
                                            .nopacities = 1,
                                            .opacities = flat_opacity,
                                            .range = {0.0, 1.0},
                                            .unit_length = 0.8};

static void expect_flat(const picture *p, int pixel, double length)
{
    double alpha = 1.0 - pow(0.5, length / flat.unit_length);
    expect_channel(p, pixel, 0, 0.25 * alpha);
    expect_channel(p, pixel, 1, 0.5 * alpha);
    expect_channel(p, pixel, 2, alpha);
    expect_channel(p, pixel, 3, alpha);
}

/* ---- tests ------------------------------------------------------------------------- */

static void a_constant_field_in_a_box_is_as_opaque_as_it_is_deep(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{20, 18, 5}};
    test_grid grid = test_grid_create(1, n, constant_box);
    for (int v = 0; v < 3; v++) {
        picture p = draw(&grid, &flat, &views[v]);
        int hit = 0;
        for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
            double near, far;
            bool meets = cut_box(pixel_ray(&p, pixel), &near, &far);
            expect_flat(&p, pixel, meets ? far - near : 0.0);
            hit += meets;
        }
        assert_true(hit > WIDTH * HEIGHT / 10);
        image_destroy(&p.img);
    }
    test_grid_destroy(&grid);
}

static void a_constant_field_in_a_ring_is_as_opaque_as_its_chords_are_long(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{6, 65, 4}};
    test_grid grid = test_grid_create(1, n, constant_ring);
    for (int v = 0; v < 2; v++) {
        picture p = draw(&grid, &flat, &ring_views[v]);
        int met = 0;
        for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
            render_ray ray = pixel_ray(&p, pixel);
            if (runs_between_planes(ray)) {
                expect_flat(&p, pixel, 1.0 / fabs(ray.direction.v[2]));
                met++;
            }
        }
        assert_true(met > WIDTH * HEIGHT / 10);
        image_destroy(&p.img);
    }
    test_grid_destroy(&grid);
}

/* Extinction 1.5 s and colour (s, 1 - s, 0.5) over scalars 0 to 1. */
static const double ramp_colors[2][4] = {{0.0, 0.0, 1.0, 0.5}, {1.0, 1.0, 0.0, 0.5}};
static const double ramp_extinction[2][2] = {{0.0, 0.0}, {1.0, 1.5}};
static const render_transfer_points ramp = {.ncolors = 2,
                                            .colors = ramp_colors,
                                            .nopacities = 2,
                                            .opacities = ramp_extinction,
                                            .opacities_are_extinction = true,
                                            .range = {0.0, 1.0},
                                            .unit_length = 1.0};

/* Premultiplied red of the ramp along a segment with a scalar that is linear from s0
 * to s1, both between 0 and 1: Simpson's rule on the emission times the exact
 * transmittance. */
static double ramp_red(double s0, double s1, double length)
{
    enum { PANELS = 200 };
    double sum = 0.0;
    for (int panel = 0; panel <= PANELS; panel++) {
        double t = length * panel / PANELS;
        double s = s0 + (s1 - s0) * panel / PANELS;
        int weight = panel == 0 || panel == PANELS ? 1 : 2 + 2 * (panel % 2);
        sum += weight * 1.5 * s * s * exp(-1.5 * t * 0.5 * (s0 + s));
    }
    return sum * length / (3.0 * PANELS);
}

static void expect_ramp(const picture *p, int pixel, render_ray ray, double near,
                        double far)
{
    double s0 = linear_field(vec3_add(ray.origin, vec3_scale(ray.direction, near)));
    double s1 = linear_field(vec3_add(ray.origin, vec3_scale(ray.direction, far)));
    double alpha = 1.0 - exp(-1.5 * (far - near) * 0.5 * (s0 + s1));
    double red = ramp_red(s0, s1, far - near);
    expect_channel(p, pixel, 0, red);
    expect_channel(p, pixel, 1, alpha - red);
    expect_channel(p, pixel, 2, 0.5 * alpha);
    expect_channel(p, pixel, 3, alpha);
}

static void a_linear_field_through_a_ramp_matches_quadrature(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{20, 18, 5}};
    test_grid grid = test_grid_create(1, n, linear_box);
    for (int v = 0; v < 3; v++) {
        picture p = draw(&grid, &ramp, &views[v]);
        int hit = 0;
        for (int pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
            render_ray ray = pixel_ray(&p, pixel);
            double near, far;
            if (cut_box(ray, &near, &far)) {
                expect_ramp(&p, pixel, ray, near, far);
                hit++;
            }
        }
        assert_true(hit > WIDTH * HEIGHT / 10);
        image_destroy(&p.img);
    }
    test_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_field_in_a_box_is_as_opaque_as_it_is_deep),
        cmocka_unit_test(a_constant_field_in_a_ring_is_as_opaque_as_its_chords_are_long),
        cmocka_unit_test(a_linear_field_through_a_ramp_matches_quadrature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

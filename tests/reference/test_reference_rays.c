/* Rays and transfer functions of the reference renderer, compared with values by hand. */
#include "reference/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double grey[1][4] = {{0.0, 0.25, 0.5, 1.0}};
static const double half_opaque[1][2] = {{0.0, 0.5}};

static void expect_close(const char *what, double actual, double expected,
                         double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%s: expected %.12g +- %g, got %.12g", what, expected, tolerance,
                 actual);
    }
}

static void expect_vector(const char *what, vec3 actual, double x, double y, double z)
{
    expect_close(what, actual.v[0], x, 1e-12);
    expect_close(what, actual.v[1], y, 1e-12);
    expect_close(what, actual.v[2], z, 1e-12);
}

static void perspective_rays_leave_the_eye_within_the_field_of_view(void **state)
{
    (void)state;
    reference_camera camera = {.position = {{1.0, 2.0, 3.0}},
                               .look_at = {{1.0, 7.0, 3.0}},
                               .up = {{0.0, 0.5, 1.0}},
                               .fov = 90.0,
                               .columns = 40,
                               .rows = 20};
    reference_ray middle = reference_camera_ray(&camera, 20.0, 10.0);
    expect_vector("origin", middle.origin, 1.0, 2.0, 3.0);
    expect_vector("middle", middle.direction, 0.0, 1.0, 0.0);
    double third = 1.0 / sqrt(2.0);
    expect_vector("top", reference_camera_ray(&camera, 20.0, 0.0).direction, 0.0, third,
                  third);
    expect_vector("right", reference_camera_ray(&camera, 30.0, 10.0).direction, third,
                  third, 0.0);
    double sixth = 1.0 / sqrt(6.0);
    expect_vector("lower left", reference_camera_ray(&camera, 0.0, 20.0).direction,
                  -2.0 * sixth, sixth, -sixth);
}

static void orthographic_rays_are_parallel_and_fill_the_height(void **state)
{
    (void)state;
    reference_camera camera = {.position = {{0.0, 0.0, 5.0}},
                               .look_at = {{0.0, 0.0, 0.0}},
                               .up = {{0.0, 1.0, 0.0}},
                               .orthographic = true,
                               .height = 4.0,
                               .columns = 8,
                               .rows = 8};
    reference_ray first = reference_camera_ray(&camera, 0.5, 0.5);
    expect_vector("direction", first.direction, 0.0, 0.0, -1.0);
    expect_vector("origin", first.origin, -1.75, 1.75, 5.0);
    expect_vector("last", reference_camera_ray(&camera, 8.0, 8.0).origin, 2.0, -2.0, 5.0);
}

static void expect_extinction(const reference_transfer *transfer, double scalar,
                              double expected)
{
    double rgb[3], extinction;
    reference_transfer_evaluate(transfer, scalar, rgb, &extinction);
    expect_close("extinction", extinction, expected, 1e-12);
}

static void opacity_is_linear_in_alpha_per_unit_length(void **state)
{
    (void)state;
    const double opacities[4][2] = {{0.0, 0.0}, {0.5, 0.8}, {0.5, 0.2}, {1.0, 1.0}};
    reference_transfer transfer = {.ncolors = 1,
                                   .colors = grey,
                                   .nopacities = 4,
                                   .opacities = opacities,
                                   .range = {10.0, 20.0},
                                   .unit_length = 4.0};
    expect_extinction(&transfer, 12.5, -log(1.0 - 0.4) / 4.0);
    expect_extinction(&transfer, 15.0, -log(1.0 - 0.2) / 4.0);
    expect_extinction(&transfer, 17.5, -log(1.0 - 0.6) / 4.0);
    expect_extinction(&transfer, 20.0, -log(1e-4) / 4.0);
    expect_extinction(&transfer, 99.0, -log(1e-4) / 4.0);
    expect_extinction(&transfer, -5.0, 0.0);
    expect_extinction(&transfer, NAN, 0.0);
    transfer.opacities_are_extinction = true;
    transfer.positions_are_data = true;
    expect_extinction(&transfer, 0.25, 0.4 / 4.0);
}

static void colors_are_linear_between_points_and_constant_beyond(void **state)
{
    (void)state;
    const double colors[3][4] = {
        {1.0, 0.0, 0.2, 1.0}, {3.0, 1.0, 0.2, 0.5}, {4.0, 0.0, 0.8, 0.5}};
    reference_transfer transfer = {.ncolors = 3,
                                   .colors = colors,
                                   .nopacities = 1,
                                   .opacities = half_opaque,
                                   .positions_are_data = true,
                                   .unit_length = 1.0};
    const double scalars[4] = {0.0, 1.5, 3.5, 7.0};
    const double expected[4][3] = {
        {0.0, 0.2, 1.0}, {0.25, 0.2, 0.875}, {0.5, 0.5, 0.5}, {0.0, 0.8, 0.5}};
    for (int n = 0; n < 4; n++) {
        double rgb[3], extinction;
        reference_transfer_evaluate(&transfer, scalars[n], rgb, &extinction);
        for (int channel = 0; channel < 3; channel++) {
            expect_close("colour", rgb[channel], expected[n][channel], 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perspective_rays_leave_the_eye_within_the_field_of_view),
        cmocka_unit_test(orthographic_rays_are_parallel_and_fill_the_height),
        cmocka_unit_test(opacity_is_linear_in_alpha_per_unit_length),
        cmocka_unit_test(colors_are_linear_between_points_and_constant_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

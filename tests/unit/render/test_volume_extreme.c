/* Scalars near the end of float32, and transfer functions that rise over a few of its
 * last digits. */
#include "check.h"
#include "cuts.h"
#include "shape.h"

#include "support/random.h"

#include <float.h>

/* Scalars around which the transfer functions of the next test rise: its float32
 * neighbour is a 200th of their flanks away. */
#define STEEP (-4.2)
static const double flank = 1e-4;

static bool steep_vertex(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3], double *scalar)
{
    (void)block;
    uint64_t state = 1 + (uint64_t)(at[0] + n[0] * (at[1] + n[1] * at[2]));
    random_bits(&state);
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis];
    }
    *scalar = STEEP + flank * random_between(&state, -0.5, 0.5);
    return true;
}

/* A spike in a range that float32 resolves badly, and a step, whose place between two
 * nodes of the table makes segments that come near it be integrated exactly. */
static render_transfer *steep_transfer(bool is_step)
{
    const double colors[2][4] = {{STEEP - 5e-5, 0.9, 0.2, 0.1},
                                 {STEEP + 5e-5, 0.1, 0.7, 0.9}};
    const double spike[5][2] = {{STEEP - 0.5, 0.0},
                                {STEEP - flank, 0.0},
                                {STEEP, 2.0},
                                {STEEP + flank, 0.0},
                                {STEEP + 0.5, 0.0}};
    const double step[4][2] = {{STEEP - 0.5, 0.1},
                               {STEEP + 1.3e-5, 0.1},
                               {STEEP + 1.3e-5, 0.9},
                               {STEEP + 0.513, 0.9}};
    const render_transfer_points points = {.ncolors = 2,
                                           .colors = colors,
                                           .nopacities = is_step ? 4 : 5,
                                           .opacities = is_step ? step : spike,
                                           .opacities_are_extinction = true,
                                           .positions_are_data = true,
                                           .unit_length = 1.0};
    render_transfer *transfer = NULL;
    assert_int_equal(render_transfer_create(&points, &transfer), STATUS_OK);
    return transfer;
}

static void boxes_add_up_on_a_flank_as_steep_as_floats_are_fine(void **unused)
{
    (void)unused;
    const int64_t n[1][3] = {{6, 5, 4}};
    test_grid grid = test_grid_create(1, n, steep_vertex);
    for (int is_step = 0; is_step < 2; is_step++) {
        render_transfer *transfer = steep_transfer(is_step);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            cuts_check(
                &grid, transfer, seed, 1e-5,
                (render_style){.trilinear = seed % 3 == 0, .quadratic = seed % 3 == 1});
        }
        render_transfer_destroy(&transfer);
    }
    test_grid_destroy(&grid);
}

/* Half of the values are near the end of float32, the others about 1: as in a field with
 * undeclared fill values, or, with `largest`, in one whose range is all that there is. */
static double largest;

static bool extreme_vertex(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3], double *scalar)
{
    const double fills[] = {FLT_MAX, -FLT_MAX, 1.6e38, -1.6e38, 9.96921e36, 0.0};
    (void)block;
    uint64_t state = 1 + (uint64_t)(at[0] + n[0] * (at[1] + n[1] * at[2]));
    random_bits(&state);
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis];
    }
    *scalar = largest * random_between(&state, -1.0, 1.0);
    if (random_below(&state, 2) == 0) {
        *scalar = fills[random_below(&state, 6)];
    }
    return true;
}

static void boxes_add_up_near_the_end_of_float32(void **unused)
{
    (void)unused;
    const double colors[2][4] = {{0.0, 0.9, 0.2, 0.1}, {1.0, 0.1, 0.7, 0.9}};
    const double opacities[3][2] = {{0.0, 0.1}, {0.4, 0.8}, {1.0, 0.3}};
    const int64_t n[1][3] = {{6, 5, 4}};
    for (int is_all = 0; is_all < 2; is_all++) {
        largest = is_all ? FLT_MAX : 1.0;
        test_grid grid = test_grid_create(1, n, extreme_vertex);
        const render_transfer_points points = {.ncolors = 2,
                                               .colors = colors,
                                               .nopacities = 3,
                                               .opacities = opacities,
                                               .range = {-largest, largest},
                                               .unit_length = 2.0};
        render_transfer *transfer = NULL;
        assert_int_equal(render_transfer_create(&points, &transfer), STATUS_OK);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            cuts_check(
                &grid, transfer, seed, 1e-5,
                (render_style){.trilinear = seed % 3 == 0, .quadratic = seed % 3 == 1});
        }
        render_transfer_destroy(&transfer);
        test_grid_destroy(&grid);
    }
}

/* The same number everywhere, in vertices: rounding must not carry it to infinity. */
static bool largest_vertex(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3], double *scalar)
{
    (void)block;
    (void)n;
    for (int axis = 0; axis < 3; axis++) {
        xyz[axis] = (double)at[axis] * 0.7;
    }
    *scalar = largest;
    return true;
}

static void the_largest_number_is_a_number(void **unused)
{
    (void)unused;
    render_transfer *transfer = picture_transfer_constant(0.25);
    const int64_t n[1][3] = {{6, 5, 4}};
    for (int sign = -1; sign <= 1; sign += 2) {
        largest = sign * (double)FLT_MAX;
        test_grid grid = test_grid_create(1, n, largest_vertex);
        for (uint64_t seed = 1; seed <= 6; seed++) {
            uint64_t state = seed;
            picture p = picture_of(
                &grid, transfer,
                picture_view_random(&state, shape_center(&grid), shape_radius(&grid)),
                CUTS_SIDE);
            p.style.trilinear = seed % 3 == 0;
            p.style.quadratic = seed % 3 == 1;
            render_counters counters;
            image *img = picture_draw(&p, &counters);
            check_count("cells that are no numbers", seed, 0, counters.nan_cells);
            image_destroy(&img);
        }
        test_grid_destroy(&grid);
    }
    render_transfer_destroy(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_add_up_on_a_flank_as_steep_as_floats_are_fine),
        cmocka_unit_test(boxes_add_up_near_the_end_of_float32),
        cmocka_unit_test(the_largest_number_is_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

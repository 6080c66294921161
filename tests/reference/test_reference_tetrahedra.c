/* Exact segments and tetrahedra: closed forms, and the reference renderer. */
#include "reference/segment.h"
#include "reference/tetrahedra.h"

#include "unit/render/check.h"

#include <stdlib.h>

static const double white[1][4] = {{0.0, 1.0, 1.0, 1.0}};

/* A triangle of extinction 0.002 wide: its area is 0.001 times the height. */
static const double spike[5][2] = {
    {0.0, 0.0}, {0.499, 0.0}, {0.5, 300.0}, {0.501, 0.0}, {1.0, 0.0}};

static reference_transfer transfer_of(int count, const double (*extinction)[2])
{
    return (reference_transfer){.ncolors = 1,
                                .colors = white,
                                .nopacities = count,
                                .opacities = extinction,
                                .opacities_are_extinction = true,
                                .positions_are_data = true,
                                .unit_length = 1.0};
}

static void a_spike_counts_with_its_area(void **unused)
{
    (void)unused;
    reference_transfer transfer = transfer_of(5, spike);
    const double both[2][2] = {{0.2, 0.7}, {0.9, 0.4}};
    for (int n = 0; n < 2; n++) {
        reference_pixel pixel = {.transmittance = 1.0};
        reference_segment_add(&pixel, &transfer, both[n], 3.0);
        const double depth = 300.0 * 0.001 * 3.0 / 0.5;
        check_near("transmittance", (uint64_t)n, exp(-depth), pixel.transmittance, 1e-9);
        check_near("red", (uint64_t)n, 1.0 - exp(-depth), pixel.rgb[0], 1e-9);
    }
}

static void a_value_that_is_not_a_number_is_transparent(void **unused)
{
    (void)unused;
    reference_transfer transfer = transfer_of(5, spike);
    reference_pixel pixel = {.transmittance = 1.0};
    reference_segment_add(&pixel, &transfer, (const double[]){0.2, (double)NAN}, 3.0);
    check_near("transmittance", 0, 1.0, pixel.transmittance, 0.0);
}

/* A sheared box of 3 x 3 x 3 cells; the scalar is linear in space. */
static void make_box(reference_grid *grid)
{
    enum { SIDE = 4 };
    assert_int_equal(reference_grid_create(1, grid), STATUS_OK);
    reference_block *block = &grid->blocks[0];
    block->n[0] = block->n[1] = block->n[2] = SIDE;
    assert_int_equal(reference_block_allocate(block, false), STATUS_OK);
    for (int v = 0; v < SIDE * SIDE * SIDE; v++) {
        const double i = v % SIDE, j = v / SIDE % SIDE, k = v / (SIDE * SIDE);
        block->x[0][v] = (i + 0.3 * j) / 3.0;
        block->x[1][v] = (j + 0.2 * k) / 3.0;
        block->x[2][v] = k / 3.0;
        block->scalar[v] = 0.1 + 0.3 * block->x[0][v] + 0.4 * block->x[2][v];
    }
}

/* Without bends there is no difference between tetrahedra and trilinear cells. */
static void tetrahedra_of_straight_cells_look_as_the_cells(void **unused)
{
    (void)unused;
    reference_grid grid = {0};
    reference_locator *locator = NULL;
    reference_tetrahedra *tetrahedra = NULL;
    make_box(&grid);
    assert_int_equal(reference_locator_create(&grid, &locator), STATUS_OK);
    assert_int_equal(reference_tetrahedra_create(&grid, &tetrahedra), STATUS_OK);
    reference_scene scene = {.grid = &grid,
                             .locator = locator,
                             .transfer = transfer_of(5, spike),
                             .step = 0.01,
                             .exact_steps = true};
    int met = 0;
    for (int n = 0; n < 49; n++) {
        const vec3 eye = {{-2.0, -1.5, 2.5}};
        const vec3 target = {{0.1 + 0.15 * (n % 7), 0.1 + 0.15 * (n / 7.0), 0.5}};
        const vec3 way = vec3_sub(target, eye);
        const reference_ray ray = {eye, vec3_scale(way, 1.0 / vec3_length(way))};
        reference_pixel expected = reference_ray_render(&scene, ray), pixel;
        reference_meeting meeting;
        assert_int_equal(
            reference_tetrahedra_render(tetrahedra, &scene.transfer, ray, &pixel),
            STATUS_OK);
        assert_int_equal(reference_tetrahedra_meet(tetrahedra, ray, &meeting), STATUS_OK);
        check_near("length", (uint64_t)n, expected.length, pixel.length, 1e-6);
        check_near("transmittance", (uint64_t)n, expected.transmittance,
                   pixel.transmittance, 1e-6);
        check_count("runs", (uint64_t)n, expected.runs, meeting.runs);
        check_count("blocks", (uint64_t)n, expected.runs, (int64_t)meeting.blocks);
        met += expected.length > 0.5;
    }
    check_within("rays that meet the grid", 0, 20, 49, met);
    reference_tetrahedra_destroy(&tetrahedra);
    reference_locator_destroy(&locator);
    reference_grid_clear(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spike_counts_with_its_area),
        cmocka_unit_test(a_value_that_is_not_a_number_is_transparent),
        cmocka_unit_test(tetrahedra_of_straight_cells_look_as_the_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

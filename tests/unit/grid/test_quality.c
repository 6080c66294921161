/* The quality of cells of known shapes. */
#include "grid/quality.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

/* A hexahedron: a unit cube with x + shear y, scaled along its axes. */
static grid_quality_cell make_cell(double shear, double a, double b, double c)
{
    grid_quality_cell cell = {.flat_axis = -1};
    for (int n = 0; n < 8; n++) {
        const double y = n >> 1 & 1;
        cell.corner[n][0] = a * ((n & 1) + shear * y);
        cell.corner[n][1] = b * y;
        cell.corner[n][2] = c * (n >> 2);
    }
    return cell;
}

static void expect(grid_quality quality, const grid_quality_cell *cell, double expected)
{
    const double found = grid_quality_of(quality, cell);
    if (!(fabs(found - expected) <= 1e-14 * fmax(1.0, fabs(expected)))) {
        print_error("quality %d: expected %.17g, got %.17g\n", quality, expected, found);
        fail();
    }
}

static void a_cube_is_best(void **unused)
{
    (void)unused;
    const grid_quality_cell cube = make_cell(0.0, 1.0, 1.0, 1.0);
    expect(GRID_CELL_VOLUME, &cube, 1.0);
    expect(GRID_CELL_SKEWNESS, &cube, 0.0);
    expect(GRID_CELL_ASPECT_RATIO, &cube, 1.0);
}

static void lengths_and_angles_count(void **unused)
{
    (void)unused;
    const grid_quality_cell brick = make_cell(0.0, 2.0, 0.5, 4.0);
    expect(GRID_CELL_VOLUME, &brick, 4.0);
    expect(GRID_CELL_SKEWNESS, &brick, 0.0);
    expect(GRID_CELL_ASPECT_RATIO, &brick, 8.0);
    const grid_quality_cell sheared = make_cell(1.0, 1.0, 1.0, 1.0);
    expect(GRID_CELL_VOLUME, &sheared, 1.0);
    expect(GRID_CELL_SKEWNESS, &sheared, 0.5);
    expect(GRID_CELL_ASPECT_RATIO, &sheared, sqrt(2.0));
}

static void a_cell_that_is_turned_over_has_less_than_no_volume(void **unused)
{
    (void)unused;
    const grid_quality_cell turned = make_cell(0.0, -2.0, 1.0, 1.0);
    expect(GRID_CELL_VOLUME, &turned, -2.0);
    expect(GRID_CELL_SKEWNESS, &turned, 0.0);
}

/* The edges along i at j = 1 have no length: a prism with triangles of one right angle.
 */
static void collapsed_edges_make_triangles(void **unused)
{
    (void)unused;
    grid_quality_cell prism = make_cell(0.0, 1.0, 1.0, 1.0);
    for (int n = 0; n < 8; n++) {
        prism.corner[n][0] = n >> 1 & 1 ? 0.0 : prism.corner[n][0];
    }
    expect(GRID_CELL_VOLUME, &prism, 0.5);
    expect(GRID_CELL_SKEWNESS, &prism, 0.25);
    expect(GRID_CELL_ASPECT_RATIO, &prism, 0.5 * (1.0 + sqrt(2.0)) / 0.5);
}

static void a_sheet_has_an_area(void **unused)
{
    (void)unused;
    grid_quality_cell sheet = make_cell(0.0, 3.0, 2.0, 1e-3);
    sheet.flat_axis = 2;
    expect(GRID_CELL_VOLUME, &sheet, 6.0);
    expect(GRID_CELL_SKEWNESS, &sheet, 0.0);
    expect(GRID_CELL_ASPECT_RATIO, &sheet, 1.5);
}

static void a_point_has_no_ratio(void **unused)
{
    (void)unused;
    const grid_quality_cell point = make_cell(0.0, 0.0, 0.0, 0.0);
    expect(GRID_CELL_VOLUME, &point, 0.0);
    expect(GRID_CELL_SKEWNESS, &point, 1.0);
    assert_true(isnan(grid_quality_of(GRID_CELL_ASPECT_RATIO, &point)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_is_best),
        cmocka_unit_test(lengths_and_angles_count),
        cmocka_unit_test(a_cell_that_is_turned_over_has_less_than_no_volume),
        cmocka_unit_test(collapsed_edges_make_triangles),
        cmocka_unit_test(a_sheet_has_an_area),
        cmocka_unit_test(a_point_has_no_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

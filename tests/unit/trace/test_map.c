/* The trilinear map of a cell and its inverse, on sound, extreme and broken cells. */
#include "../render/check.h"
#include "support/random.h"

#include "trace/map.h"

#include <string.h>

enum { TRIALS = 2000 };

/* The unit cube with corners moved at random, stretched and sheared; a mirror image where
 * `mirrored`. */
static void make_cell(uint64_t *state, double jitter, const double stretch[3],
                      bool mirrored, double corner[8][3])
{
    const double shear = random_between(state, -1.0, 1.0);
    for (int n = 0; n < 8; n++) {
        double at[3] = {n & 1, n >> 1 & 1, n >> 2};
        for (int axis = 0; axis < 3; axis++) {
            at[axis] += random_between(state, -jitter, jitter);
            at[axis] *= stretch[axis];
        }
        corner[n][0] = 7.0 + (mirrored ? -at[0] : at[0]) + shear * at[1];
        corner[n][1] = -3.0 + at[1];
        corner[n][2] = 1.0 + at[2] + 0.3 * shear * at[0];
    }
}

static void point_in_cell(const double corner[8][3], const double local[3], double x[3])
{
    const double zero[3] = {0.0, 0.0, 0.0};
    trace_map map;
    trace_map_create(corner, zero, &map);
    trace_map_point(&map, local, x);
}

static void check_inverse(const double corner[8][3], uint64_t seed, const double local[3])
{
    double x[3], found[3];
    trace_map map;
    point_in_cell(corner, local, x);
    trace_map_create(corner, x, &map);
    check_count("fit", seed, TRACE_INSIDE, (int64_t)trace_map_invert(&map, found));
    for (int axis = 0; axis < 3; axis++) {
        check_near("local coordinate", seed, local[axis], found[axis], 1e-7);
    }
}

static void try_cells(double jitter, double thin)
{
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        uint64_t state = seed;
        const double stretch[3] = {1.0, seed % 3 == 0 ? thin : 1.0, thin};
        double corner[8][3];
        make_cell(&state, jitter, stretch, seed % 2 == 0, corner);
        const double local[3] = {random_between(&state, 0.0, 1.0),
                                 random_between(&state, 0.0, 1.0),
                                 random_between(&state, 0.0, 1.0)};
        check_inverse(corner, seed, local);
    }
}

static void points_are_found_in_warped_cells(void **state)
{
    (void)state;
    try_cells(0.15, 1.0);
}

static void points_are_found_in_cells_ten_thousand_times_as_long_as_thick(void **state)
{
    (void)state;
    try_cells(0.1, 1e-4);
}

static void points_outside_show_the_way(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        uint64_t bits = seed;
        const double stretch[3] = {1.0, 1e-2, 1.0};
        double corner[8][3], x[3], found[3];
        make_cell(&bits, 0.05, stretch, false, corner);
        double local[3] = {0.5, 0.5, 0.5};
        const int axis = random_below(&bits, 3), side = random_below(&bits, 2);
        local[axis] =
            side ? random_between(&bits, 1.1, 1.6) : random_between(&bits, -0.6, -0.1);
        trace_map map;
        point_in_cell(corner, local, x);
        trace_map_create(corner, x, &map);
        int along, where;
        check_count("fit", seed, TRACE_OUTSIDE, (int64_t)trace_map_invert(&map, found));
        trace_map_excess(found, &along, &where);
        check_count("axis", seed, axis, along);
        check_count("side", seed, side, where);
    }
}

/* A wedge: the corners at i = 0 coincide along j. */
static void points_are_found_in_cells_with_collapsed_faces(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        uint64_t bits = seed;
        const double stretch[3] = {1.0, 1.0, 1.0};
        double corner[8][3], x[3], again[3], local[3], found[3];
        make_cell(&bits, 0.1, stretch, false, corner);
        memcpy(corner[2], corner[0], sizeof corner[0]);
        memcpy(corner[6], corner[4], sizeof corner[4]);
        for (int axis = 0; axis < 3; axis++) {
            local[axis] = random_between(&bits, 0.0, 1.0);
        }
        local[0] = seed % 4 == 0 ? 0.0 : local[0]; /* on the pole itself */
        trace_map map;
        point_in_cell(corner, local, x);
        trace_map_create(corner, x, &map);
        check_count("fit", seed, TRACE_INSIDE, (int64_t)trace_map_invert(&map, found));
        point_in_cell(corner, found, again);
        for (int axis = 0; axis < 3; axis++) {
            check_near("point", seed, x[axis], again[axis], 1e-6);
        }
    }
}

static void a_cell_without_volume_has_no_point_but_its_own(void **state)
{
    (void)state;
    double corner[8][3] = {{0}}, local[3], cells[3];
    for (int n = 0; n < 8; n++) {
        corner[n][0] = n & 1;
        corner[n][1] = n >> 1 & 1;
    }
    const double about[3] = {0.5, 0.5, 0.25}, up[3] = {0.0, 0.0, 1.0};
    trace_map map;
    trace_map_create((const double(*)[3])corner, about, &map);
    assert_true(trace_map_invert(&map, local) != TRACE_INSIDE);
    assert_false(trace_map_pull(&map, local, up, cells));
}

static void directions_come_out_in_cells(void **state)
{
    (void)state;
    uint64_t bits = 5;
    const double stretch[3] = {2.0, 0.5, 4.0}, zero[3] = {0.0, 0.0, 0.0};
    double corner[8][3], cells[3];
    trace_map map;
    make_cell(&bits, 0.0, stretch, false, corner);
    trace_map_create((const double(*)[3])corner, zero, &map);
    const double middle[3] = {0.5, 0.5, 0.5};
    /* Along j of the cell: from corner 0 to corner 2, three times. */
    const double way[3] = {3.0 * (corner[2][0] - corner[0][0]),
                           3.0 * (corner[2][1] - corner[0][1]),
                           3.0 * (corner[2][2] - corner[0][2])};
    assert_true(trace_map_pull(&map, middle, way, cells));
    check_near("i", 5, 0.0, cells[0], 1e-12);
    check_near("j", 5, 3.0, cells[1], 1e-12);
    check_near("k", 5, 0.0, cells[2], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_found_in_warped_cells),
        cmocka_unit_test(points_are_found_in_cells_ten_thousand_times_as_long_as_thick),
        cmocka_unit_test(points_outside_show_the_way),
        cmocka_unit_test(points_are_found_in_cells_with_collapsed_faces),
        cmocka_unit_test(a_cell_without_volume_has_no_point_but_its_own),
        cmocka_unit_test(directions_come_out_in_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

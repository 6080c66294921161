/* Points and the cells that they are in: walking and searching. */
#include "../render/check.h"
#include "flow.h"
#include "support/random.h"

#include "trace/locate.h"

#include <string.h>

enum { TRIALS = 500 };

static trace_locator *locator_of(const flow *f)
{
    trace_locator *locator = NULL;
    assert_int_equal(trace_locator_create(f->store, &locator), STATUS_OK);
    return locator;
}

static trace_cell random_cell(const flow *f, int block, uint64_t *state)
{
    trace_cell cell = {.block = block};
    for (int axis = 0; axis < 3; axis++) {
        const int cells = (int)f->layout->blocks[block].n[axis] - 1;
        cell.at[axis] = random_below(state, cells);
    }
    return cell;
}

/* The point at local coordinates of a cell. */
static void point_of(const flow *f, const trace_cell *cell, const double local[3],
                     double x[3])
{
    const double zero[3] = {0.0, 0.0, 0.0};
    double xyz[8][3];
    trace_corners corners;
    trace_map map;
    assert_int_equal(trace_cell_look(f->store, cell, &corners), TRACE_PRESENT);
    trace_corners_get(f->store, &corners, xyz);
    trace_map_create((const double(*)[3])xyz, zero, &map);
    trace_map_point(&map, local, x);
}

/* A random point in a cell, away from its faces. */
static void random_point(const flow *f, const trace_cell *cell, uint64_t *state,
                         double x[3])
{
    double local[3];
    for (int axis = 0; axis < 3; axis++) {
        local[axis] = random_between(state, 0.01, 0.99);
    }
    point_of(f, cell, local, x);
}

static void check_cell(uint64_t seed, const trace_cell *expected,
                       const trace_cell *actual)
{
    check_count("block", seed, expected->block, actual->block);
    for (int axis = 0; axis < 3; axis++) {
        check_count("index", seed, expected->at[axis], actual->at[axis]);
    }
}

/* Looks for random points of a block from random cells of it. */
static void find_random_points(const flow *f, bool walking)
{
    trace_locator *locator = locator_of(f);
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        uint64_t state = seed;
        int64_t needed = -1;
        double x[3];
        const int block = random_below(&state, f->layout->nblocks);
        const trace_cell from = random_cell(f, block, &state);
        const trace_cell to = random_cell(f, block, &state);
        random_point(f, &to, &state, x);
        trace_place place = walking ? trace_place_from(&from) : trace_place_anywhere();
        check_count("found", seed, TRACE_FOUND,
                    (int64_t)trace_locate(locator, x, &place, &needed));
        check_cell(seed, &to, &place.cell);
    }
    trace_locator_destroy(&locator);
}

static void walks_end_in_the_right_cell_of_a_warped_ring(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{12, 50, 20}};
    flow f = flow_create(1, n, flow_warped_ring, 1, 0);
    f.layout->blocks[0].closed[1] = true;
    find_random_points(&f, true);
    flow_destroy(&f);
}

static void searches_end_in_the_right_cell_of_a_warped_ring(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{12, 50, 20}};
    flow f = flow_create(1, n, flow_warped_ring, 1, 0);
    find_random_points(&f, false);
    flow_destroy(&f);
}

/* From the last cell before the seam to the first behind it takes one step. */
static void walks_cross_the_seam(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{6, 33, 5}};
    flow f = flow_create(1, n, flow_warped_ring, 1, 0);
    f.layout->blocks[0].closed[1] = true;
    trace_locator *locator = locator_of(&f);
    for (int side = 0; side < 2; side++) {
        uint64_t bits = 77;
        int64_t needed;
        double x[3];
        const trace_cell ends[2] = {{0, {2, 31, 2}}, {0, {2, 0, 2}}};
        random_point(&f, &ends[side], &bits, x);
        trace_place place = trace_place_from(&ends[1 - side]);
        assert_int_equal(trace_locate(locator, x, &place, &needed), TRACE_FOUND);
        check_cell(77, &ends[side], &place.cell);
        check_count("steps", 77, 1, place.walked);
    }
    trace_locator_destroy(&locator);
    flow_destroy(&f);
}

static void points_of_the_other_block_are_found(void **state)
{
    (void)state;
    const int64_t n[2][3] = {{9, 20, 6}, {18, 7, 5}};
    flow f = flow_create(2, n, flow_boxes, 1, 0);
    trace_locator *locator = locator_of(&f);
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        uint64_t bits = seed;
        int64_t needed;
        double x[3];
        const int block = random_below(&bits, 2);
        const trace_cell from = random_cell(&f, 1 - block, &bits);
        const trace_cell to = random_cell(&f, block, &bits);
        random_point(&f, &to, &bits, x);
        trace_place place = trace_place_from(&from);
        check_count("found", seed, TRACE_FOUND,
                    (int64_t)trace_locate(locator, x, &place, &needed));
        check_cell(seed, &to, &place.cell);
    }
    trace_locator_destroy(&locator);
    flow_destroy(&f);
}

/* If blocks share a face, a point on it belongs to the block that goes first. */
static void the_block_that_goes_first_wins(void **state)
{
    (void)state;
    const int64_t n[2][3] = {{9, 9, 9}, {9, 9, 9}};
    const double x[3] = {1.0, 0.4, 0.7};
    flow f = flow_create(2, n, flow_boxes, 1, 0);
    for (int first = 0; first < 2; first++) {
        int64_t needed;
        f.layout->blocks[0].priority = first;
        f.layout->blocks[1].priority = 1 - first;
        trace_locator *locator = locator_of(&f);
        trace_place place = trace_place_anywhere();
        assert_int_equal(trace_locate(locator, x, &place, &needed), TRACE_FOUND);
        check_count("block", 0, first, place.cell.block);
        trace_locator_destroy(&locator);
    }
    flow_destroy(&f);
}

/* The box with its middle vertex blanked: eight cells are absent. */
static bool box_with_hole(int block, const int64_t at[3], const int64_t n[3],
                          double xyz[3])
{
    flow_boxes(block, at, n, xyz);
    return at[0] != 4 || at[1] != 4 || at[2] != 4;
}

static void points_in_holes_and_outside_are_nowhere(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{9, 9, 9}};
    const double points[5][3] = {
        {0.5, 0.5, 0.5}, {0.4, 0.6, 0.45}, {1.1, 0.5, 0.5}, {0.5, -1e-3, 0.5}, {9, 9, 9}};
    flow f = flow_create(1, n, box_with_hole, 1, 0);
    trace_locator *locator = locator_of(&f);
    for (int p = 0; p < 5; p++) {
        int64_t needed;
        const trace_cell from = {0, {0, 1, 7}};
        trace_place place = trace_place_from(&from);
        check_count("found from a cell", (uint64_t)p, TRACE_NOWHERE,
                    (int64_t)trace_locate(locator, points[p], &place, &needed));
        place = trace_place_anywhere();
        check_count("found", (uint64_t)p, TRACE_NOWHERE,
                    (int64_t)trace_locate(locator, points[p], &place, &needed));
    }
    trace_locator_destroy(&locator);
    flow_destroy(&f);
}

/* Two boxes with a gap of 2 % of a cell between them. */
static bool boxes_with_gap(int block, const int64_t at[3], const int64_t n[3],
                           double xyz[3])
{
    flow_boxes(block, at, n, xyz);
    xyz[0] += block * 0.02 / 8.0;
    return true;
}

static void a_small_gap_between_blocks_is_bridged(void **state)
{
    (void)state;
    const int64_t n[2][3] = {{9, 9, 9}, {9, 9, 9}};
    const double x[3] = {1.001, 0.45, 0.7};
    int64_t needed;
    flow f = flow_create(2, n, boxes_with_gap, 1, 0);
    trace_locator *locator = locator_of(&f);
    const trace_cell from = {0, {7, 3, 5}};
    trace_place place = trace_place_from(&from);
    assert_int_equal(trace_locate(locator, x, &place, &needed), TRACE_FOUND);
    check_count("block", 0, 1, place.cell.block);
    place = trace_place_anywhere();
    assert_int_equal(trace_locate(locator, x, &place, &needed), TRACE_NOWHERE);
    trace_locator_destroy(&locator);
    flow_destroy(&f);
}

/* Cells 10^4 times as long as thick around a cylinder. */
static bool wall_ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3])
{
    flow_ring(block, at, n, xyz);
    const double u = (double)at[0] / (double)(n[0] - 1);
    const double radius = sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1]);
    const double wanted = 1.0 + 1e-4 * u;
    xyz[0] *= wanted / radius;
    xyz[1] *= wanted / radius;
    return true;
}

static void walks_end_in_the_right_cell_at_a_wall(void **state)
{
    (void)state;
    const int64_t n[1][3] = {{6, 64, 4}};
    flow f = flow_create(1, n, wall_ring, 1, 0);
    f.layout->blocks[0].closed[1] = true;
    find_random_points(&f, true);
    find_random_points(&f, false);
    flow_destroy(&f);
}

/* A rank that holds a part says which brick must go on. The rank with that brick ends up
 * at the same place as a rank that holds everything. */
static void parts_hand_on_what_they_do_not_hold(void **state)
{
    (void)state;
    enum { PARTS = 3 };
    const int64_t n[1][3] = {{12, 50, 20}};
    flow whole = flow_create(1, n, flow_warped_ring, 1, 0), part[PARTS];
    trace_locator *all = locator_of(&whole), *own[PARTS];
    for (int p = 0; p < PARTS; p++) {
        part[p] = flow_create(1, n, flow_warped_ring, PARTS, p);
        own[p] = locator_of(&part[p]);
    }
    int64_t handed = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        uint64_t bits = seed;
        int64_t needed = -1;
        double x[3];
        const trace_cell from = random_cell(&whole, 0, &bits);
        const trace_cell to = random_cell(&whole, 0, &bits);
        random_point(&whole, &to, &bits, x);
        trace_place expected = trace_place_from(&from), place = expected;
        assert_int_equal(trace_locate(all, x, &expected, &needed), TRACE_FOUND);
        int p = 0;
        while (trace_locate(own[p], x, &place, &needed) == TRACE_AWAY) {
            for (p = 0; part[p].store->slot[needed] < 0; p++) {
            }
            handed++;
        }
        assert_memory_equal(&expected, &place, sizeof place);
    }
    assert_true(handed > TRIALS / 4);
    for (int p = 0; p < PARTS; p++) {
        trace_locator_destroy(&own[p]);
        flow_destroy(&part[p]);
    }
    trace_locator_destroy(&all);
    flow_destroy(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_end_in_the_right_cell_of_a_warped_ring),
        cmocka_unit_test(searches_end_in_the_right_cell_of_a_warped_ring),
        cmocka_unit_test(walks_cross_the_seam),
        cmocka_unit_test(points_of_the_other_block_are_found),
        cmocka_unit_test(the_block_that_goes_first_wins),
        cmocka_unit_test(points_in_holes_and_outside_are_nowhere),
        cmocka_unit_test(a_small_gap_between_blocks_is_bridged),
        cmocka_unit_test(walks_end_in_the_right_cell_at_a_wall),
        cmocka_unit_test(parts_hand_on_what_they_do_not_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

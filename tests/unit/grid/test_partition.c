/* The k-d partition: boxes fill space, order is right from everywhere, parts are
 * balanced. */
#include "grid/partition/partition.h"

#include "support/bricks.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64, MANY_POINTS = 50 };

static const uint64_t first_seed = 20240607;

/* ---- layouts ---------------------------------------------------------------------- */

/* A layout of bx x by x bz bricks without cells. */
static grid_layout *create_empty(int bx, int by, int bz)
{
    grid_block block = {.name = "block", .n = {16 * bx + 1, 16 * by + 1, 16 * bz + 1}};
    grid_layout *layout = NULL;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    return layout;
}

static void set_brick(grid_layout *layout, int64_t number, const float lo[3],
                      const float hi[3], int32_t cells)
{
    grid_brick_info *brick = &layout->bricks[number];
    memcpy(brick->lo, lo, sizeof brick->lo);
    memcpy(brick->hi, hi, sizeof brick->hi);
    brick->cells = cells;
    layout->bounds = box3_union(layout->bounds, grid_brick_bounds(brick));
}

/* Bricks side by side, each 2 x 1 x 0.5 in size. */
static grid_layout *create_uniform(int bx, int by, int bz)
{
    grid_layout *layout = create_empty(bx, by, bz);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        grid_brick_place place = grid_layout_place(layout, number);
        float lo[3], hi[3];
        for (int axis = 0; axis < 3; axis++) {
            float side = 2.0f / (float)(1 << axis);
            lo[axis] = side * (float)(place.lo[axis] / 16);
            hi[axis] = lo[axis] + side;
        }
        set_brick(layout, number, lo, hi, 4096);
    }
    return layout;
}

/* Overlapping bricks of all sizes, some of them flat, some without cells. */
static grid_layout *create_random(uint64_t seed)
{
    grid_layout *layout = create_empty(4, 3, 2);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        float lo[3], hi[3];
        for (int axis = 0; axis < 3; axis++) {
            lo[axis] = (float)random_between(&seed, -1.0, 1.0);
            bool flat = random_below(&seed, 5) == 0;
            hi[axis] = lo[axis] + (flat ? 0.0f : (float)random_between(&seed, 0.0, 1.0));
        }
        if (random_below(&seed, 6) > 0) {
            set_brick(layout, number, lo, hi, 1 + random_below(&seed, 4096));
        }
    }
    return layout;
}

/* All bricks in the plane z = 0.5, or on one point. */
static grid_layout *create_thin(bool point)
{
    grid_layout *layout = create_empty(3, 3, 1);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        float x = point ? 0.25f : 0.5f * (float)(number % 3), side = point ? 0.0f : 0.5f;
        float y = point ? 0.25f : 0.5f * (float)(number / 3);
        set_brick(layout, number, (const float[3]){x, y, 0.5f},
                  (const float[3]){x + side, y + side, 0.5f}, 4096);
    }
    return layout;
}

enum { LAYOUTS = 7 };

/* One of the layouts that everything is tried on. */
static grid_layout *create_layout(int which)
{
    switch (which) {
    case 0:
        return create_uniform(4, 4, 4);
    case 1:
        return create_uniform(1, 1, 1);
    case 2:
        return create_empty(2, 2, 2);
    case 3:
        return create_thin(false);
    case 4:
        return create_thin(true);
    default:
        return create_random(first_seed + (uint64_t)which);
    }
}

static grid_partition *create_partition(const grid_layout *layout, int nparts)
{
    grid_partition *partition = NULL;
    assert_int_equal(grid_partition_create(layout, nparts, &partition), STATUS_OK);
    assert_int_equal(grid_partition_count(partition), nparts);
    return partition;
}

/* Calls `check` on the partition of every layout into 1 to MOST_PARTS parts. */
static void check_all(void (*check)(const grid_layout *layout,
                                    const grid_partition *partition, uint64_t seed))
{
    for (int which = 0; which < LAYOUTS; which++) {
        grid_layout *layout = create_layout(which);
        for (int nparts = 1; nparts <= MOST_PARTS; nparts++) {
            grid_partition *partition = create_partition(layout, nparts);
            check(layout, partition, first_seed + (uint64_t)(1000 * which + nparts));
            grid_partition_destroy(&partition);
            assert_null(partition);
        }
        grid_layout_destroy(&layout);
    }
}

/* ---- boxes ------------------------------------------------------------------------ */

static bool box_holds(box3 box, vec3 p)
{
    for (int axis = 0; axis < 3; axis++) {
        if (p.v[axis] < box.lo.v[axis] || p.v[axis] >= box.hi.v[axis]) {
            return false;
        }
    }
    return true;
}

/* A finite side of a random box along the axis, or 0: planes are where mistakes show. */
static double random_plane(const grid_partition *partition, int axis, uint64_t *seed)
{
    box3 box = grid_partition_box(partition,
                                  random_below(seed, grid_partition_count(partition)));
    return isfinite(box.lo.v[axis]) ? box.lo.v[axis] : 0.0;
}

/* A point in or near the grid, with some of its coordinates exactly on planes. */
static vec3 random_point(const grid_partition *partition, uint64_t *seed)
{
    vec3 p;
    for (int axis = 0; axis < 3; axis++) {
        bool on_plane = random_below(seed, 3) == 0;
        p.v[axis] = on_plane ? random_plane(partition, axis, seed)
                             : random_between(seed, -3.0, 9.0);
    }
    return p;
}

/* All boxes of a partition, so that looking for a part is quick. */
typedef struct box_list {
    int count;
    box3 boxes[MOST_PARTS];
} box_list;

static box_list list_boxes(const grid_partition *partition)
{
    box_list list = {.count = grid_partition_count(partition)};
    for (int part = 0; part < list.count; part++) {
        list.boxes[part] = grid_partition_box(partition, part);
    }
    return list;
}

/* The part that holds a point; fails unless exactly one does. */
static int find_part(const box_list *list, vec3 p, uint64_t seed)
{
    int found = 0, part = -1;
    for (int n = 0; n < list->count; n++) {
        if (box_holds(list->boxes[n], p)) {
            found++;
            part = n;
        }
    }
    if (found != 1) {
        fail_msg("point %.17g %.17g %.17g with %d parts: expected in 1 box, is in %d "
                 "(seed %llu)",
                 p.v[0], p.v[1], p.v[2], list->count, found, (unsigned long long)seed);
    }
    return part;
}

static void check_tiling(const grid_layout *layout, const grid_partition *partition,
                         uint64_t seed)
{
    (void)layout;
    const box_list list = list_boxes(partition);
    uint64_t state = seed;
    for (int n = 0; n < MANY_POINTS; n++) {
        find_part(&list, random_point(partition, &state), seed);
    }
}

static void every_point_lies_in_exactly_one_box(void **state)
{
    (void)state;
    check_all(check_tiling);
}

static void check_sides(const grid_layout *layout, const grid_partition *partition,
                        uint64_t seed)
{
    (void)layout;
    for (int part = 0; part < grid_partition_count(partition); part++) {
        box3 box = grid_partition_box(partition, part);
        for (int axis = 0; axis < 3; axis++) {
            double lo = box.lo.v[axis], hi = box.hi.v[axis];
            if (!(lo <= hi) || lo == (double)INFINITY || hi == -(double)INFINITY) {
                fail_msg("part %d: expected an ordered box, got %g to %g (seed %llu)",
                         part, lo, hi, (unsigned long long)seed);
            }
        }
    }
}

static void boxes_are_ordered_and_only_outwards_infinite(void **state)
{
    (void)state;
    check_all(check_sides);
}

static void one_part_owns_all_of_space(void **state)
{
    (void)state;
    grid_layout *layout = create_uniform(2, 2, 2);
    grid_partition *partition = create_partition(layout, 1);
    box3 box = grid_partition_box(partition, 0);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(isinf(box.lo.v[axis]) && box.lo.v[axis] < 0.0);
        assert_true(isinf(box.hi.v[axis]) && box.hi.v[axis] > 0.0);
    }
    int order = -1;
    grid_partition_order(partition, vec3_make(1, 2, 3), true, &order);
    assert_int_equal(order, 0);
    grid_partition_destroy(&partition);
    grid_layout_destroy(&layout);
}

/* Whether a plane separates the parts [first, middle) from [middle, end). */
static bool is_separated(const grid_partition *partition, int first, int middle, int end)
{
    for (int axis = 0; axis < 3; axis++) {
        double left = -(double)INFINITY, right = (double)INFINITY;
        for (int part = first; part < end; part++) {
            box3 box = grid_partition_box(partition, part);
            if (part < middle) {
                left = fmax(left, box.hi.v[axis]);
            } else {
                right = fmin(right, box.lo.v[axis]);
            }
        }
        if (left <= right) {
            return true;
        }
    }
    return false;
}

static void check_numbering(const grid_layout *layout, const grid_partition *partition,
                            uint64_t seed)
{
    (void)layout;
    (void)seed;
    int end = grid_partition_count(partition);
    for (int first = 0; end - first > 1; end = first + (end - first) / 2) {
        assert_true(is_separated(partition, first, first + (end - first) / 2, end));
    }
}

static void neighbouring_numbers_lie_in_one_half_of_space(void **state)
{
    (void)state;
    check_all(check_numbering);
}

/* ---- order ------------------------------------------------------------------------ */

/* Follows a ray and fails where it meets parts in another order than `order` says. */
static void follow_ray(const box_list *list, const int *position, vec3 origin,
                       vec3 direction, uint64_t seed)
{
    int last = -1;
    for (int step = 0; step < 20; step++) {
        vec3 p = vec3_add(origin, vec3_scale(direction, 0.6 * step));
        int now = position[find_part(list, p, seed)];
        if (now < last) {
            fail_msg("%d parts, step %d of a ray: expected a position from %d on, got %d "
                     "(seed %llu)",
                     list->count, step, last, now, (unsigned long long)seed);
        }
        last = now;
    }
}

/* A direction with some components exactly zero, but not all. */
static vec3 random_direction(uint64_t *seed)
{
    vec3 d = vec3_make(0.0, 0.0, 0.0);
    while (vec3_length(d) == 0.0) {
        for (int axis = 0; axis < 3; axis++) {
            d.v[axis] =
                random_below(seed, 3) == 0 ? 0.0 : random_between(seed, -1.0, 1.0);
        }
    }
    return vec3_normalize(d);
}

static void find_positions(const grid_partition *partition, vec3 view, bool perspective,
                           int *position)
{
    int order[MOST_PARTS];
    int count = grid_partition_count(partition);
    grid_partition_order(partition, view, perspective, order);
    for (int part = 0; part < count; part++) {
        position[part] = -1;
    }
    for (int n = 0; n < count; n++) {
        assert_in_range(order[n], 0, count - 1);
        assert_int_equal(position[order[n]], -1);
        position[order[n]] = n;
    }
}

static void check_order(const grid_layout *layout, const grid_partition *partition,
                        uint64_t seed)
{
    (void)layout;
    if (grid_partition_count(partition) % 5 > 2) {
        return; /* three of five counts are enough, and keep this short */
    }
    uint64_t state = seed;
    int position[MOST_PARTS];
    const box_list list = list_boxes(partition);
    for (int view = 0; view < 4; view++) {
        vec3 eye = random_point(partition, &state), direction = random_direction(&state);
        bool perspective = view % 2 == 0;
        find_positions(partition, perspective ? eye : direction, perspective, position);
        for (int ray = 0; ray < 2; ray++) {
            vec3 d = perspective ? random_direction(&state) : direction;
            vec3 o = perspective ? eye : random_point(partition, &state);
            follow_ray(&list, position, o, d, seed);
        }
    }
}

static void rays_meet_the_parts_in_order(void **state)
{
    (void)state;
    check_all(check_order);
}

/* ---- balance ---------------------------------------------------------------------- */

/* Cells of a part where every brick's cells are spread evenly over its bounds. */
static double cells_inside(const grid_layout *layout, box3 box)
{
    double cells = 0.0;
    for (int64_t number = 0; number < layout->nbricks; number++) {
        const grid_brick_info *brick = &layout->bricks[number];
        double share = brick->cells;
        for (int axis = 0; axis < 3; axis++) {
            double lo = (double)brick->lo[axis], hi = (double)brick->hi[axis];
            double inside = fmin(hi, box.hi.v[axis]) - fmax(lo, box.lo.v[axis]);
            share *= fmax(inside, 0.0) / (hi - lo);
        }
        cells += share;
    }
    return cells;
}

static void check_balance(const grid_layout *layout, int nparts, double expected)
{
    grid_partition *partition = create_partition(layout, nparts);
    for (int part = 0; part < nparts; part++) {
        double cells = cells_inside(layout, grid_partition_box(partition, part));
        if (!(fabs(cells - expected) < 1e-6 * expected)) {
            fail_msg("part %d of %d: expected %g cells, got %g", part, nparts, expected,
                     cells);
        }
    }
    grid_partition_destroy(&partition);
}

static void parts_of_a_uniform_grid_have_equally_many_cells(void **state)
{
    (void)state;
    grid_layout *layout = create_uniform(5, 4, 3);
    for (int nparts = 1; nparts <= MOST_PARTS; nparts++) {
        check_balance(layout, nparts, 5.0 * 4.0 * 3.0 * 4096.0 / nparts);
    }
    grid_layout_destroy(&layout);
}

static void a_single_brick_is_shared_out_among_many_parts(void **state)
{
    (void)state;
    grid_layout *layout = create_uniform(1, 1, 1);
    for (int nparts = 1; nparts <= MOST_PARTS; nparts++) {
        check_balance(layout, nparts, 4096.0 / nparts);
    }
    grid_layout_destroy(&layout);
}

static void dense_regions_get_more_parts(void **state)
{
    (void)state;
    /* Bricks that shrink by a third towards one side, as at a wall. */
    grid_layout *layout = create_empty(8, 1, 1);
    float lo = 0.0f, side = 1.0f;
    for (int64_t number = 0; number < 8; number++) {
        set_brick(layout, number, (const float[3]){lo, 0.0f, 0.0f},
                  (const float[3]){lo + side, 0.1f, 0.1f}, 4096);
        lo += side;
        side *= 0.3f;
    }
    for (int nparts = 1; nparts <= MOST_PARTS; nparts++) {
        check_balance(layout, nparts, 8.0 * 4096.0 / nparts);
    }
    grid_layout_destroy(&layout);
}

/* Bricks side by side along x, of which some cost much more than others. A box of each
 * part has its share of the costs; bricks of no cost do not count. */
static void parts_share_costs(void **state)
{
    (void)state;
    grid_layout *layout = create_uniform(12, 1, 1);
    double weights[12], total = 0.0;
    for (int n = 0; n < 12; n++) {
        weights[n] = n < 4 ? 0.0 : n < 8 ? 10.0 : 1.0;
        total += weights[n];
    }
    for (int nparts = 1; nparts <= 5; nparts++) {
        grid_partition *partition = NULL;
        assert_int_equal(grid_partition_create_weighted(
                             layout, (grid_parts){.count = nparts}, weights, &partition),
                         STATUS_OK);
        for (int part = 0; part < nparts; part++) {
            const box3 box = grid_partition_box(partition, part);
            double share = 0.0;
            for (int n = 0; n < 12; n++) {
                const double lo = fmax((double)layout->bricks[n].lo[0], box.lo.v[0]);
                const double hi = fmin((double)layout->bricks[n].hi[0], box.hi.v[0]);
                const double width =
                    (double)layout->bricks[n].hi[0] - (double)layout->bricks[n].lo[0];
                share += weights[n] * fmax(hi - lo, 0.0) / width;
            }
            assert_true(fabs(share - total / nparts) < 1e-6 * total);
        }
        grid_partition_destroy(&partition);
    }
    grid_layout_destroy(&layout);
}

static void a_long_grid_is_cut_along_its_longest_side(void **state)
{
    (void)state;
    grid_layout *layout = create_uniform(4, 1, 1);
    grid_partition *partition = create_partition(layout, 2);
    box3 box = grid_partition_box(partition, 0);
    assert_true(box.hi.v[0] == 4.0);
    assert_true(isinf(box.hi.v[1]) && isinf(box.hi.v[2]));
    grid_partition_destroy(&partition);
    grid_layout_destroy(&layout);
}

static void the_same_layout_gives_the_same_partition(void **state)
{
    (void)state;
    grid_layout *layout = create_random(first_seed);
    grid_partition *a = create_partition(layout, 37), *b = create_partition(layout, 37);
    for (int part = 0; part < 37; part++) {
        box3 box_a = grid_partition_box(a, part), box_b = grid_partition_box(b, part);
        assert_memory_equal(&box_a, &box_b, sizeof box_a);
    }
    grid_partition_destroy(&a);
    grid_partition_destroy(&b);
    grid_layout_destroy(&layout);
}

/* ---- bricks of a part ------------------------------------------------------------- */

static bool is_listed(int64_t number, int64_t count, const int64_t *numbers)
{
    for (int64_t n = 0; n < count; n++) {
        if (numbers[n] == number) {
            return true;
        }
    }
    return false;
}

/* Whether a brick with cells and the box, both closed, come as near as rounding. */
static bool is_wanted(const grid_layout *layout, const grid_brick_info *brick, box3 box)
{
    const double margin =
        1e-5 * vec3_length(vec3_sub(layout->bounds.hi, layout->bounds.lo));
    bool meets = brick->cells > 0;
    for (int axis = 0; axis < 3; axis++) {
        meets = meets && (double)brick->lo[axis] - margin <= box.hi.v[axis] &&
                (double)brick->hi[axis] + margin >= box.lo.v[axis];
    }
    return meets;
}

static void check_bricks(const grid_layout *layout, const grid_partition *partition,
                         uint64_t seed)
{
    for (int part = 0; part < grid_partition_count(partition); part++) {
        box3 box = grid_partition_box(partition, part);
        int64_t count = -1, *numbers = test_bricks_meet(layout, box, &count);
        assert_non_null(numbers);
        for (int64_t number = 0; number < layout->nbricks; number++) {
            bool wanted = is_wanted(layout, &layout->bricks[number], box);
            if (wanted != is_listed(number, count, numbers)) {
                fail_msg("part %d, brick %d: expected %s (seed %llu)", part, (int)number,
                         wanted ? "listed" : "not listed", (unsigned long long)seed);
            }
        }
        for (int64_t n = 1; n < count; n++) {
            assert_true(numbers[n - 1] < numbers[n]);
        }
        free(numbers);
    }
}

static void a_part_lists_the_bricks_that_meet_its_box(void **state)
{
    (void)state;
    check_all(check_bricks);
}

/* Coordinates along rays are rounded to float32, those of boxes are not. */
static void a_part_beside_a_brick_by_rounding_has_the_brick(void **state)
{
    (void)state;
    grid_layout *layout = create_uniform(2, 2, 2);
    const box3 brick = grid_brick_bounds(&layout->bricks[0]);
    for (int axis = 0; axis < 3; axis++) {
        box3 box = box3_everything();
        box.lo.v[axis] = brick.hi.v[axis] + 1e-7;
        assert_true(grid_layout_brick_meets(layout, 0, box));
        box.lo.v[axis] = brick.hi.v[axis] + 1e-3;
        assert_false(grid_layout_brick_meets(layout, 0, box));
    }
    grid_layout_destroy(&layout);
}

static void a_part_far_away_has_no_bricks(void **state)
{
    (void)state;
    grid_layout *layout = create_uniform(2, 2, 2);
    box3 box = {vec3_make(50, 50, 50), vec3_make(60, 60, 60)};
    int64_t count = -1, *numbers = test_bricks_meet(layout, box, &count);
    assert_non_null(numbers);
    assert_int_equal(count, 0);
    free(numbers);
    grid_layout_destroy(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_lies_in_exactly_one_box),
        cmocka_unit_test(boxes_are_ordered_and_only_outwards_infinite),
        cmocka_unit_test(one_part_owns_all_of_space),
        cmocka_unit_test(neighbouring_numbers_lie_in_one_half_of_space),
        cmocka_unit_test(rays_meet_the_parts_in_order),
        cmocka_unit_test(parts_of_a_uniform_grid_have_equally_many_cells),
        cmocka_unit_test(a_single_brick_is_shared_out_among_many_parts),
        cmocka_unit_test(dense_regions_get_more_parts),
        cmocka_unit_test(parts_share_costs),
        cmocka_unit_test(a_long_grid_is_cut_along_its_longest_side),
        cmocka_unit_test(the_same_layout_gives_the_same_partition),
        cmocka_unit_test(a_part_lists_the_bricks_that_meet_its_box),
        cmocka_unit_test(a_part_beside_a_brick_by_rounding_has_the_brick),
        cmocka_unit_test(a_part_far_away_has_no_bricks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

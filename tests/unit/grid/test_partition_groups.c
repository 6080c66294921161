/* Parts of a group, for example the ranks of a node, have one subtree of the k-d tree. */
#include "grid/partition/cutter.h"
#include "grid/partition/partition.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 24, MOST_NUMBER = 101, VIEWS = 40, POINTS = 3000 };

/* ---- groups ------------------------------------------------------------------------ */

enum { BLOCKS, RAGGED, DEALT, RANDOM, KINDS };

/* Numbers of groups need not ascend, nor begin at 0. */
static void choose_groups(int kind, int count, uint64_t *seed, int *group)
{
    const int size = 1 + random_below(seed, 5);
    for (int part = 0; part < count; part++) {
        group[part] = kind == BLOCKS   ? 100 - part / size
                      : kind == RAGGED ? (part * part) / 7
                      : kind == DEALT  ? part % size
                                       : random_below(seed, 4);
    }
}

/* ---- layouts and clouds ------------------------------------------------------------ */

/* 6 x 5 x 4 bricks side by side, of different numbers of cells. */
static grid_layout *create_layout(uint64_t *seed)
{
    grid_block block = {.name = "block", .n = {16 * 6 + 1, 16 * 5 + 1, 16 * 4 + 1}};
    grid_layout *layout = NULL;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        const grid_brick_place place = grid_layout_place(layout, number);
        grid_brick_info *brick = &layout->bricks[number];
        for (int axis = 0; axis < 3; axis++) {
            brick->lo[axis] = (float)(place.lo[axis] / 16);
            brick->hi[axis] = brick->lo[axis] + 1.0f;
        }
        brick->cells = 1000 + random_below(seed, 3000);
    }
    return layout;
}

static grid_partition *cut_layout(grid_parts parts, uint64_t *seed)
{
    grid_layout *layout = create_layout(seed);
    grid_partition *partition = NULL;
    assert_int_equal(grid_partition_create_weighted(layout, parts, NULL, &partition),
                     STATUS_OK);
    grid_layout_destroy(&layout);
    return partition;
}

/* The points of a cube, all with the same weight. */
static grid_partition *cut_points(grid_parts parts, uint64_t *seed)
{
    const box3 cube = {vec3_make(0, 0, 0), vec3_make(6, 5, 4)};
    grid_cutter *cutter = NULL;
    grid_partition *partition = NULL;
    const uint64_t first = *seed;
    int count;
    assert_int_equal(grid_cutter_create(cube, parts, NULL, &cutter), STATUS_OK);
    while ((count = grid_cutter_begin(cutter)) > 0) {
        double *bins = calloc((size_t)count, sizeof *bins);
        *seed = first;
        for (int n = 0; n < POINTS; n++) {
            const double x = random_between(seed, 0.0, 6.0);
            const double y = random_between(seed, 0.0, 5.0);
            grid_cutter_add(cutter, vec3_make(x, y, random_between(seed, 0.0, 4.0)), 1.0,
                            bins);
        }
        grid_cutter_cut(cutter, bins);
        free(bins);
    }
    grid_cutter_finish(&cutter, &partition);
    return partition;
}

/* Runs on partitions of both kinds, for all kinds of groups. */
static void check_all(void (*check)(const grid_partition *partition, grid_parts parts,
                                    uint64_t *seed))
{
    uint64_t seed = 4711;
    for (int count = 1; count <= MOST_PARTS; count++) {
        for (int kind = 0; kind < KINDS; kind++) {
            int group[MOST_PARTS];
            choose_groups(kind, count, &seed, group);
            const grid_parts parts = {count, group};
            grid_partition *partitions[] = {cut_layout(parts, &seed),
                                            cut_points(parts, &seed)};
            for (int n = 0; n < 2; n++) {
                check(partitions[n], parts, &seed);
                grid_partition_destroy(&partitions[n]);
            }
        }
    }
}

/* ---- checks ------------------------------------------------------------------------ */

/* Fails where a group begins a second time. */
static void check_order(const int *order, grid_parts parts)
{
    bool has_ended[MOST_NUMBER] = {false};
    for (int n = 0; n < parts.count; n++) {
        const int key = parts.group[order[n]];
        assert_false(has_ended[key]);
        if (n + 1 < parts.count && parts.group[order[n + 1]] != key) {
            has_ended[key] = true;
        }
    }
}

static void check_views(const grid_partition *partition, grid_parts parts, uint64_t *seed)
{
    for (int n = 0; n < VIEWS; n++) {
        int order[MOST_PARTS];
        vec3 view;
        for (int axis = 0; axis < 3; axis++) {
            view.v[axis] = random_between(seed, -3.0, 8.0);
        }
        grid_partition_order(partition, view, n % 2 == 0, order);
        check_order(order, parts);
    }
}

static void groups_are_neighbours_in_every_view(void **state)
{
    (void)state;
    check_all(check_views);
}

static double volume_of(box3 box)
{
    const box3 cube = {vec3_make(0, 0, 0), vec3_make(6, 5, 4)};
    double volume = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        volume *= fmax(0.0, fmin(box.hi.v[axis], cube.hi.v[axis]) -
                                fmax(box.lo.v[axis], cube.lo.v[axis]));
    }
    return volume;
}

/* Cells lie nearly evenly in the cube. */
static void check_volumes(const grid_partition *partition, grid_parts parts,
                          uint64_t *seed)
{
    double sum = 0.0;
    (void)seed;
    for (int part = 0; part < parts.count; part++) {
        const double volume = volume_of(grid_partition_box(partition, part));
        assert_true(fabs(volume * parts.count / 120.0 - 1.0) < 0.5);
        sum += volume;
    }
    assert_true(fabs(sum - 120.0) < 1e-6);
}

static void parts_fill_space_and_are_alike(void **state)
{
    (void)state;
    check_all(check_volumes);
}

static void one_group_is_like_none(void **state)
{
    (void)state;
    static const int one[MOST_PARTS] = {0};
    for (int count = 1; count <= MOST_PARTS; count++) {
        uint64_t seeds[2] = {99, 99};
        grid_partition *a =
            cut_layout((grid_parts){.count = count, .group = one}, &seeds[0]);
        grid_partition *b = cut_layout((grid_parts){.count = count}, &seeds[1]);
        for (int part = 0; part < count; part++) {
            const box3 left = grid_partition_box(a, part);
            const box3 right = grid_partition_box(b, part);
            assert_memory_equal(&left, &right, sizeof left);
        }
        grid_partition_destroy(&a);
        grid_partition_destroy(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_neighbours_in_every_view),
        cmocka_unit_test(parts_fill_space_and_are_alike),
        cmocka_unit_test(one_group_is_like_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

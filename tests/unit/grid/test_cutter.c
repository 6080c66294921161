/* Partitions of points: every part has its share of the weight, however the points are
 * spread over ranks. */
#include "grid/partition/cutter.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 20000, OWNERS = 3, MOST_PARTS = 40 };

typedef struct cloud {
    vec3 at[POINTS];
    double weight[POINTS];
    box3 bounds;
} cloud;

/* Points of a box; of a thin bent sheet; of a few clusters, most of the weight in one. */
typedef enum cloud_kind { IN_A_BOX, ON_A_SHEET, IN_CLUSTERS, CLOUDS } cloud_kind;

static vec3 choose_point(cloud_kind kind, uint64_t *state)
{
    const double x = random_between(state, -3.0, 5.0);
    const double y = random_between(state, 0.0, 2.0);
    const double z = random_between(state, -1.0, 1.0);
    switch (kind) {
    case ON_A_SHEET:
        return vec3_make(x, sin(x) + 0.001 * y, z);
    case IN_CLUSTERS:
        return x < 3.0 ? vec3_make(0.01 * x, 0.01 * y, 0.01 * z)
                       : vec3_make(4.0 + 0.1 * x, y, z);
    default:
        return vec3_make(x, y, z);
    }
}

static cloud *make_cloud(cloud_kind kind)
{
    cloud *c = malloc(sizeof *c);
    uint64_t state = 77 + (uint64_t)kind;
    assert_non_null(c);
    c->bounds = box3_empty();
    for (int n = 0; n < POINTS; n++) {
        c->at[n] = choose_point(kind, &state);
        c->weight[n] = random_between(&state, 0.0, 1.0);
        c->bounds = box3_union(c->bounds, (box3){c->at[n], c->at[n]});
    }
    return c;
}

/* Cuts the points of `owners` owners, each of which adds up histograms of its own. */
static grid_partition *cut_seen(const cloud *c, int nparts, int owners,
                                const grid_sight *sight)
{
    grid_cutter *cutter = NULL;
    grid_partition *partition = NULL;
    int count;
    assert_int_equal(
        grid_cutter_create(c->bounds, (grid_parts){.count = nparts}, sight, &cutter),
        STATUS_OK);
    while ((count = grid_cutter_begin(cutter)) > 0) {
        double *all = calloc((size_t)count, sizeof *all);
        for (int owner = 0; owner < owners; owner++) {
            double *bins = calloc((size_t)count, sizeof *bins);
            for (int n = owner; n < POINTS; n += owners) {
                grid_cutter_add(cutter, c->at[n], c->weight[n], bins);
            }
            for (int n = 0; n < count; n++) {
                all[n] += bins[n];
            }
            free(bins);
        }
        grid_cutter_cut(cutter, all);
        free(all);
    }
    grid_cutter_finish(&cutter, &partition);
    return partition;
}

static grid_partition *cut(const cloud *c, int nparts, int owners)
{
    return cut_seen(c, nparts, owners, NULL);
}

static bool is_inside(box3 box, vec3 point)
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        inside =
            inside && point.v[axis] >= box.lo.v[axis] && point.v[axis] < box.hi.v[axis];
    }
    return inside;
}

/* Weights of all parts; every point lies in exactly one. */
static void weigh(const cloud *c, const grid_partition *partition, double *weights)
{
    const int nparts = grid_partition_count(partition);
    memset(weights, 0, (size_t)nparts * sizeof *weights);
    for (int n = 0; n < POINTS; n++) {
        int found = 0;
        for (int part = 0; part < nparts; part++) {
            if (is_inside(grid_partition_box(partition, part), c->at[n])) {
                weights[part] += c->weight[n];
                found++;
            }
        }
        assert_int_equal(found, 1);
    }
}

static double sum_of(const cloud *c)
{
    double sum = 0.0;
    for (int n = 0; n < POINTS; n++) {
        sum += c->weight[n];
    }
    return sum;
}

static void expect_shares(const grid_sight *sight)
{
    static const int counts[] = {1, 2, 3, 7, 16, 40};
    for (int kind = 0; kind < CLOUDS; kind++) {
        cloud *c = make_cloud((cloud_kind)kind);
        for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
            grid_partition *partition = cut_seen(c, counts[n], 1, sight);
            double weights[MOST_PARTS];
            weigh(c, partition, weights);
            const double mean = sum_of(c) / counts[n];
            for (int part = 0; part < counts[n]; part++) {
                /* Within an interval of a histogram weight counts as spread evenly. */
                assert_true(weights[part] > 0.85 * mean && weights[part] < 1.15 * mean);
            }
            grid_partition_destroy(&partition);
        }
        free(c);
    }
}

static void every_part_has_its_share(void **unused)
{
    (void)unused;
    const grid_sight parallel = {{{0.3, 0.4, -0.5}}, false, 0.01};
    const grid_sight from_a_point = {{{9.0, -1.0, 4.0}}, true, 0.001};
    const grid_sight from_within = {{{0.5, 1.0, 0.0}}, true, 0.001};
    expect_shares(NULL);
    expect_shares(&parallel);
    expect_shares(&from_a_point);
    expect_shares(&from_within);
}

/* ---- Which way boxes are cut ------------------------------------------------------- */

/* How many of the parts' boxes end along an axis. */
static int count_ends(const grid_partition *partition, int axis)
{
    int ends = 0;
    for (int part = 0; part < grid_partition_count(partition); part++) {
        const box3 box = grid_partition_box(partition, part);
        ends += isfinite(box.lo.v[axis]) || isfinite(box.hi.v[axis]);
    }
    return ends;
}

/* The cloud is 8 long, 2 wide and 2 high. */
static void boxes_are_not_cut_across_the_line_of_sight(void **unused)
{
    (void)unused;
    cloud *c = make_cloud(IN_A_BOX);
    const struct {
        grid_sight sight;
        int along; /* which axis */
    } cases[] = {
        {{{{1.0, 0.0, 0.0}}, false, 0.01}, 0},
        {{{{0.0, 0.0, -1.0}}, false, 0.01}, 2},
        {{{{-400.0, 1.0, 0.0}}, true, 1e-5}, 0},
        {{{{1.0, 500.0, 0.0}}, true, 1e-5}, 1},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        grid_partition *partition = cut_seen(c, 4, 1, &cases[n].sight);
        assert_int_equal(count_ends(partition, cases[n].along), 0);
        grid_partition_destroy(&partition);
    }
    free(c);
}

/* Cuts that are all seen from the side are as short as can be. */
static void cuts_that_are_not_seen_go_across_the_longest_side(void **unused)
{
    (void)unused;
    cloud *c = make_cloud(IN_A_BOX);
    const grid_sight from_above = {{{0.0, 0.0, -1.0}}, false, 0.01};
    grid_partition *seen = cut_seen(c, 4, 1, &from_above), *unseen = cut(c, 4, 1);
    assert_int_equal(count_ends(seen, 0), 4);
    assert_int_equal(count_ends(seen, 1), 0);
    assert_int_equal(count_ends(unseen, 0), 4);
    grid_partition_destroy(&seen);
    grid_partition_destroy(&unseen);
    /* At an angle, where pixels are so large that a cut's length counts most, across the
     * longest, too; else not. */
    const grid_sight coarse = {{{0.3, 0.0, -1.0}}, false, 10.0};
    grid_partition *rough = cut_seen(c, 4, 1, &coarse);
    assert_int_equal(count_ends(rough, 0), 4);
    grid_partition_destroy(&rough);
    const grid_sight fine = {{{0.3, 0.0, -1.0}}, false, 0.01};
    grid_partition *exact = cut_seen(c, 4, 1, &fine);
    assert_int_equal(count_ends(exact, 0), 0);
    grid_partition_destroy(&exact);
    free(c);
}

static void it_does_not_matter_who_has_the_points(void **unused)
{
    (void)unused;
    cloud *c = make_cloud(ON_A_SHEET);
    grid_partition *one = cut(c, 16, 1), *many = cut(c, 16, OWNERS);
    for (int part = 0; part < 16; part++) {
        const box3 a = grid_partition_box(one, part), b = grid_partition_box(many, part);
        for (int axis = 0; axis < 3; axis++) {
            /* Sums in another order differ in the last digits. */
            assert_true(a.lo.v[axis] == b.lo.v[axis] ||
                        fabs(a.lo.v[axis] - b.lo.v[axis]) < 1e-9);
            assert_true(a.hi.v[axis] == b.hi.v[axis] ||
                        fabs(a.hi.v[axis] - b.hi.v[axis]) < 1e-9);
        }
    }
    grid_partition_destroy(&one);
    grid_partition_destroy(&many);
    free(c);
}

/* No points, all at one place, none with a weight: still boxes that fill space. */
static void degenerate_points_make_a_partition(void **unused)
{
    (void)unused;
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (int weight = 0; weight < 2; weight++) {
        for (int n = 0; n < POINTS; n++) {
            c->weight[n] = weight;
        }
        grid_partition *partition = cut(c, 9, 1);
        double weights[MOST_PARTS];
        weigh(c, partition, weights);
        int order[9];
        grid_partition_order(partition, vec3_make(1.0, 2.0, 3.0), true, order);
        grid_partition_destroy(&partition);
    }
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_has_its_share),
        cmocka_unit_test(boxes_are_not_cut_across_the_line_of_sight),
        cmocka_unit_test(cuts_that_are_not_seen_go_across_the_longest_side),
        cmocka_unit_test(it_does_not_matter_who_has_the_points),
        cmocka_unit_test(degenerate_points_make_a_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

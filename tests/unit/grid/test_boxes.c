/* Walks through a tree of boxes find what a look at each box finds. */
#include "grid/boxes/boxes.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BOXES = 500, POINTS = 200 };

static double number(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) / 9007199254740992.0;
}

/* Some boxes are empty, and some are equal. */
static void make_boxes(uint64_t *state, box3 *boxes)
{
    for (int n = 0; n < BOXES; n++) {
        boxes[n] = n % 7 == 3 ? box3_empty() : (box3){0};
        for (int axis = 0; axis < 3 && n % 7 != 3; axis++) {
            boxes[n].lo.v[axis] = number(state);
            boxes[n].hi.v[axis] = boxes[n].lo.v[axis] + 0.2 * number(state);
        }
        boxes[n] = n % 11 == 10 ? boxes[n - 1] : boxes[n];
    }
}

typedef struct seen {
    const double *x;
    int count[BOXES];
} seen;

static bool holds(void *context, const box3 *bounds)
{
    return grid_boxes_distance(bounds, ((seen *)context)->x) == 0.0;
}

static void note(void *context, int64_t n)
{
    ((seen *)context)->count[n]++;
}

static bool is_inside(const box3 *box, const double x[3])
{
    bool is = true;
    for (int axis = 0; axis < 3; axis++) {
        is = is && x[axis] >= box->lo.v[axis] && x[axis] <= box->hi.v[axis];
    }
    return is;
}

static void a_walk_takes_each_box_that_it_enters_once(void **state)
{
    (void)state;
    uint64_t random = random_start(69, 0);
    static box3 boxes[BOXES];
    grid_boxes *tree = NULL;
    int found = 0;
    make_boxes(&random, boxes);
    assert_int_equal(grid_boxes_create(BOXES, boxes, &tree), STATUS_OK);
    for (int p = 0; p < POINTS; p++) {
        const double x[3] = {number(&random), number(&random), number(&random)};
        seen what = {.x = x};
        grid_boxes_walk(tree, x, &(grid_boxes_walker){holds, note, &what});
        for (int n = 0; n < BOXES; n++) {
            assert_int_equal(what.count[n], is_inside(&boxes[n], x));
            found += what.count[n];
        }
    }
    assert_true(found > POINTS / 4);
    grid_boxes_destroy(&tree);
}

static void a_tree_of_nothing_has_nothing(void **state)
{
    (void)state;
    const box3 empty = box3_empty();
    const double x[3] = {0.0, 0.0, 0.0};
    seen what = {.x = x};
    for (int count = 0; count < 2; count++) {
        grid_boxes *tree = NULL;
        assert_int_equal(grid_boxes_create(count, &empty, &tree), STATUS_OK);
        grid_boxes_walk(tree, x, &(grid_boxes_walker){holds, note, &what});
        assert_int_equal(what.count[0], 0);
        grid_boxes_destroy(&tree);
    }
}

static void distances_are_those_to_the_nearest_place(void **state)
{
    (void)state;
    const box3 box = {{{0.0, 0.0, 0.0}}, {{1.0, 2.0, 3.0}}};
    const double inside[3] = {0.5, 2.0, 0.0}, beside[3] = {-2.0, 1.0, 1.0},
                 corner[3] = {2.0, 4.0, 5.0};
    assert_true(grid_boxes_distance(&box, inside) == 0.0);
    assert_true(grid_boxes_distance(&box, beside) == 4.0);
    assert_true(grid_boxes_distance(&box, corner) == 9.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_takes_each_box_that_it_enters_once),
        cmocka_unit_test(a_tree_of_nothing_has_nothing),
        cmocka_unit_test(distances_are_those_to_the_nearest_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which block goes first where blocks overlap. */
#include "grid/priority.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

enum { BLOCKS = 3 };

/* Three blocks of one brick: coarse, fine and middling cells. */
static grid_layout *make_layout(void)
{
    static const char *const names[BLOCKS] = {"coarse", "fine", "middle"};
    static const float sizes[BLOCKS] = {9.0f, 1.0f, 3.0f};
    grid_block blocks[BLOCKS] = {0};
    for (int b = 0; b < BLOCKS; b++) {
        strcpy(blocks[b].name, names[b]);
        blocks[b].n[0] = blocks[b].n[1] = blocks[b].n[2] = 3;
    }
    grid_layout *layout;
    assert_int_equal(grid_layout_create(BLOCKS, blocks, &layout), STATUS_OK);
    for (int b = 0; b < BLOCKS; b++) {
        layout->bricks[b] =
            (grid_brick_info){{0.0f, 0.0f, 0.0f}, {sizes[b], sizes[b], sizes[b]}, 8};
    }
    return layout;
}

static void check_order(grid_layout *layout, int coarse, int fine, int middle)
{
    assert_int_equal(layout->blocks[0].priority, coarse);
    assert_int_equal(layout->blocks[1].priority, fine);
    assert_int_equal(layout->blocks[2].priority, middle);
    grid_layout_destroy(&layout);
}

static void finer_cells_go_first(void **unused)
{
    (void)unused;
    grid_layout *layout = make_layout();
    assert_int_equal(grid_layout_rank_blocks(layout, 0, NULL), STATUS_OK);
    check_order(layout, 2, 0, 1);
}

static void blocks_that_are_named_go_before_the_others(void **unused)
{
    (void)unused;
    grid_layout *layout = make_layout();
    char *names[] = {"coarse"};
    assert_int_equal(grid_layout_rank_blocks(layout, 1, names), STATUS_OK);
    check_order(layout, 0, 1, 2);
    layout = make_layout();
    char *all[] = {"middle", "coarse", "fine"};
    assert_int_equal(grid_layout_rank_blocks(layout, BLOCKS, all), STATUS_OK);
    check_order(layout, 1, 2, 0);
}

static void blocks_of_equal_cells_keep_their_order(void **unused)
{
    (void)unused;
    grid_layout *layout = make_layout();
    layout->bricks[1] = layout->bricks[2] = layout->bricks[0];
    assert_int_equal(grid_layout_rank_blocks(layout, 0, NULL), STATUS_OK);
    check_order(layout, 0, 1, 2);
}

static void names_that_mean_nothing_are_refused(void **unused)
{
    (void)unused;
    grid_layout *layout = make_layout();
    char *unknown[] = {"fine", "wing"}, *twice[] = {"fine", "fine"};
    assert_int_equal(grid_layout_rank_blocks(layout, 2, unknown), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "no block 'wing'"));
    base_fail_set_message("");
    assert_int_equal(grid_layout_rank_blocks(layout, 2, twice), STATUS_USAGE);
    assert_non_null(strstr(base_fail_message(), "has block 'fine' twice: name it once"));
    grid_layout_destroy(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finer_cells_go_first),
        cmocka_unit_test(blocks_that_are_named_go_before_the_others),
        cmocka_unit_test(blocks_of_equal_cells_keep_their_order),
        cmocka_unit_test(names_that_mean_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How blocks are cut into bricks. */
#include "grid/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static grid_block block_of(int64_t ni, int64_t nj, int64_t nk)
{
    return (grid_block){.name = "wake", .n = {ni, nj, nk}};
}

static grid_layout *create(int nblocks, const grid_block *blocks)
{
    grid_layout *layout = NULL;
    assert_int_equal(grid_layout_create(nblocks, blocks, &layout), STATUS_OK);
    return layout;
}

static void bricks_have_at_most_sixteen_cells_along_an_axis(void **state)
{
    (void)state;
    grid_block block = block_of(81, 41, 11);
    grid_layout *layout = create(1, &block);
    assert_int_equal(layout->blocks[0].bricks[0], 5);
    assert_int_equal(layout->blocks[0].bricks[1], 3);
    assert_int_equal(layout->blocks[0].bricks[2], 1);
    assert_int_equal(layout->nbricks, 15);
    grid_brick_place last = grid_layout_place(layout, 14);
    assert_int_equal(last.lo[0], 64);
    assert_int_equal(last.lo[1], 32);
    assert_int_equal(last.lo[2], 0);
    assert_int_equal(last.n[0], 16);
    assert_int_equal(last.n[1], 8);
    assert_int_equal(last.n[2], 10);
    grid_layout_destroy(&layout);
}

static void a_block_of_one_cell_is_one_brick(void **state)
{
    (void)state;
    grid_block block = block_of(2, 2, 2);
    grid_layout *layout = create(1, &block);
    assert_int_equal(layout->nbricks, 1);
    assert_int_equal(grid_layout_place(layout, 0).n[2], 1);
    assert_int_equal(grid_layout_vertices(layout), 8);
    grid_layout_destroy(&layout);
}

/* Adds one to `covered` for each cell of the brick. */
static void cover(const grid_layout *layout, int64_t number, int64_t first_cell,
                  uint8_t *covered)
{
    grid_brick_place place = grid_layout_place(layout, number);
    const int64_t *n = layout->blocks[place.block].n;
    for (int64_t k = place.lo[2]; k < place.lo[2] + place.n[2]; k++) {
        for (int64_t j = place.lo[1]; j < place.lo[1] + place.n[1]; j++) {
            for (int64_t i = place.lo[0]; i < place.lo[0] + place.n[0]; i++) {
                covered[first_cell + i + (n[0] - 1) * (j + (n[1] - 1) * k)]++;
            }
        }
    }
}

static void every_cell_lies_in_exactly_one_brick(void **state)
{
    (void)state;
    const grid_block blocks[3] = {block_of(34, 17, 2), block_of(2, 3, 50),
                                  block_of(18, 33, 19)};
    const int64_t first_cell[3] = {0, 33 * 16, 33 * 16 + 2 * 49};
    enum { CELLS = 33 * 16 + 2 * 49 + 17 * 32 * 18 };
    uint8_t *covered = calloc(CELLS, 1);
    assert_non_null(covered);
    grid_layout *layout = create(3, blocks);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        cover(layout, number, first_cell[grid_layout_place(layout, number).block],
              covered);
    }
    for (int cell = 0; cell < CELLS; cell++) {
        if (covered[cell] != 1) {
            fail_msg("cell %d: expected in 1 brick, is in %d", cell, covered[cell]);
        }
    }
    free(covered);
    grid_layout_destroy(&layout);
}

static void a_brick_is_found_again_where_it_lies(void **state)
{
    (void)state;
    const grid_block blocks[2] = {block_of(34, 17, 2), block_of(18, 33, 50)};
    grid_layout *layout = create(2, blocks);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        grid_brick_place place = grid_layout_place(layout, number);
        const int64_t at[3] = {place.lo[0] / 16, place.lo[1] / 16, place.lo[2] / 16};
        assert_int_equal(grid_layout_brick_at(layout, place.block, at), number);
    }
    grid_layout_destroy(&layout);
}

static void there_is_no_brick_beyond_the_block(void **state)
{
    (void)state;
    grid_block block = block_of(34, 17, 2);
    grid_layout *layout = create(1, &block);
    assert_int_equal(grid_layout_brick_at(layout, 0, (const int64_t[3]){-1, 0, 0}), -1);
    assert_int_equal(grid_layout_brick_at(layout, 0, (const int64_t[3]){3, 0, 0}), -1);
    assert_int_equal(grid_layout_brick_at(layout, 0, (const int64_t[3]){0, 1, 0}), -1);
    assert_int_equal(grid_layout_brick_at(layout, 0, (const int64_t[3]){0, 0, 1}), -1);
    assert_int_equal(grid_layout_brick_at(layout, 0, (const int64_t[3]){2, 0, 0}), 2);
    grid_layout_destroy(&layout);
}

static void a_new_layout_is_empty(void **state)
{
    (void)state;
    grid_block block = block_of(40, 3, 3);
    block.has_iblank = true;
    block.closed[0] = true; /* readers of coordinates find it out; it is not taken over */
    grid_layout *layout = create(1, &block);
    assert_true(layout->blocks[0].has_iblank);
    assert_false(layout->blocks[0].closed[0]);
    assert_string_equal(layout->blocks[0].name, "wake");
    for (int64_t number = 0; number < layout->nbricks; number++) {
        assert_int_equal(layout->bricks[number].cells, 0);
        assert_true(layout->bricks[number].lo[0] > layout->bricks[number].hi[0]);
    }
    assert_true(layout->bounds.lo.v[2] > layout->bounds.hi.v[2]);
    grid_layout_destroy(&layout);
    assert_null(layout);
}

static void a_layout_may_have_no_blocks(void **state)
{
    (void)state;
    grid_layout *layout = create(0, NULL);
    assert_int_equal(layout->nbricks, 0);
    assert_int_equal(grid_layout_vertices(layout), 0);
    grid_layout_destroy(&layout);
}

/* Expects the layout of one block to fail with a message that holds `piece`. */
static void expect_failure(grid_block block, const char *piece)
{
    grid_layout *layout = NULL;
    base_fail_set_message("");
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_INPUT);
    assert_null(layout);
    if (strstr(base_fail_message(), piece) == NULL) {
        fail_msg("expected '%s' in the message, got: %s", piece, base_fail_message());
    }
    base_fail_set_message("");
}

static void a_block_that_is_too_thin_is_named(void **state)
{
    (void)state;
    expect_failure(block_of(5, 1, 7), "block wake has 5 x 1 x 7 vertices");
    expect_failure(block_of(0, 5, 7), "at least 2 along each axis");
    expect_failure(block_of(5, 5, -3), "5 x 5 x -3");
}

static void a_block_with_absurdly_many_vertices_is_refused(void **state)
{
    (void)state;
    expect_failure(block_of(INT64_MAX, INT64_MAX, INT64_MAX), "more than");
    expect_failure(block_of((int64_t)1 << 40, 2, 2), "more than");
    expect_failure(block_of((int64_t)1 << 20, (int64_t)1 << 20, 2), "block wake");
}

/* Of 17 x 3 x 2 cells, in two bricks. */
static void a_brick_is_full_if_no_cell_of_it_is_missing(void **state)
{
    (void)state;
    grid_block block = block_of(18, 4, 3);
    grid_layout *layout = NULL;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    layout->bricks[0].cells = 16 * 3 * 2;
    layout->bricks[1].cells = 1 * 3 * 2 - 1;
    assert_true(grid_layout_brick_is_full(layout, 0));
    assert_false(grid_layout_brick_is_full(layout, 1));
    grid_layout_destroy(&layout);
}

static void destroying_nothing_is_fine(void **state)
{
    (void)state;
    grid_layout *layout = NULL;
    grid_layout_destroy(&layout);
    grid_layout_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bricks_have_at_most_sixteen_cells_along_an_axis),
        cmocka_unit_test(a_block_of_one_cell_is_one_brick),
        cmocka_unit_test(every_cell_lies_in_exactly_one_brick),
        cmocka_unit_test(a_brick_is_found_again_where_it_lies),
        cmocka_unit_test(there_is_no_brick_beyond_the_block),
        cmocka_unit_test(a_new_layout_is_empty),
        cmocka_unit_test(a_layout_may_have_no_blocks),
        cmocka_unit_test(a_block_that_is_too_thin_is_named),
        cmocka_unit_test(a_block_with_absurdly_many_vertices_is_refused),
        cmocka_unit_test(a_brick_is_full_if_no_cell_of_it_is_missing),
        cmocka_unit_test(destroying_nothing_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

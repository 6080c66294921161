/* Windows: every wanted brick in exactly one, and no other; layers that wrap around. */
#include "io/window.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t seed = 77;

static grid_layout *make_layout(void)
{
    const grid_block blocks[3] = {{.name = "a", .n = {70, 40, 35}},
                                  {.name = "b", .n = {2, 2, 2}},
                                  {.name = "c", .n = {18, 100, 17}}};
    grid_layout *layout = NULL;
    assert_int_equal(grid_layout_create(3, blocks, &layout), STATUS_OK);
    return layout;
}

/* Counts how often every brick is in a window; checks the bound on vertices. */
static void count_bricks(const grid_layout *layout, int64_t nwindows,
                         const io_window *windows, int64_t most_vertices, int *times)
{
    memset(times, 0, (size_t)layout->nbricks * sizeof *times);
    for (int64_t w = 0; w < nwindows; w++) {
        io_window_box box = io_window_vertices(layout, &windows[w], 0);
        int64_t bricks = io_window_brick_count(&windows[w]);
        const int64_t most =
            windows[w].bricks[0] == bricks ? 4 * most_vertices : most_vertices;
        assert_true(bricks == 1 || box.n[0] * box.n[1] * box.n[2] <= most);
        assert_true(w == 0 || windows[w - 1].block <= windows[w].block);
        for (int64_t n = 0; n < bricks; n++) {
            int64_t number = io_window_brick(layout, &windows[w], n);
            assert_in_range(number, 0, layout->nbricks - 1);
            times[number]++;
        }
    }
}

static void every_wanted_brick_is_in_one_window(void **state)
{
    (void)state;
    grid_layout *layout = make_layout();
    size_t bricks = (size_t)layout->nbricks;
    int64_t *numbers = malloc(bricks * sizeof *numbers);
    int *times = malloc(bricks * sizeof *times),
        *wanted = malloc(bricks * sizeof *wanted);
    uint64_t random = seed;
    for (int trial = 0; trial < 100; trial++) {
        uint64_t share = random_bits(&random) % 9;
        int64_t most = trial % 2 ? 10000 : 1 << 20, count = 0, nwindows = 0;
        io_window *windows = NULL;
        for (int64_t number = 0; number < layout->nbricks; number++) {
            wanted[number] = random_bits(&random) % 8 < share;
            if (wanted[number]) {
                numbers[count++] = number;
            }
        }
        assert_int_equal(
            io_window_gather(layout, count, numbers, most, &nwindows, &windows),
            STATUS_OK);
        count_bricks(layout, nwindows, windows, most, times);
        if (memcmp(times, wanted, bricks * sizeof *times) != 0) {
            fail_msg("trial %d: bricks are missing or there twice (seed %llu)", trial,
                     (unsigned long long)seed);
        }
        free(windows);
    }
    free(numbers);
    free(times);
    free(wanted);
    grid_layout_destroy(&layout);
}

static void all_bricks_of_a_block_make_one_window(void **state)
{
    (void)state;
    grid_layout *layout = make_layout();
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers), nwindows = 0;
    for (int64_t number = 0; number < layout->nbricks; number++) {
        numbers[number] = number;
    }
    io_window *windows = NULL;
    assert_int_equal(
        io_window_gather(layout, layout->nbricks, numbers, 1 << 20, &nwindows, &windows),
        STATUS_OK);
    assert_int_equal(nwindows, 3);
    io_window_box box = io_window_vertices(layout, &windows[2], 2);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(box.lo[axis], 0);
        assert_int_equal(box.n[axis], layout->blocks[2].n[axis]);
    }
    free(windows);
    free(numbers);
    grid_layout_destroy(&layout);
}

/* Planes of whole rows lie together in a file. */
static void long_rows_stay_whole(void **state)
{
    (void)state;
    const grid_block block = {.name = "long", .n = {2049, 33, 17}};
    int64_t numbers[256], nwindows = 0, most = 2049 * 17 * 17 / 3;
    grid_layout *layout = NULL;
    io_window *windows = NULL;
    assert_int_equal(grid_layout_create(1, &block, &layout), STATUS_OK);
    assert_int_equal(layout->nbricks, 256);
    for (int64_t n = 0; n < 256; n++) {
        numbers[n] = n;
    }
    assert_int_equal(io_window_gather(layout, 256, numbers, most, &nwindows, &windows),
                     STATUS_OK);
    assert_int_equal(nwindows, 2);
    assert_int_equal(windows[0].bricks[0], 128);
    free(windows);
    grid_layout_destroy(&layout);
}

static void layers_wrap_around_closed_axes_only(void **state)
{
    (void)state;
    grid_layout *layout = make_layout();
    layout->blocks[0].closed[0] = true;
    const io_window first = {.block = 0, .lo = {0, 1, 0}, .bricks = {1, 1, 1}};
    const io_window last = {.block = 0, .lo = {4, 2, 2}, .bricks = {1, 1, 1}};
    io_window_box box = io_window_vertices(layout, &first, 2);
    assert_int_equal(box.lo[0], -2);
    assert_int_equal(box.n[0], 21);
    assert_int_equal(box.core_lo[0], 2);
    assert_int_equal(box.core_n[0], 17);
    assert_int_equal(box.lo[1], 14);
    assert_int_equal(box.n[1], 21);
    assert_int_equal(box.lo[2], 0);
    assert_int_equal(box.n[2], 19);
    box = io_window_vertices(layout, &last, 2);
    assert_int_equal(box.lo[0], 62);
    assert_int_equal(box.n[0], 10);
    assert_int_equal(box.lo[1], 30);
    assert_int_equal(box.n[1], 10);
    grid_layout_destroy(&layout);
}

/* Every index of a box comes from where the rule says, and none is left out. */
static void segments_read_what_lies_around_the_seam(void **state)
{
    (void)state;
    const int64_t count = 5, period = 4;
    for (int64_t lo = -3; lo < count; lo++) {
        for (int64_t n = 0; lo + n <= count + 3; n++) {
            io_segment segments[3];
            int parts = io_segment_cut(lo, n, count, period, segments);
            int64_t next = 0;
            for (int part = 0; part < parts; part++) {
                assert_int_equal(segments[part].to, next);
                for (int64_t i = 0; i < segments[part].n; i++, next++) {
                    int64_t index = lo + next;
                    int64_t expected = index < 0        ? index + period
                                       : index >= count ? index - period
                                                        : index;
                    assert_int_equal(segments[part].from + i, expected);
                }
            }
            assert_int_equal(next, n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wanted_brick_is_in_one_window),
        cmocka_unit_test(all_bricks_of_a_block_make_one_window),
        cmocka_unit_test(long_rows_stay_whole),
        cmocka_unit_test(layers_wrap_around_closed_axes_only),
        cmocka_unit_test(segments_read_what_lies_around_the_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Parts of a picture: they cover it once, lie between tiles, and cost about the same. */
#include "render/screen.h"

#include "check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A map of costs that a test makes up. */
typedef double cost_at(uint64_t seed, double x, double y);

static double no_cost(uint64_t seed, double x, double y)
{
    (void)seed;
    return 0.0 * (x + y);
}

static double even_cost(uint64_t seed, double x, double y)
{
    (void)seed;
    return 1.0 + 0.0 * (x + y);
}

static double ramp_cost(uint64_t seed, double x, double y)
{
    return 0.1 + (double)(seed % 7) * x + y * y;
}

/* All of it in one place. */
static double peak_cost(uint64_t seed, double x, double y)
{
    const double px = (double)(seed % 11) / 11.0, py = (double)(seed % 13) / 13.0;
    return fabs(x - px) < 0.06 && fabs(y - py) < 0.06 ? 1e6 : 0.0;
}

static double noise_cost(uint64_t seed, double x, double y)
{
    uint64_t bits = seed * 2654435761u + (uint64_t)(1e4 * x) * 40503u +
                    (uint64_t)(1e4 * y) * 2246822519u;
    bits ^= bits >> 29;
    bits *= 0xbf58476d1ce4e5b9u;
    return (double)(bits >> 40);
}

static cost_at *const maps[] = {no_cost, even_cost, ramp_cost, peak_cost, noise_cost};
enum { MAPS = sizeof maps / sizeof maps[0] };

static render_costs make_costs(int width, int height, cost_at *at, uint64_t seed)
{
    render_costs costs;
    assert_int_equal(render_costs_create(width, height, &costs), STATUS_OK);
    for (int row = 0; row < costs.rows; row++) {
        for (int column = 0; column < costs.columns; column++) {
            costs.tile[row * costs.columns + column] =
                at(seed, (column + 0.5) / costs.columns, (row + 0.5) / costs.rows);
        }
    }
    return costs;
}

static render_screen *make_screen(const render_costs *costs, int nparts)
{
    render_screen *screen = NULL;
    assert_int_equal(render_screen_create(costs, nparts, &screen), STATUS_OK);
    return screen;
}

static bool is_border(int at, int size)
{
    return at % RENDER_SCREEN_STEP == 0 || at == size;
}

/* Marks the pixels of a part, none of which may be marked. */
static void mark(const render_costs *costs, pixel_rect rect, uint64_t seed,
                 unsigned char *marks)
{
    check_count("a border where one may be", seed, 1,
                is_border(rect.x0, costs->width) && is_border(rect.x1, costs->width) &&
                    is_border(rect.y0, costs->height) &&
                    is_border(rect.y1, costs->height));
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            check_count("parts that had the pixel before", seed, 0,
                        marks[y * costs->width + x]++);
        }
    }
}

static void check_cover(const render_costs *costs, int nparts, uint64_t seed)
{
    const int pixels = costs->width * costs->height;
    const int step = RENDER_SCREEN_STEP;
    const int squares =
        ((costs->width + step - 1) / step) * ((costs->height + step - 1) / step);
    unsigned char *marks = calloc((size_t)pixels, 1);
    render_screen *screen = make_screen(costs, nparts);
    int used = 0;
    for (int part = 0; part < nparts; part++) {
        const pixel_rect rect = render_screen_rect(screen, part);
        used += !pixel_rect_is_empty(rect);
        mark(costs, rect, seed, marks);
    }
    check_count("parts with pixels", seed, nparts < squares ? nparts : squares, used);
    check_count("the most parts with pixels", seed, squares,
                render_screen_capacity(costs->width, costs->height));
    check_count("pixels without a part", seed, 0,
                memchr(marks, 0, (size_t)pixels) != NULL);
    render_screen_destroy(&screen);
    free(marks);
}

static void parts_cover_every_pixel_once(void **unused)
{
    (void)unused;
    static const int sizes[][2] = {{1, 1},   {16, 16}, {17, 16}, {1, 300},  {48, 48},
                                   {48, 32}, {88, 66}, {5, 99},  {200, 100}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (int map = 0; map < MAPS; map++) {
            const uint64_t seed = 100 * s + (uint64_t)map;
            render_costs costs = make_costs(sizes[s][0], sizes[s][1], maps[map], seed);
            for (int nparts = 1; nparts <= 40; nparts++) {
                check_cover(&costs, nparts, seed);
            }
            render_costs_clear(&costs);
        }
    }
}

/* With many tiles, no cut is off by more than a row of tiles. */
static void parts_cost_about_the_same(void **unused)
{
    (void)unused;
    for (int map = 1; map < MAPS; map++) {
        if (maps[map] == peak_cost) {
            continue; /* a tile is the least that there is */
        }
        render_costs costs = make_costs(1024, 1024, maps[map], 5);
        const double all = render_costs_sum(&costs, (pixel_rect){0, 0, 1024, 1024});
        for (int nparts = 2; nparts <= 16; nparts++) {
            render_screen *screen = make_screen(&costs, nparts);
            const double most = render_screen_most(screen, &costs) * nparts / all;
            check_within("the most over the mean", (uint64_t)nparts, 1.0, 1.15, most);
            render_screen_destroy(&screen);
        }
        render_costs_clear(&costs);
    }
}

static void a_known_map_is_cut_where_its_costs_are_halved(void **unused)
{
    (void)unused;
    render_costs costs;
    assert_int_equal(render_costs_create(128, 64, &costs), STATUS_OK);
    /* Columns of tiles with 1, 1, 1, 1, 1, 5, 5, 5. */
    render_costs_add(&costs, (pixel_rect){0, 0, 80, 64}, 1.0);
    render_costs_add(&costs, (pixel_rect){80, 0, 128, 64}, 5.0);
    render_screen *screen = make_screen(&costs, 2);
    const pixel_rect left = render_screen_rect(screen, 0);
    assert_int_equal(left.x0, 0);
    assert_int_equal(left.x1, 96);
    assert_int_equal(left.y1, 64);
    check_near("the cost of a part", 0, 16.0 * 64.0 * (5.0 + 5.0),
               render_screen_most(screen, &costs), 1e-6);
    render_screen_destroy(&screen);
    render_costs_clear(&costs);
}

static void costs_add_up_pixel_by_pixel(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const int width = 1 + (int)(seed * 37 % 90), height = 1 + (int)(seed * 53 % 70);
        const int x0 = (int)(seed * 11) % width, y0 = (int)(seed * 7) % height;
        const pixel_rect rect = {x0, y0, x0 + 1 + (int)(seed * 5) % (width - x0),
                                 y0 + 1 + (int)(seed * 3) % (height - y0)};
        render_costs costs;
        assert_int_equal(render_costs_create(width, height, &costs), STATUS_OK);
        render_costs_add(&costs, rect, 0.5);
        render_costs_add(&costs, (pixel_rect){0, 0, 0, 0}, 7.0);
        for (int row = 0; row < costs.rows; row++) {
            for (int column = 0; column < costs.columns; column++) {
                int count = 0;
                for (int y = rect.y0; y < rect.y1; y++) {
                    for (int x = rect.x0; x < rect.x1; x++) {
                        count += y / 16 == row && x / 16 == column;
                    }
                }
                check_near("the cost of a tile", seed, 0.5 * count,
                           costs.tile[row * costs.columns + column], 0.0);
            }
        }
        render_costs_clear(&costs);
    }
}

static void the_same_costs_give_the_same_parts(void **unused)
{
    (void)unused;
    for (int map = 0; map < MAPS; map++) {
        render_costs costs = make_costs(640, 480, maps[map], 3);
        render_screen *a = make_screen(&costs, 13), *b = make_screen(&costs, 13);
        for (int part = 0; part < 13; part++) {
            const pixel_rect one = render_screen_rect(a, part);
            const pixel_rect other = render_screen_rect(b, part);
            assert_memory_equal(&one, &other, sizeof one);
        }
        render_screen_destroy(&a);
        render_screen_destroy(&b);
        render_costs_clear(&costs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_cover_every_pixel_once),
        cmocka_unit_test(parts_cost_about_the_same),
        cmocka_unit_test(a_known_map_is_cut_where_its_costs_are_halved),
        cmocka_unit_test(costs_add_up_pixel_by_pixel),
        cmocka_unit_test(the_same_costs_give_the_same_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "screen.h"

#include "render/fragments/fragments.h"

#include <math.h>
#include <stdlib.h>

enum { TILE = RENDER_SCREEN_TILE, STEP = RENDER_SCREEN_STEP };

_Static_assert((int)TILE == (int)FRAGMENTS_TILE,
               "fragments are listed by the same tiles");

struct render_screen {
    int nparts;
    pixel_rect *rects; /* [nparts] */
};

/* ---- Costs ------------------------------------------------------------------------- */

static int tiles_along(int pixels)
{
    return (pixels + TILE - 1) / TILE;
}

status render_costs_create(int width, int height, render_costs *out)
{
    render_costs costs = {.width = width,
                          .height = height,
                          .columns = tiles_along(width),
                          .rows = tiles_along(height)};
    const size_t tiles = (size_t)costs.columns * (size_t)costs.rows;
    costs.tile = calloc(tiles, sizeof *costs.tile);
    if (!costs.tile) {
        return base_fail_memory(tiles * sizeof *costs.tile, "the costs of a picture");
    }
    *out = costs;
    return STATUS_OK;
}

void render_costs_clear(render_costs *costs)
{
    free(costs->tile);
    *costs = (render_costs){0};
}

/* Number of pixels that [a0, a1) and a tile share along an axis. */
static int overlap(int a0, int a1, int tile)
{
    const int begin = tile * TILE, end = begin + TILE;
    return (a1 < end ? a1 : end) - (a0 > begin ? a0 : begin);
}

void render_costs_add(render_costs *costs, pixel_rect rect, double cost)
{
    if (pixel_rect_is_empty(rect)) {
        return;
    }
    for (int row = rect.y0 / TILE; row <= (rect.y1 - 1) / TILE; row++) {
        double *tiles = costs->tile + (int64_t)row * costs->columns;
        const double across = cost * overlap(rect.y0, rect.y1, row);
        for (int column = rect.x0 / TILE; column <= (rect.x1 - 1) / TILE; column++) {
            tiles[column] += across * overlap(rect.x0, rect.x1, column);
        }
    }
}

double render_costs_sum(const render_costs *costs, pixel_rect rect)
{
    double sum = 0.0;
    for (int row = rect.y0 / TILE; row < tiles_along(rect.y1); row++) {
        const double across =
            (double)overlap(rect.y0, rect.y1, row) / overlap(0, costs->height, row);
        for (int column = rect.x0 / TILE; column < tiles_along(rect.x1); column++) {
            const double share = across * overlap(rect.x0, rect.x1, column) /
                                 overlap(0, costs->width, column);
            sum += share * costs->tile[(int64_t)row * costs->columns + column];
        }
    }
    return sum;
}

/* ---- Cuts -------------------------------------------------------------------------- */

/* Sums over rectangles in constant time (summed-area table: Crow 1984, Summed-area tables
 * for texture mapping, SIGGRAPH '84). */
typedef struct cost_table {
    int columns, rows; /* squares of STEP x STEP pixels that cover the picture */
    double *sum;       /* [rows + 1][columns + 1]: sum of the squares above and left */
} cost_table;

/* Squares [c0, c1) x [r0, r1). */
typedef struct square_rect {
    int c0, r0, c1, r1;
} square_rect;

static pixel_rect to_pixels(const render_costs *costs, square_rect rect)
{
    const int x1 = rect.c1 * STEP, y1 = rect.r1 * STEP;
    return (pixel_rect){rect.c0 * STEP, rect.r0 * STEP,
                        x1 < costs->width ? x1 : costs->width,
                        y1 < costs->height ? y1 : costs->height};
}

static int squares_along(int pixels)
{
    return (int)(((int64_t)pixels + STEP - 1) / STEP);
}

/* Makes the table. If all costs are zero, each square costs 1, so that the area
 * counts. */
static status make_table(const render_costs *costs, cost_table *table)
{
    const int columns = squares_along(costs->width);
    const int rows = squares_along(costs->height), stride = columns + 1;
    const pixel_rect all = {0, 0, costs->width, costs->height};
    const bool is_free = !(render_costs_sum(costs, all) > 0.0);
    const size_t count = (size_t)stride * (size_t)(rows + 1);
    *table = (cost_table){columns, rows, calloc(count, sizeof *table->sum)};
    if (!table->sum) {
        return base_fail_memory(count * sizeof *table->sum, "the costs of a picture");
    }
    for (int row = 0; row < rows; row++) {
        double sum = 0.0;
        for (int column = 0; column < columns; column++) {
            const square_rect square = {column, row, column + 1, row + 1};
            const int64_t at = (int64_t)(row + 1) * stride + column + 1;
            sum += is_free ? 1.0 : render_costs_sum(costs, to_pixels(costs, square));
            table->sum[at] = table->sum[at - stride] + sum;
        }
    }
    return STATUS_OK;
}

static double table_sum(const cost_table *table, square_rect rect)
{
    const int64_t stride = table->columns + 1;
    const double *top = table->sum + rect.r0 * stride;
    const double *bottom = table->sum + rect.r1 * stride;
    return bottom[rect.c1] - bottom[rect.c0] - top[rect.c1] + top[rect.c0];
}

static int64_t count_squares(square_rect rect)
{
    return (int64_t)(rect.c1 - rect.c0) * (rect.r1 - rect.r0);
}

/* The halves of a rectangle, and the number of parts in the first one. */
typedef struct halves {
    square_rect first, second;
    int nfirst;
} halves;

/* Cuts off the first `length` columns of a rectangle that is at least as wide as high,
 * else the first `length` rows. */
static halves cut_at(square_rect rect, int length, int nfirst)
{
    halves cut = {rect, rect, nfirst};
    if (rect.c1 - rect.c0 >= rect.r1 - rect.r0) {
        cut.first.c1 = cut.second.c0 = rect.c0 + length;
    } else {
        cut.first.r1 = cut.second.r0 = rect.r0 + length;
    }
    return cut;
}

/* Finds the best cut with `nfirst` parts on its first side. Each side must have a square
 * for each of its parts. Returns false if there is no such cut. */
static bool find_cut(const cost_table *table, square_rect rect, int nparts, int nfirst,
                     halves *best)
{
    const int across = rect.c1 - rect.c0, down = rect.r1 - rect.r0;
    const int length = across >= down ? across : down;
    double least = INFINITY;
    for (int at = 1; at < length; at++) {
        const halves cut = cut_at(rect, at, nfirst);
        if (count_squares(cut.first) < nfirst ||
            count_squares(cut.second) < nparts - nfirst) {
            continue;
        }
        const double most = fmax(table_sum(table, cut.first) / nfirst,
                                 table_sum(table, cut.second) / (nparts - nfirst));
        if (most < least) {
            least = most;
            *best = cut;
        }
    }
    return least < INFINITY;
}

/* Gives parts [first, first + nparts) their rectangles; `rect` has a square for each
 * part. */
static void cut_rect(const render_costs *costs, const cost_table *table, square_rect rect,
                     int first, int nparts, render_screen *screen)
{
    if (nparts == 1) {
        screen->rects[first] = to_pixels(costs, rect);
        return;
    }
    /* Half of the parts go on each side. If no cut between squares allows this, the
     * nearest possible number goes on the first side. */
    halves cut = {rect, rect, 0};
    bool is_cut = false;
    for (int away = 0; !is_cut && away < nparts; away++) {
        const int nfirst = nparts / 2 + (away % 2 ? (away + 1) / 2 : -away / 2);
        is_cut =
            nfirst > 0 && nfirst < nparts && find_cut(table, rect, nparts, nfirst, &cut);
    }
    cut_rect(costs, table, cut.first, first, cut.nfirst, screen);
    cut_rect(costs, table, cut.second, first + cut.nfirst, nparts - cut.nfirst, screen);
}

/* ---- The partition ----------------------------------------------------------------- */

status render_screen_create(const render_costs *costs, int nparts, render_screen **out)
{
    cost_table table;
    status s = make_table(costs, &table);
    if (s != STATUS_OK) {
        return s;
    }
    render_screen *screen = calloc(1, sizeof *screen);
    pixel_rect *rects = calloc((size_t)nparts, sizeof *rects);
    if (!screen || !rects) {
        free(table.sum);
        free(screen);
        free(rects);
        return base_fail_memory((size_t)nparts * sizeof *rects, "the parts of a picture");
    }
    *screen = (render_screen){nparts, rects};
    const square_rect all = {0, 0, table.columns, table.rows};
    const int64_t squares = count_squares(all);
    cut_rect(costs, &table, all, 0, nparts < squares ? nparts : (int)squares, screen);
    free(table.sum);
    *out = screen;
    return STATUS_OK;
}

void render_screen_destroy(render_screen **screen)
{
    if (*screen) {
        free((*screen)->rects);
        free(*screen);
        *screen = NULL;
    }
}

int64_t render_screen_capacity(int width, int height)
{
    return (int64_t)squares_along(width) * squares_along(height);
}

pixel_rect render_screen_rect(const render_screen *screen, int part)
{
    return screen->rects[part];
}

double render_screen_most(const render_screen *screen, const render_costs *costs)
{
    double most = 0.0;
    for (int part = 0; part < screen->nparts; part++) {
        most = fmax(most, render_costs_sum(costs, screen->rects[part]));
    }
    return most;
}

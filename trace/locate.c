#include "locate.h"

#include <math.h>

/* Longest walk, in cells. Usually a walk begins a cell or two away. */
enum { MOST_WALKED = 512 };

/* If the walk returns to the cell before, a seam between the two has a gap by rounding.
 * The walk then ends in this cell if the point misses it by at most this fraction of the
 * cell. */
static const double seam_gap = 0.01;

/* Cells of other blocks may miss the point by this fraction of their size. */
static const double block_gap = 0.05;

/* ---- Walking ----------------------------------------------------------------------- */

enum { NO_BLOCK = -1 };

trace_place trace_place_from(const trace_cell *cell)
{
    return (trace_place){.cell = *cell, .from = {.block = NO_BLOCK}};
}

trace_place trace_place_anywhere(void)
{
    return (trace_place){
        .cell = {.block = NO_BLOCK}, .from = {.block = NO_BLOCK}, .walked = -1};
}

/* Moves a cell along an axis, around the seam of a closed block; false at the block's
 * end. */
static bool step_cell(const grid_layout *layout, trace_cell *cell, int axis, int side)
{
    const grid_block *block = &layout->blocks[cell->block];
    const int64_t cells = block->n[axis] - 1;
    int64_t at = cell->at[axis] + (side ? 1 : -1);
    if (at < 0 || at >= cells) {
        if (!block->closed[axis]) {
            return false;
        }
        at = at < 0 ? cells - 1 : 0;
    }
    cell->at[axis] = at;
    return true;
}

static trace_fit fit_cell(const trace_locator *locator, const trace_corners *corners,
                          const double x[3], trace_map *map, double local[3])
{
    double xyz[8][3];
    trace_corners_get(locator->store, corners, xyz);
    trace_map_create(xyz, x, map);
    return trace_map_invert(map, local);
}

static void clamp_unit(double local[3])
{
    for (int n = 0; n < 3; n++) {
        local[n] = fmin(fmax(local[n], 0.0), 1.0);
    }
}

typedef enum walk_result { WALK_ON, WALK_FOUND, WALK_OVER } walk_result;

/* Tests the cell, and goes on to the neighbour that the local coordinates point to. */
static walk_result walk_step(const trace_locator *locator, const trace_corners *corners,
                             const double x[3], trace_place *place)
{
    int axis, side;
    trace_map map;
    const trace_fit fit = fit_cell(locator, corners, x, &map, place->local);
    if (fit == TRACE_INSIDE) {
        return WALK_FOUND;
    }
    const double excess = trace_map_excess(place->local, &axis, &side);
    trace_cell next = place->cell;
    if (excess <= TRACE_MARGIN) {
        return WALK_OVER;
    }
    if (!step_cell(locator->store->layout, &next, axis, side)) {
        clamp_unit(place->local);
        trace_map_point(&map, place->local, place->back);
        return WALK_OVER;
    }
    if (trace_cell_is_same(&next, &place->from)) {
        clamp_unit(place->local);
        return excess <= seam_gap ? WALK_FOUND : WALK_OVER;
    }
    place->from = place->cell;
    place->cell = next;
    return WALK_ON;
}

/* Walks until the point is found, the walk is over, or the next cell is on another
 * rank. */
static trace_found walk(const trace_locator *locator, const double x[3],
                        trace_place *place, int64_t *needed)
{
    const grid_store *store = locator->store;
    for (; place->walked < MOST_WALKED; place->walked++) {
        trace_corners corners;
        const trace_look look = trace_cell_look(store, &place->cell, &corners);
        if (look == TRACE_ELSEWHERE) {
            *needed = trace_cell_brick(store->layout, &place->cell);
            return TRACE_AWAY;
        }
        walk_result result =
            look == TRACE_ABSENT ? WALK_OVER : walk_step(locator, &corners, x, place);
        if (result != WALK_ON) {
            return result == WALK_FOUND ? TRACE_FOUND : TRACE_NOWHERE;
        }
    }
    return TRACE_NOWHERE;
}

/* ---- Searching --------------------------------------------------------------------- */

/* The target of a search: cells that miss the point by at most `gap` of their size. */
typedef struct wanted {
    double x[3];
    double gap;
} wanted;

/* Whether bounds contain the point, after enlarging by the allowed gap. */
static bool may_hold(const wanted *w, const double lo[3], const double hi[3])
{
    for (int axis = 0; axis < 3; axis++) {
        /* Even for the thinnest sheet of cells, the margin covers rounding. */
        const double room = (w->gap + 1e-6) * (hi[axis] - lo[axis]) +
                            1e-12 * fmax(fabs(lo[axis]), fabs(hi[axis]));
        if (!(w->x[axis] >= lo[axis] - room && w->x[axis] <= hi[axis] + room)) {
            return false;
        }
    }
    return true;
}

static bool group_may_hold(const wanted *w, const trace_group *bounds)
{
    const double lo[3] = {(double)bounds->lo[0], (double)bounds->lo[1],
                          (double)bounds->lo[2]};
    const double hi[3] = {(double)bounds->hi[0], (double)bounds->hi[1],
                          (double)bounds->hi[2]};
    return lo[0] <= hi[0] && may_hold(w, lo, hi);
}

static bool corners_may_hold(const trace_locator *locator, const wanted *w,
                             const trace_corners *corners)
{
    double lo[3], hi[3];
    for (int n = 0; n < 8; n++) {
        const float *vertex = locator->store->vertex[corners->vertex[n]];
        for (int axis = 0; axis < 3; axis++) {
            const double x = (double)vertex[axis];
            lo[axis] = n == 0 ? x : fmin(lo[axis], x);
            hi[axis] = n == 0 ? x : fmax(hi[axis], x);
        }
    }
    return may_hold(w, lo, hi);
}

/* Whether the point lies in the gap between this cell, with place->local as its nearest
 * place, and the place where the walk left its block. */
static bool is_between(const trace_map *map, const trace_place *place)
{
    double ahead[3];
    trace_map_point(map, place->local, ahead);
    return ahead[0] * place->back[0] + ahead[1] * place->back[1] +
               ahead[2] * place->back[2] <
           0.0;
}

/* Whether a cell contains the point; sets place->local. */
static bool search_cell(const trace_locator *locator, const wanted *w,
                        const trace_cell *cell, trace_place *place)
{
    int axis, side;
    trace_corners corners;
    trace_map map;
    if (trace_cell_look(locator->store, cell, &corners) != TRACE_PRESENT ||
        !corners_may_hold(locator, w, &corners)) {
        return false;
    }
    const trace_fit fit = fit_cell(locator, &corners, w->x, &map, place->local);
    if (fit == TRACE_OUTSIDE && trace_map_excess(place->local, &axis, &side) <= w->gap) {
        clamp_unit(place->local);
        return is_between(&map, place);
    }
    return fit == TRACE_INSIDE;
}

static bool search_brick(const trace_locator *locator, const wanted *w, int64_t slot,
                         trace_place *place)
{
    const grid_brick_place *brick = &locator->store->bricks[slot].place;
    const int64_t first = locator->first_group[slot];
    for (int64_t g = 0; g < locator->first_group[slot + 1] - first; g++) {
        if (!group_may_hold(w, &locator->groups[first + g])) {
            continue;
        }
        int lo[3], hi[3];
        trace_cell cell;
        trace_group_cells(brick, g, lo, hi);
        for (int n = 0; trace_group_cell(brick, lo, hi, n, &cell); n++) {
            if (search_cell(locator, w, &cell, place)) {
                place->cell = cell;
                return true;
            }
        }
    }
    return false;
}

/* The search for the next brick of a block that may hold the point. */
typedef struct next_brick {
    const wanted *w;
    int64_t from, found;
} next_brick;

static bool next_enters(void *context, const box3 *bounds)
{
    return may_hold(((next_brick *)context)->w, bounds->lo.v, bounds->hi.v);
}

static void next_takes(void *context, int64_t number)
{
    next_brick *next = context;
    if (number >= next->from && number < next->found) {
        next->found = number;
    }
}

/* The first such brick from `from` on, of `count`; `count`: there is none. */
static int64_t find_next(const grid_boxes *bricks, const wanted *w, int64_t from,
                         int64_t count)
{
    next_brick next = {w, from, count};
    const grid_boxes_walker walker = {next_enters, next_takes, &next};
    grid_boxes_walk(bricks, w->x, &walker);
    return next.found;
}

/* Searches the bricks of a block, beginning with place->brick. */
static trace_found search_block(const trace_locator *locator, const wanted *w, int b,
                                trace_place *place, int64_t *needed)
{
    const grid_layout *layout = locator->store->layout;
    const grid_block *block = &layout->blocks[b];
    const int64_t count = block->bricks[0] * block->bricks[1] * block->bricks[2];
    for (;; place->brick++) {
        place->brick = find_next(locator->bricks[b], w, place->brick, count);
        if (place->brick == count) {
            return TRACE_NOWHERE;
        }
        const int64_t number = block->first_brick + place->brick;
        const int32_t slot = locator->store->slot[number];
        if (slot < 0) {
            *needed = number;
            return TRACE_AWAY;
        }
        if (search_brick(locator, w, slot, place)) {
            return TRACE_FOUND;
        }
    }
}

/* Searches the grid. For a point that was followed out of a block, it then searches the
 * gaps between that block and the others. */
static trace_found search(const trace_locator *locator, const double x[3],
                          trace_place *place, int64_t *needed)
{
    const int nblocks = locator->store->layout->nblocks;
    const int64_t last_block = place->cell.block;
    const int rounds = last_block == NO_BLOCK ? 1 : 2;
    for (; place->turn < (int64_t)rounds * nblocks; place->turn++, place->brick = 0) {
        const bool in_gaps = place->turn >= nblocks;
        const int b = locator->order[place->turn % nblocks];
        const wanted w = {{x[0], x[1], x[2]}, in_gaps ? block_gap : 0.0};
        const box3 *bounds = &locator->blocks[b];
        if (!(bounds->lo.v[0] <= bounds->hi.v[0]) ||
            !may_hold(&w, bounds->lo.v, bounds->hi.v) || (in_gaps && b == last_block)) {
            continue;
        }
        const trace_found found = search_block(locator, &w, b, place, needed);
        if (found != TRACE_NOWHERE) {
            return found;
        }
    }
    return TRACE_NOWHERE;
}

trace_found trace_locate(const trace_locator *locator, const double x[3],
                         trace_place *place, int64_t *needed)
{
    if (place->walked >= 0) {
        const trace_found found = walk(locator, x, place, needed);
        if (found != TRACE_NOWHERE) {
            return found;
        }
        place->walked = -1;
        place->turn = place->brick = 0;
    }
    return search(locator, x, place, needed);
}

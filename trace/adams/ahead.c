#include "ahead.h"

#include <math.h>

bool trace_ahead_leave_cell(const trace_guess *guess, int n, int axes, trace_cell *cell)
{
    bool has_left = false;
    for (int c = 0; c < axes; c++) {
        float *local = &trace_guess_local(guess, c)[n];
        const int side = trace_ahead_side(*local);
        if (side != 0) { /* others stay as they are: flows in a plane leave them out */
            cell->at[c] += side;
            *local = fminf(fmaxf(*local - (float)side, 0.0F), 1.0F);
            has_left = true;
        }
    }
    return has_left;
}

bool trace_ahead_share_brick(const grid_layout *layout, const trace_cell *a,
                             const trace_cell *b)
{
    const int64_t *n = layout->blocks[a->block].n;
    for (int c = 0; c < 3; c++) {
        if (b->at[c] < 0 || b->at[c] >= n[c] - 1 ||
            a->at[c] / GRID_BRICK_CELLS != b->at[c] / GRID_BRICK_CELLS) {
            return false;
        }
    }
    return true;
}

/* ---- Destinations ------------------------------------------------------------------ */

static void fetch_for_write(const void *at)
{
    __builtin_prefetch(at, 1);
}

/* Fetches what setting the next cell needs. */
static void fetch_cell(const trace_departures *list, const trace_departure *d)
{
    const trace_guess *guess = &d->lanes.guess;
    for (int n = 0; n < (list->is_flat ? 4 : 8); n++) {
        __builtin_prefetch(list->store->vertex[d->corners.vertex[n]]);
    }
    for (int n = TRACE_MAP_FLAT_ROWS; n < TRACE_MAP_ROWS && !list->is_flat; n++) {
        fetch_for_write(&trace_guess_map(guess, n)[d->lane]);
    }
}

/* Finds the vertices of the next cell, in the same brick of a flat grid: the lower ones.
 * False if the cell is absent. */
static bool find_flat_corners(const trace_departures *list, const trace_cell *own,
                              trace_departure *d)
{
    const trace_guess_plane *plane = d->lanes.guess.plane;
    const int64_t row = plane->row[d->lane];
    const int64_t lowest = plane->cell[d->lane] + (d->next.at[0] - own->at[0]) +
                           row * (d->next.at[1] - own->at[1]);
    d->corners = (trace_corners){{lowest, lowest + 1, lowest + row, lowest + row + 1}};
    return list->is_full || list->store->flags[lowest] & GRID_PRESENT;
}

/* Whether a cell lies in its block, and all cells of its brick are present: all ranks
 * know that, whether they have the brick or not. */
static bool is_surely_present(const grid_layout *layout, const trace_cell *cell)
{
    const int64_t *n = layout->blocks[cell->block].n;
    for (int c = 0; c < 3; c++) {
        if (cell->at[c] < 0 || cell->at[c] >= n[c] - 1) {
            return false;
        }
    }
    return grid_layout_brick_is_full(layout, trace_cell_brick(layout, cell));
}

/* Where a departure goes, from its own cell to the next one, which is another. */
static trace_destination find_destination(const trace_departures *list,
                                          const trace_cell *own, trace_departure *d)
{
    const grid_store *store = list->store;
    if (!trace_ahead_share_brick(store->layout, own, &d->next)) {
        return is_surely_present(store->layout, &d->next) ? TRACE_LEAVES_BRICK
                                                          : TRACE_STAYS;
    }
    const bool is_present =
        list->is_flat ? find_flat_corners(list, own, d)
                      : trace_cell_look(store, &d->next, &d->corners) == TRACE_PRESENT;
    return is_present ? TRACE_GOES_ON : TRACE_STAYS;
}

/* Finds the next cell of a departure, and moves the place of its guess there, unless it
 * stays. */
static void find_next_cell(const trace_departures *list, trace_departure *d)
{
    const trace_guess *guess = &d->lanes.guess;
    const int axes = d->axes;
    float local[3];
    for (int c = 0; c < axes; c++) {
        local[c] = trace_guess_local(guess, c)[d->lane];
    }
    const trace_cell own = trace_lanes_cell(&d->lanes, d->lane);
    d->next = own;
    d->to = trace_ahead_leave_cell(guess, d->lane, axes, &d->next)
                ? find_destination(list, &own, d)
                : TRACE_STAYS;
    for (int c = 0; c < axes && d->to == TRACE_STAYS; c++) {
        trace_guess_local(guess, c)[d->lane] = local[c];
    }
    if (d->to == TRACE_GOES_ON) {
        fetch_cell(list, d);
    }
}

/* ---- Going ------------------------------------------------------------------------- */

/* Moves the guess of a departure to the next cell, in the same brick. */
static void go_on(const trace_departures *list, const trace_departure *d)
{
    trace_lanes_put_cell(&d->next, &d->lanes, d->lane);
    if (list->is_flat) {
        trace_guess_set_flat_cell(list->store, &d->corners, d->lane, &d->lanes.guess);
    } else {
        trace_guess_set_cell(list->store, &d->corners, d->lane, &d->lanes.guess);
    }
}

/* Moves the guess to the next cell, in another brick. The numbers are those of a particle
 * that leaves its lane and enters one on another rank (trace_adams_enter). */
static void leave_brick(const trace_departures *list, const trace_departure *d)
{
    trace_corners corners;
    const trace_guess *guess = &d->lanes.guess;
    if (trace_cell_look(list->store, &d->next, &corners) != TRACE_PRESENT) {
        list->depart(d, list->time);
        return;
    }
    trace_lanes_put_cell(&d->next, &d->lanes, d->lane);
    trace_guess_set_origin(d->lane, guess);
    if (list->is_flat) {
        trace_guess_set_flat_brick(list->store, &corners, d->lane, guess);
    } else {
        trace_guess_set_cell(list->store, &corners, d->lane, guess);
    }
}

void trace_departures_go(trace_departures *list)
{
    for (int n = 0; n < list->count; n++) {
        find_next_cell(list, &list->of[n]);
    }
    for (int n = 0; n < list->count; n++) {
        const trace_departure *d = &list->of[n];
        if (d->to == TRACE_GOES_ON) {
            go_on(list, d);
        } else if (d->to == TRACE_LEAVES_BRICK) {
            leave_brick(list, d);
        }
    }
    list->count = 0;
}

void trace_departures_note(uint32_t leaves, const trace_lanes *lanes,
                           struct trace_particle *particles, trace_departures *list)
{
    if (list->count > TRACE_MOST_DEPARTURES - TRACE_LANES) {
        trace_departures_go(list);
    }
    for (uint32_t bits = leaves; bits; bits &= bits - 1) {
        trace_departure *d = &list->of[list->count++];
        d->lanes = *lanes;
        d->lane = trace_lanes_first(bits);
        d->particles = particles;
        fetch_for_write(&lanes->rest->cell[d->lane]);
        d->axes = lanes->plane->common.is_planar ? 2 : 3;
        if (d->axes > 2) {
            fetch_for_write(&lanes->height->guess.local[d->lane]);
        }
    }
}

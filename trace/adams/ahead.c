#include "ahead.h"

#include <math.h>

bool trace_ahead_leave_cell(trace_guess *guess, int n, trace_cell *cell)
{
    bool has_left = false;
    for (int c = 0; c < 3; c++) {
        float *local = &guess->local[c][n];
        const int side = trace_ahead_side(*local);
        if (side != 0) {
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

bool trace_ahead_go(const grid_store *store, trace_lanes *lanes, int lane,
                    trace_cell *next)
{
    const trace_cell own = trace_lanes_cell(lanes, lane);
    trace_guess *guess = &lanes->guess;
    trace_corners corners;
    float local[3];
    for (int c = 0; c < 3; c++) {
        local[c] = guess->local[c][lane];
    }
    *next = own;
    if (!trace_ahead_leave_cell(guess, lane, next)) {
        return true;
    }
    const bool shares_brick = trace_ahead_share_brick(store->layout, &own, next);
    const bool is_here = (shares_brick || is_surely_present(store->layout, next)) &&
                         trace_cell_look(store, next, &corners) == TRACE_PRESENT;
    if (!is_here && !shares_brick && is_surely_present(store->layout, next)) {
        return false;
    }
    for (int c = 0; c < 3 && !is_here; c++) {
        guess->local[c][lane] = local[c];
    }
    if (is_here) {
        trace_lanes_put_cell(next, lanes, lane);
        if (!shares_brick) { /* the same numbers as on another rank (trace_adams_enter) */
            trace_guess_set_origin(lane, guess);
        }
        trace_guess_set_cell(store, &corners, lane, guess);
    }
    return true;
}

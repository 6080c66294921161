/*
 * Particles whose next step is guessed to leave their cell. Their guesses move to the
 * next cell before that step, so that it takes a single trial.
 */
#ifndef TRACE_ADAMS_AHEAD_H
#define TRACE_ADAMS_AHEAD_H

#include "lanes.h"

/*
 * Moves the guess of a lane, which has left its cell, to the next cell, if that is
 * present. Returns false if that is on another rank: the guess is in cell *next of it
 * then, and the particle must leave its lane. It travels at its next step, and enters a
 * lane on that rank with the same numbers. Only whole bricks are entered like that, as
 * all ranks must do the same. Local.
 */
bool trace_ahead_go(const grid_store *store, trace_lanes *lanes, int lane,
                    trace_cell *next);

/* The side of a cell on which a local coordinate lies: -1 below, 1 above, 0 inside. */
static inline int trace_ahead_side(float local)
{
    return local > 1.0F + TRACE_ADAMS_MARGIN ? 1 : local < -TRACE_ADAMS_MARGIN ? -1 : 0;
}

/* Goes on to the neighbour of `cell` that the local coordinates point to, which then are
 * those in it; along each axis one cell at most. Returns whether they were outside.
 * Local. */
bool trace_ahead_leave_cell(trace_guess *guess, int n, trace_cell *cell);

/* Whether two cells lie in the same brick: the second may lie outside of the block.
 * Local. */
bool trace_ahead_share_brick(const grid_layout *layout, const trace_cell *a,
                             const trace_cell *b);

#endif
